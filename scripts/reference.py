"""Write docs/reference.md from the code: commands, tools, settings, refusals. `--check` only compares."""

import inspect
import sys
from pathlib import Path

from ibtr.errors import Rejected
from server.catalogue import fixed_tools
from server.cli import COMMANDS
from server.fallback import STOPS
from server.settings import CONFIG_FILE, PREFIX, Settings

PLACE = Path(__file__).parents[1] / "docs" / "reference.md"


def main() -> int:
    """Write or compare."""
    text = "\n\n".join(
        [
            "# Reference",
            "Written by `make reference` from the code.",
            commands(),
            tools(),
            settings(),
            causes(),
        ]
    )
    if "--check" in sys.argv:
        same = PLACE.read_text() == text + "\n"
        sys.stderr.write(
            "" if same else "docs/reference.md is not what the code says: run `make reference`\n"
        )
        return 0 if same else 1
    PLACE.write_text(text + "\n")
    return 0


def commands() -> str:
    """`echopath ...`."""
    rows = [(f"`echopath {name}`", said) for name, (_, said) in COMMANDS.items()]
    return "## Commands\n`echopath COMMAND --help` tells the rest.\n\n" + table(
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
