"""Write docs/reference.md and docs/cli.md from the code. `--check` only compares."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ibtr.errors import Rejected
from server.catalogue import fixed_tools
from server.cli import COMMANDS, cli
from server.fallback import STOPS
from server.settings import CONFIG_FILE, PREFIX, Settings

DOCS = Path(__file__).parents[1] / "docs"
WIDTH = 100


def main() -> int:
    """Write or compare."""
    pages = {"reference.md": reference(), "cli.md": command_line()}
    if "--check" not in sys.argv:
        for name, text in pages.items():
            (DOCS / name).write_text(text)
        return 0
    stale = [name for name, text in pages.items() if (DOCS / name).read_text() != text]
    for name in stale:
        sys.stderr.write(f"docs/{name} is not what the code says: run `make reference`\n")
    return 1 if stale else 0


def reference() -> str:
    """Everything on one page, a line each."""
    parts = [
        "# Reference",
        "Written by `make reference` from the code.",
        commands(),
        tools(),
        settings(),
        causes(),
    ]
    return "\n\n".join(parts) + "\n"


def command_line() -> str:
    """What every command answers to `--help`."""
    head = "# The command line\n\nWritten by `make reference`: what each command answers to `--help`."
    return (
        "\n\n".join([head, *(f"## `{path}`\n```text\n{said}\n```" for path, said in helps("echopath", cli))])
        + "\n"
    )


def helps(
    path: str, command: click.Command, parent: click.Context | None = None
) -> Iterator[tuple[str, str]]:
    """A command and those below it, each with its help."""
    own = path.rsplit(maxsplit=1)[-1]
    context = click.Context(command, info_name=own, parent=parent, terminal_width=WIDTH)
    if not isinstance(command, click.Group):
        yield path, command.get_help(context)
        return
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        if below is not None:
            yield from helps(f"{path} {name}", below, context)


def commands() -> str:
    """`echopath ...`."""
    rows = [(f"`echopath {name}`", said) for name, (_, said) in COMMANDS.items()]
    return "## Commands\n[The command line](cli.md) tells all options.\n\n" + table(
        ("command", "what it does"), rows
    )


def tools() -> str:
    """What a host can call."""
    rows = [(f"`{name}`", said(spec.tool.description)) for name, spec in fixed_tools().items()]
    return "## Tools\nBeside these, every active memory is a tool of its own.\n\n" + table(
        ("tool", "what it is for"), rows
    )


def settings() -> str:
    """What can be set."""
    rows: list[tuple[str, ...]] = []
    for name, field in Settings.model_fields.items():
        default = "the user's data folder" if field.is_required() else f"`{shown(field.default)}`"
        rows.append((f"`{PREFIX}{name.upper()}`", f"`{name}`", default, said(field.description)))
    return (
        f"## Settings\nA flag wins over the environment, that over `{CONFIG_FILE}` in the user's config "
        f"folder (`{PREFIX}CONFIG` names another), that over the default. Nothing is read from the working "
        "folder.\n\n" + table(("variable", "in the file", "default", "what it is"), rows)
    )


def causes() -> str:
    """Why a replay says no."""
    kinds = sorted(Rejected.__subclasses__(), key=lambda one: one.cause.value)
    rows = [(f"`{one.cause.value}`", said(inspect.getdoc(one))) for one in kinds]
    refusals = table(("cause", "meaning"), rows)
    stops = table(("cause", "meaning"), [(f"`{one.value}`", meaning) for one, meaning in STOPS.items()])
    return (
        f"## Causes\nA refusal comes before the input event, with its cause and numbers.\n\n{refusals}\n\n"
        f"A replay can also end between two steps although nothing was refused.\n\n{stops}"
    )


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def said(text: str | None) -> str:
    """One cell."""
    return " ".join((text or "").split()).replace("|", "\\|")


def shown(value: object) -> str:
    """A default as one writes it."""
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


if __name__ == "__main__":
    sys.exit(main())
