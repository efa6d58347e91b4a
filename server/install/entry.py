"""What a host must know to start us."""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ibtr.errors import EchoPathError


class CannotInstall(EchoPathError):
    """A host's configuration that is not touched; the text names the file, the place and the fix."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One server entry: its name, its command line, and whether the host may run its tools unasked."""

    name: str
    command: str
    args: tuple[str, ...]
    approve: bool = False


def make_entry(name: str, agent: str, *, approve: bool) -> Entry:
    """An entry for this installation.

    Raises:
        CannotInstall: a name that a host would have to change.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name):
        raise CannotInstall(f"--name {name!r}: use up to 32 letters, digits, - and _")
    command, *args = own_command()
    return Entry(name, command, (*args, "serve", "--agent", agent), approve)


def own_command() -> list[str]:
    """How this installation is started from anywhere: by name where PATH has it, else by its place."""
    beside = Path(sys.executable).parent / "echopath"
    found = shutil.which("echopath")
    if found and not _only_here(Path(found)):
        return ["echopath"]
    if script := found or (str(beside) if os.access(beside, os.X_OK) else None):
        return [str(Path(script).absolute())]
    return [sys.executable, "-c", "from server.cli import main; main()"]


def _only_here(script: Path) -> bool:
    """On PATH merely because a virtual environment is active in this shell."""
    active = os.environ.get("VIRTUAL_ENV")
    return bool(active) and Path(str(active)) in script.parents


def table_of(value: object) -> dict[str, Any] | None:
    """A parsed object or table with its type fenced in; None if it is something else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
