"""Codex: a TOML file, edited line by line so that comments and order stay; checked before it is written."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

from server.install.entry import CannotInstall, Entry, table_of
from server.install.files import read_text, write_text

SCOPES = ("user", "project")
PASSED = (
    "DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_SESSION_TYPE XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS "
    "ECHOPATH_HOME ECHOPATH_CONFIG ECHOPATH_DESKTOP ECHOPATH_SCREEN ECHOPATH_LOG"
).split()
"""Codex gives a server almost no environment: without DISPLAY there is no screen."""
_START_S, _CALL_S = 30, 120
Toml = dict[str, Any]


def shown(entry: Entry) -> str:
    """The entry as it stands in `config.toml`."""
    lines = [f"{name} = {_value(value)}" for name, value in _wanted(entry, {}).items()]
    return "\n".join([f"[mcp_servers.{entry.name}]", *lines])


def install(entry: Entry, scope: str) -> list[str]:
    """Write the entry; what was done, in lines.

    Raises:
        CannotInstall: a file that is broken or not ours to understand; nothing was changed.
    """
    file = _file(scope)
    before = read_text(file)
    after = merged(before or "", entry, file)
    if after == before:
        return [f"{file}: server {entry.name} is there already"]
    backup = write_text(file, after, before)
    return [
        f"{file}: server {entry.name} written" + (f"; what was there is in {backup.name}" if backup else "")
    ]


def merged(text: str, entry: Entry, file: Path) -> str:
    """The text with the entry in it, and everything else as it was.

    Raises:
        CannotInstall: naming the line that is no TOML, or what stands in the way.
    """
    old = _parse(text, file)
    current = _servers(old, entry, file).get(entry.name)
    if current is None:
        return _checked(_appended(text, shown(entry)), old, entry, file)
    table = table_of(current)
    if table is None or "url" in table:
        raise CannotInstall(f"{file}: {entry.name} is an HTTP entry; remove it, or take another --name")
    changed = {name: value for name, value in _wanted(entry, table).items() if table.get(name) != value}
    return _checked(_rewritten(text, entry.name, changed), old, entry, file) if changed else text


def _servers(old: Toml, entry: Entry, file: Path) -> Toml:
    servers = table_of(old.get("mcp_servers", {}))
    if servers is None:
        raise CannotInstall(f"{file}: mcp_servers is not a table; put this in by hand:\n{shown(entry)}")
    return servers


def _file(scope: str) -> Path:
    if scope == "project":
        return Path.cwd() / ".codex" / "config.toml"
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"


def _wanted(entry: Entry, current: Toml) -> Toml:
    """Our fields over the user's: his time limits and further variables stay."""
    known = list(current.get("env_vars", []))
    wanted: Toml = {
        "command": entry.command,
        "args": list(entry.args),
        "env_vars": known + [name for name in PASSED if name not in known],
        "startup_timeout_sec": current.get("startup_timeout_sec", _START_S),
        "tool_timeout_sec": current.get("tool_timeout_sec", _CALL_S),
    }
    return wanted | ({"default_tools_approval_mode": "approve"} if entry.approve else {})


def _appended(text: str, block: str) -> str:
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{block}\n"


def _rewritten(text: str, name: str, changed: Toml) -> str:
    """Set some fields in the table of a server; the lines of a field are those that parse on their own."""
    lines = text.splitlines(keepends=True)
    head = next((n for n, line in enumerate(lines) if _is_header(line, name)), None)
    if head is None:
        return text  # written inline or with dots: the check says so
    for field, value in changed.items():
        end = next((n for n in range(head + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
        start = next((n for n in range(head + 1, end) if lines[n].split("=")[0].strip() == field), None)
        if start is None:
            start = stop = head + 1
        else:
            stop = _end_of(lines, start)
        lines[start:stop] = [f"{field} = {_value(value)}\n"]
    return "".join(lines)


def _end_of(lines: list[str], start: int) -> int:
    for stop in range(start + 1, len(lines) + 1):
        try:
            tomllib.loads("".join(lines[start:stop]))
        except tomllib.TOMLDecodeError:
            continue
        return stop
    return start + 1


def _is_header(line: str, name: str) -> bool:
    if not line.lstrip().startswith("["):
        return False
    try:
        return tomllib.loads(line) == {"mcp_servers": {name: {}}}
    except tomllib.TOMLDecodeError:
        return False


def _checked(text: str, old: Toml, entry: Entry, file: Path) -> str:
    """The new text means the old one with our fields, or it is not written."""
    by_hand = f"{file}: cannot be edited without risk; put this in by hand:\n{shown(entry)}"
    servers = _servers(old, entry, file)
    current = table_of(servers.get(entry.name)) or {}
    meant = old | {"mcp_servers": servers | {entry.name: current | _wanted(entry, current)}}
    try:
        if tomllib.loads(text) == meant:
            return text
    except tomllib.TOMLDecodeError as exc:
        raise CannotInstall(by_hand) from exc
    raise CannotInstall(by_hand)


def _parse(text: str, file: Path) -> Toml:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise CannotInstall(f"{file}: {exc}; correct it first, nothing was changed") from exc


def _value(value: object) -> str:
    """TOML of a string, a number or a list of strings: JSON's spelling is TOML's, too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
