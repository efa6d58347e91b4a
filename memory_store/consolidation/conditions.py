"""Pure: conditions that can be read and yet cannot work, each told by its field and what helps."""

from __future__ import annotations

from collections.abc import Iterator

from memory_store.consolidation.selection import Problem
from memory_store.evaluators.template import check_path, names_in, parse
from memory_store.models import FileCondition, LaunchCondition, WindowCondition

_DOUBLE = "declare it as an input (no secret), or double the braces"
_NOT_FILLED = "leave the value out, and give the part of the title that is always there"


def condition_problems(
    condition: object, names: frozenset[str] | None, where: str, *, effect: bool
) -> Iterator[Problem]:
    """What is wrong with a window, file or launch condition; `names` are the inputs that it may hold.

    Without `names` (the inputs themselves could not be read) nobody asks whether one is declared.
    """
    match condition:
        case WindowCondition():
            yield from _window(condition, names, where)
        case FileCondition():
            yield from _template(condition.path, names, f"{where}.path", path=True)
        case LaunchCondition() if effect:
            fix = "put it into preconditions, or give a window, file or region condition, or plain words"
            yield Problem(where, "a launch is no effect: nothing is started after the work", fix)
        case LaunchCondition():
            yield from _launch(condition, names, where)
        case _:
            return


def _window(condition: WindowCondition, names: frozenset[str] | None, where: str) -> Iterator[Problem]:
    if not condition.application.strip() and not condition.title_contains.strip():
        yield Problem(where, "names no window: any would do", "give application or title_contains")
    for field in ("application", "title_contains"):
        text = str(getattr(condition, field))
        for name in sorted(names or ()):
            if f"{{{name}}}" in text:
                yield Problem(f"{where}.{field}", f"{{{name}}} is compared as it stands", _NOT_FILLED)


def _launch(condition: LaunchCondition, names: frozenset[str] | None, where: str) -> Iterator[Problem]:
    for at, part in enumerate(condition.argv):
        yield from _template(part, names, f"{where}.argv.{at}")
    yield from _window(condition.window, names, f"{where}.window")
    if not condition.window.present:
        yield Problem(f"{where}.window.present", "is false: the window is what is started", "leave it out")


def _template(
    template: str, names: frozenset[str] | None, where: str, *, path: bool = False
) -> Iterator[Problem]:
    try:
        used = names_in(parse(check_path(template) if path else template))
    except ValueError as exc:
        yield Problem(where, str(exc), "correct it")
        return
    for name in sorted(used - names) if names is not None else ():
        yield Problem(where, f"{{{name}}} is not a declared input", _DOUBLE)
