"""The wrong starts: what each must be refused with, written down before the first trial; how to make them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from anyio import to_thread

from actionlens.actions import Hotkey
from bench.study.stage import Stage
from bench.study.task import Task, Values
from ibtr.geometry import Box


class Expected(NamedTuple):
    """The right causes: for a memory that begins with a pointer act, and for one that begins with keys."""

    pointer: frozenset[str]
    keys: frozenset[str]


_STATE, _MISSING = frozenset({"state_mismatch"}), frozenset({"missing_target"})
_RIGHT = frozenset({"verified"})
EXPECTED: dict[str, Expected] = {
    "another application": Expected(_STATE, _STATE),
    "different document": Expected(_STATE, _STATE),
    "modal dialog": Expected(_STATE, _STATE),
    "page covered": Expected(_MISSING, _STATE | _MISSING),
    "control missing": Expected(_MISSING, _STATE | _MISSING),
    "control renamed": Expected(_MISSING, _STATE | _MISSING),
    "dark theme": Expected(_MISSING | _RIGHT, _STATE | _MISSING | _RIGHT),
}
"""A memory that begins with keys compares what stood on its first screen: gone, it is another state; a
control that comes up only later is missing when its turn comes. A dark theme may be seen through."""
LATER_DOCUMENT = _MISSING
"""Where the document is that of a second program, which comes in later: its target is not there."""
PAGE_DIALOG = _MISSING
"""A page's own dialog is no window: it covers or dims what is pointed at. (Written after a first trial.)"""
BLIND = frozenset({"another application", "modal dialog", "page covered"})
"""Starts on which no pointer act can be right."""
_PAGE = {"page covered": "covered", "control missing": "missing", "control renamed": "renamed"}
_DARK_GTK2 = """style "dark" { bg[NORMAL]="#2b2b2b" bg[ACTIVE]="#202020" bg[PRELIGHT]="#3a3a3a"
fg[NORMAL]="#eeeeee" fg[ACTIVE]="#eeeeee" fg[PRELIGHT]="#ffffff" base[NORMAL]="#1e1e1e"
text[NORMAL]="#eeeeee" }
class "GtkWidget" style "dark"
"""


def expected_of(task: Task, wrong: str) -> frozenset[str]:
    """What this memory must say to this start."""
    if wrong == "different document" and task.later_document:
        return LATER_DOCUMENT
    if wrong == "modal dialog" and not task.spots:
        return PAGE_DIALOG
    return EXPECTED[wrong].pointer if task.steps[0].spot else EXPECTED[wrong].keys


def wrongs_for(task: Task) -> Iterator[str]:
    """The wrong starts that a task can have."""
    page = not task.spots
    yield "another application"
    if task.other is not None:
        yield "different document"
    if page or task.dialog:
        yield "modal dialog"
    yield "page covered"
    if page or task.hide or task.without is not None:
        yield "control missing"
    if page or task.speaks:
        yield "control renamed"
    yield "dark theme"


@asynccontextmanager
async def started_wrongly(
    stage: Stage, task: Task, wrong: str, values: Values, box: Box
) -> AsyncGenerator[None]:
    """The task's application, but not as it should be."""
    try:
        stage.environment = _environment(stage, task, wrong)
        stage.site.broken = _broken(task, wrong)
        stage.site.theme = "dark" if wrong == "dark theme" else ""
        await _start(stage, task, wrong, values, box)
        if wrong == "page covered" and task.spots:
            cover = await to_thread.run_sync(_cover, (await (await stage.desktop()).capture()).window)
            await stage.still()
            try:
                yield
            finally:
                cover.close()
        else:
            yield
    finally:
        stage.environment = {}
        stage.site.broken = stage.site.theme = ""


def _environment(stage: Stage, task: Task, wrong: str) -> dict[str, str]:
    if wrong == "control renamed" and task.spots:
        return {"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}
    if wrong != "dark theme":
        return {}
    rc = stage.out / "dark.gtkrc"
    rc.write_text(_DARK_GTK2)
    return {"GTK_THEME": "Adwaita:dark", "GTK2_RC_FILES": str(rc)}


def _broken(task: Task, wrong: str) -> str:
    if wrong == "modal dialog" and not task.spots:
        return "alert"
    return _PAGE.get(wrong, "") if not task.spots else ""


async def _start(stage: Stage, task: Task, wrong: str, values: Values, box: Box) -> None:
    begin = task.start
    if wrong == "different document" and task.other is not None:
        begin = task.other
    if wrong == "control missing" and task.without is not None:
        begin = task.without
    await begin(stage, values, box)
    if wrong == "another application":
        other = "mousepad" if task.application == "galculator" else "galculator"
        await stage.launch([other], Box(box.x + 60, box.y + 80, 0, 0))
    keys = task.dialog if wrong == "modal dialog" else task.hide if wrong == "control missing" else ()
    if keys:
        await (await stage.desktop()).perform(Hotkey(keys=keys))
        await stage.still()


def _cover(window: Any) -> Any:
    """A plain window over the active one that no window manager knows, like a notice: the focus stays."""
    from Xlib import X
    from Xlib import display as xdisplay

    display: Any = xdisplay.Display()
    screen = display.screen()
    over = screen.root.create_window(
        *window.box, 0, screen.root_depth, X.InputOutput, background_pixel=0x8A8F98, override_redirect=True
    )
    over.map()
    display.sync()
    return display
