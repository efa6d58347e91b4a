"""Claude Code: JSON files; the entry of a user, of a project for everyone, or of a project for oneself."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server.install.entry import CannotInstall, Entry, table_of
from server.install.files import read_text, write_text

SCOPES = ("user", "project", "local")
Json = dict[str, Any]


def shown(entry: Entry) -> str:
    """The entry as it stands in `.mcp.json`."""
    return json.dumps({"mcpServers": {entry.name: _entry(entry)}}, indent=2)


def install(entry: Entry, scope: str) -> list[str]:
    """Write the entry; what was done, in lines.

    Raises:
        CannotInstall: a file that is broken or not ours to understand; nothing was changed.
    """
    home, here = _home(), str(Path.cwd())
    file = Path.cwd() / ".mcp.json" if scope == "project" else home / ".claude.json"
    path = ("projects", here, "mcpServers") if scope == "local" else ("mcpServers",)
    said = [_edit(file, lambda top: _put(top, file, (*path, entry.name), entry), f"server {entry.name}")]
    if entry.approve:
        rules = _rules_file(scope)
        said.append(_edit(rules, lambda top: _allow(top, rules, f"mcp__{entry.name}"), "the permission"))
    return said


def _home() -> Path:
    """Where `.claude.json` lies."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home())


def _rules_file(scope: str) -> Path:
    if scope == "user":
        folder = os.environ.get("CLAUDE_CONFIG_DIR")
        return (Path(folder) if folder else Path.home() / ".claude") / "settings.json"
    return Path.cwd() / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")


def _entry(entry: Entry) -> Json:
    return {"type": "stdio", "command": entry.command, "args": list(entry.args)}


def _put(top: Json, file: Path, path: tuple[str, ...], entry: Entry) -> None:
    """Our three fields; whatever else the user set for the server (env, timeout ...) stays."""
    _inner(top, file, path).update(_entry(entry))


def _allow(top: Json, file: Path, rule: str) -> None:
    permissions = _inner(top, file, ("permissions",))
    rules: object = permissions.get("allow", [])
    if not isinstance(rules, list):
        raise CannotInstall(f"{file}: permissions.allow is not a list")
    if rule not in rules:
        permissions["allow"] = [*rules, rule]


def _inner(top: Json, file: Path, path: tuple[str, ...]) -> Json:
    node = top
    for depth, name in enumerate(path):
        inner = table_of(node.setdefault(name, {}))
        if inner is None:
            raise CannotInstall(f"{file}: {'.'.join(path[: depth + 1])} is not an object")
        node = inner
    return node


def _edit(file: Path, change: Callable[[Json], None], what: str) -> str:
    before = read_text(file)
    top = _parse(file, before)
    change(top)
    if before is not None and top == _parse(file, before):
        return f"{file}: {what} is there already"
    backup = write_text(file, json.dumps(top, indent=2, ensure_ascii=False) + "\n", before)
    return f"{file}: {what} written" + (f"; what was there is in {backup.name}" if backup else "")


def _parse(file: Path, text: str | None) -> Json:
    if text is None or not text.strip():
        return {}
    try:
        top = table_of(json.loads(text, object_pairs_hook=_unique))
    except json.JSONDecodeError as exc:
        raise CannotInstall(
            f"{file}: line {exc.lineno}, column {exc.colno}: {exc.msg}; correct it first, nothing was changed"
        ) from exc
    except ValueError as exc:
        raise CannotInstall(f"{file}: {exc}; correct it first, nothing was changed") from exc
    if top is None:
        raise CannotInstall(f"{file}: line 1: an object is expected; nothing was changed")
    return top


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in one object, and one of them would be lost")
    return made
