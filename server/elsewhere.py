"""What an imported memory names on the machine it comes from, and what is another thing, or nothing, here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pydantic import JsonValue

from memory_store.evaluators.template import before_inputs, names_in, parse
from memory_store.models import FileCondition, LaunchCondition, Memory

_HOMES = (PurePath("/home"), PurePath("/Users"))
_FIX = "a recording that says ~/ works in everybody's own folder: ask for one, or record it here"


class _Named(NamedTuple):
    where: str
    path: PurePath
    must_exist: PurePath | None
    """What has to be there before the work; None where nobody can know."""


def elsewhere(memory: Memory) -> list[str]:
    """A warning for each absolute path below somebody else's home, or that leads nowhere on this machine."""
    told = dict.fromkeys(_told(one) for one in _named(memory))
    return [words for words in told if words]


def _told(named: _Named) -> str:
    own, other = PurePath(Path.home()), _home_of(named.path)
    if other is not None and not named.path.is_relative_to(own):
        return f"{named.where}: {named.path} is below {other}, not your home folder {own}: {_FIX}"
    if named.must_exist is not None and not Path(named.must_exist).exists():
        return f"{named.where}: {named.path}: there is no {named.must_exist} on this machine; {_FIX}"
    return ""


def _home_of(path: PurePath) -> PurePath | None:
    """The home folder that a path is below, as homes are usually named."""
    if path.is_relative_to("/root"):
        return PurePath("/root")
    below = next((folder for folder in _HOMES if path.is_relative_to(folder)), None)
    return PurePath(*path.parts[:3]) if below is not None and len(path.parts) > 2 else None


def _named(memory: Memory) -> Iterator[_Named]:
    conditions = {"preconditions": memory.preconditions, "expected_effects": memory.expected_effects}
    for field, found in conditions.items():
        for at, condition in enumerate(found):
            if isinstance(condition, FileCondition):
                yield from _place(condition.path, f"{field}.{at}.path")
            elif isinstance(condition, LaunchCondition):
                for word in condition.argv:
                    yield from _word(word, f"{field}.{at}.argv")
    if memory.validation.evaluator is not None:
        yield from _spec(memory.validation.evaluator.plain(), "evaluator")
    for at, step in enumerate(memory.steps, 1):
        text = step.action.parameters.get("text")
        if isinstance(text, str) and text.startswith("/") and _home_of(PurePath(text)):
            yield _Named(f"step {at} types", PurePath(text), None)


def _spec(value: JsonValue, field: str) -> Iterator[_Named]:
    """Every path of an evaluator and of the checks in it."""
    if not isinstance(value, dict):
        return
    if isinstance(path := value.get("path"), str):
        yield from _place(path, f"{field}.path")
    argv, checks = value.get("argv"), value.get("checks")
    for word in argv if isinstance(argv, list) else ():
        yield from _word(str(word), f"{field}.argv")
    for at, check in enumerate(checks if isinstance(checks, list) else ()):
        yield from _spec(check, f"{field}.checks.{at}")


def _word(word: str, where: str) -> Iterator[_Named]:
    """A word of a command line, as a path: also of `--file=PATH` and of `file://` addresses."""
    value = word.partition("=")[2] if word.startswith("-") else word
    path = unquote(urlsplit(value).path) if value.startswith("file://") else value
    for named in _place(path, where):
        yield (
            named if _literal(path)[1] else named._replace(must_exist=named.path)
        )  # it is opened: it is there


def _place(template: str, where: str) -> Iterator[_Named]:
    """A path that the work may make: its folder must be there."""
    literal, has_input = _literal(template)
    if literal.startswith("/"):
        path = PurePath(literal)
        folder = PurePath(literal[: literal.rfind("/") + 1]) if has_input else path.parent
        yield _Named(where, path, folder)


def _literal(template: str) -> tuple[str, bool]:
    """What stands before the first input, and whether there is one."""
    try:
        pieces = parse(template)
    except ValueError:
        return template, False
    return before_inputs(pieces), bool(names_in(pieces))
