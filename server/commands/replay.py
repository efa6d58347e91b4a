"""`echopath replay NAME --input k=v`."""

import json
import sys

import click

_EXIT_CODES = {"verified": 0, "done_unverified": 3}


@click.command("replay")
@click.argument("name")
@click.option("--input", "inputs", multiple=True, metavar="NAME=VALUE", help="A new value for an input.")
@click.option("--desktop", type=click.Choice(["auto", "local", "virtual"]), help="Which desktop to drive.")
@click.option("--screen", metavar="WxH", help="Size of a virtual desktop.")
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after so long.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Stop after so many steps.")
@click.option("--yes", is_flag=True, help="Do not ask, even where the policy wants it.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(  # noqa: PLR0917 - one for each flag
    name: str,
    inputs: tuple[str, ...],
    desktop: str | None,
    screen: str | None,
    max_seconds: float | None,
    max_steps: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Run a memory on the desktop, without a host.

    Exit code 0: verified. 3: all steps done, but nothing has verified the artifact. 1: it did not end well,
    or did not begin. 2: wrong options.
    """
    import anyio

    from server.confirm import UNRUN
    from server.logs import set_up_logging
    from server.replay.budget import Budget
    from server.replay_once import Terminal, replay_once
    from server.replay_view import fact_lines, refusal_lines
    from server.settings import load_settings

    set_up_logging()
    terminal = Terminal(
        say=lambda text: click.echo(text, err=True),
        ask=None if yes else _ask,
        present=sys.stdin.isatty(),
        asks=_ask,
    )
    settings = load_settings(desktop=desktop, screen=screen, agent="echopath replay")
    budget = Budget(max_steps, max_seconds)
    report = anyio.run(replay_once, settings, name, _values(inputs), budget, terminal)
    if as_json:
        click.echo(json.dumps(report.answer(), indent=1))
    else:
        click.echo(report.summary)
        told = {"replay_id": report.replay_id, "memory": report.memory}
        lines = fact_lines("evidence", report.evidence)
        for line in refusal_lines(report.cause, report.evidence, **told) if report.cause else lines:
            click.echo(line)
        if report.replay_id != UNRUN:
            click.echo(f"echopath report {report.replay_id}", err=True)
    sys.exit(_EXIT_CODES.get(report.ending, 1))


def _values(inputs: tuple[str, ...]) -> dict[str, object]:
    values: dict[str, object] = {}
    for one in inputs:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{one!r}: write it like --input phone=555-0199", param_hint="--input")
        if name in values:
            raise click.BadParameter(f"{name!r} is given twice", param_hint="--input")
        values[name] = value
    return values


def _ask(question: str) -> bool | None:
    """The person at the terminal; None if nobody is there."""
    return click.confirm(question, err=True) if sys.stdin.isatty() else None
