"""Whether a window shows one document and not another of the same name: by its title, then by its process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

_SHOWN_PATH = re.compile(r"(?:^|[\s(\[\"'*])(~?/\w)")


class Shown(StrEnum):
    """Whose document a window shows."""

    OURS = "ours"
    OTHER = "other"
    BOTH = "both"
    UNKNOWN = "unknown"


def names_whole(title: str, name: str) -> bool:
    """Whether a title holds a name by itself: `inbox` is neither in `inbox-archive` nor in `inbox/old`."""
    return bool(name) and _whole(name).search(title) is not None


def document_of(argv: Sequence[str], name: str) -> str | None:
    """The argument that a title names, if it is one."""
    wanted = name.casefold()
    return next((part for part in reversed(argv[1:]) if PurePath(part).name.casefold() == wanted), None)


def by_title(title: str, document: str) -> Shown:
    """What a title tells: most show the name alone, some the folder or the whole path.

    One that does not name the document at all shows another.
    """
    path = Path(document).expanduser()
    if not names_whole(title, path.name):
        return Shown.OTHER
    if not path.is_absolute():
        return Shown.UNKNOWN
    if any(_whole(one).search(title) for one in _written(path) if one.strip("/~")):
        return Shown.OURS
    inside = re.search(r"([^/]*)/" + re.escape(path.name), title, re.IGNORECASE)
    if inside is not None:
        parent = path.parent.name
        return Shown.UNKNOWN if parent and names_whole(inside[1], parent) else Shown.OTHER
    return Shown.OTHER if _SHOWN_PATH.search(title) else Shown.UNKNOWN


def by_process(pid: int | None, document: str) -> Shown:
    """What the process behind a window tells: the files it holds open, or else what it was started with.

    Blocks. Only paths of the document's own name count.
    """
    path = Path(document).expanduser()
    if pid is None or not path.is_absolute():
        return Shown.UNKNOWN
    try:
        return _told(path, _open_files(pid)) or _told(path, _arguments(pid)) or Shown.UNKNOWN
    except OSError:  # gone, or of somebody else
        return Shown.UNKNOWN


def shown(title: str, pid: int | None, document: str) -> Shown:
    """Both together: a title that tells is believed, one that does not leaves it to the process. Blocks."""
    told = by_title(title, document)
    return told if told is not Shown.UNKNOWN else by_process(pid, document)


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.~-]){re.escape(name)}(?![\w~-]|[./]\w)", re.IGNORECASE)


def _written(path: PurePath) -> list[str]:
    """The ways in which a title may write where a document is: its path or its folder, the home as ~."""
    home, written = PurePath(Path.home()), [str(path), str(path.parent)]
    if path.is_relative_to(home):
        short = path.relative_to(home)
        written += [f"~/{short}", f"~/{short.parent}"]
    return [one for one in written if not one.endswith("/.")]


def _told(path: Path, named: Iterable[Path]) -> Shown | None:
    """Whose document is among the paths that a process names, if one has its name."""
    ours = path.resolve()
    same = {one.resolve() == ours for one in named if one.name.casefold() == path.name.casefold()}
    if same == {True, False}:
        return Shown.BOTH
    return (Shown.OURS if True in same else Shown.OTHER) if same else None


def _open_files(pid: int) -> list[Path]:
    found: list[Path] = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = link.readlink()
        except OSError:
            continue
        if target.is_absolute():
            found.append(Path(str(target).removesuffix(" (deleted)")))
    return found


def _arguments(pid: int) -> list[Path]:
    """What a process was started with, as paths: also of `--file=PATH` and of `file://` addresses."""
    folder = Path(f"/proc/{pid}/cwd").readlink()
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="surrogateescape").split("\0")[1:]
    values = [word.partition("=")[2] if word.startswith("-") else word for word in words]
    plain = [unquote(urlsplit(one).path) if one.startswith("file://") else one for one in values]
    return [folder / one for one in plain if one]
