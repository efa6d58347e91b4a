"""What the commands of `echopath memories` share: the group, its options, opening the store, answering."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import click

from memory_store.errors import MemoryStoreError, PromotionRefused
from memory_store.models import Memory
from memory_store.repository import Repository
from server import memory_view as view
from server.settings import load_settings
from server.store import open_store


def _asked_for_json(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> bool:
    ctx.meta[_JSON] = asked
    return asked


def said(_ctx: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """Let a text pass that says something; an option that was given empty is not one that was left out."""
    if text is not None and not text.strip():
        raise click.BadParameter(f"is empty: {parameter.opts[0]} takes a sentence", param=parameter)
    return text


_JSON = "echopath.memories.json"
as_json = click.option(
    "--json", "as_json", is_flag=True, callback=_asked_for_json, help="Print JSON instead of a table."
)
because = click.option(
    "--because", required=True, callback=said, help="Why, in a sentence; it is kept in the log."
)
optional_because = click.option("--because", default="", help="Why, in a sentence; it is kept in the log.")
new_name = click.option("--name", help="Its tool name; without one, the parent's with a number.")


class _Refusals(click.Group):
    """A group whose refusals are JSON on standard output when JSON was asked for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a refusal ends with exit code 1."""
        try:
            return super().invoke(ctx)
        except MemoryStoreError as exc:
            if not ctx.meta.get(_JSON):
                raise
            print_json({"error": type(exc).__name__, "message": str(exc), **_facts(exc)})
            ctx.exit(1)


@click.group("memories", cls=_Refusals)
def command() -> None:
    """What was learned: look at it, prove it, promote it, retire it, share it."""


def opened() -> Repository:
    """The store of the settings."""
    return open_store(load_settings(), actor="cli")


def now() -> datetime:
    """This moment, for the log."""
    return datetime.now(UTC)


def change(work: Callable[[Repository], Memory], as_json: bool) -> None:
    """Do something to a memory and say what became of it."""
    with opened() as repository:
        say(work(repository), as_json)


def say(memory: Memory, as_json: bool) -> None:
    """One memory in one line."""
    if as_json:
        print_json(brief(memory))
    else:
        click.echo(f"{memory.tool_name} is {memory.lifecycle.value} ({memory.id})")


def brief(memory: Memory) -> dict[str, object]:
    """As much of a memory as names it."""
    return {"id": memory.id, "tool_name": memory.tool_name, "lifecycle": memory.lifecycle.value}


def _facts(exc: MemoryStoreError) -> dict[str, object]:
    if isinstance(exc, PromotionRefused):
        return {"blockers": [view.blocker_json(each) for each in exc.blockers]}
    return {"evidence": exc.evidence}


def echo(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))
