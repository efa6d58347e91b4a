"""Pure: whether values can be put into the templates of a check or a condition, before anything is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from memory_store.evaluators.outcome import CouldNotRun
from memory_store.evaluators.template import Values, names_in, parse, parse_regex

_FIELD = re.compile(r"(?:checks\.\d+\.)*(path|url|regex|argv)(?:\.\d+)?")


class Unfit(NamedTuple):
    """An input whose value a template cannot take."""

    name: str
    where: str
    problem: str
    fix: str


def unfit_values(spec: Mapping[str, JsonValue], values: Mapping[str, str], about: str) -> Iterator[Unfit]:
    """What a path, address, pattern or command of a spec could not be filled with.

    A template that names no input, or one without a value, is left to whoever runs the check.
    """
    for field, template in _strings(dict(spec), ""):
        kind = _FIELD.fullmatch(field)
        if kind is None:
            continue
        try:
            names = names_in((parse_regex if kind[1] == "regex" else parse)(template))
        except ValueError:
            continue
        if names and names <= values.keys():
            yield from _tried(kind[1], template, names, values, f"{about}.{field}")


def _tried(
    kind: str, template: str, names: frozenset[str], values: Mapping[str, str], where: str
) -> Iterator[Unfit]:
    filled = Values(values)
    fill = {"path": filled.path, "url": filled.url, "regex": filled.regex, "argv": filled.argument}[kind]
    try:
        fill(template, where)
    except CouldNotRun as exc:
        named = [name for name in sorted(names) if f"{{{name}}}" in exc.problem] or sorted(names)
        for name in named:
            yield Unfit(name, where, exc.problem, exc.fix)


def _strings(value: JsonValue, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, f"{field}.{index}".lstrip("."))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{field}.{key}".lstrip("."))
