"""The policy on applications, on a real desktop: what lies under every point of an action."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from actionlens.actions import Click, Drag, Move, Press, Scroll
from actionlens.desk import Desktop
from actionlens.observation import Under, Window
from ibtr.errors import UnsafeAction
from ibtr.geometry import Box
from server.guard import Guard
from server.watch import belonging
from tests.conftest import Screen
from tests.e2e.stage import FORM

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture
async def place(virtual: Desktop, tmp_path: Path) -> Screen:
    """A form on the left, and a probe in front of everything on the right."""
    (folder := tmp_path / "place").mkdir()
    place = Screen(virtual, folder)
    await _form(place, at=[100, 200])
    await place.show("one", at=(700, 200))
    return place


async def _form(place: Screen, **more: Any) -> None:
    log = place.folder / f"form-{len(list(place.folder.iterdir()))}.jsonl"
    plan = {"log": str(log), "out": str(place.folder / "out"), **more}
    await place.desktop.launch([sys.executable, str(FORM), json.dumps(plan)])
    with anyio.fail_after(20):
        while not (log.exists() and '"shown"' in log.read_text()):
            await anyio.sleep(0.01)


@pytest.fixture
def guard(tmp_path: Path) -> Guard:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "policy.toml").write_text('applications_refused = ["form"]\n')
    return Guard(tmp_path / "config", tmp_path / "home")


async def _may(guard: Guard, place: Screen, act: Any) -> bool:
    try:
        await guard.check_frame(act, await place.desktop.capture(), place.desktop)
    except UnsafeAction as exc:
        assert exc.evidence["rule"] in ("applications_refused", "applications")
        return False
    return True


async def test_a_refused_application_is_refused_at_its_title_bar_too(guard: Guard, place: Screen) -> None:
    form = next(one for one in (await place.desktop.capture()).windows if one.title == "Form").box

    assert not await _may(guard, place, Click(x=form.x + 150, y=form.y + 10))
    assert not await _may(guard, place, Click(x=form.x + 150, y=form.y - 8))
    assert not await _may(guard, place, Scroll(x=form.x + 150, y=form.y - 8, dy=1))
    assert await _may(guard, place, Click(x=900, y=300))


async def test_a_drag_is_refused_by_either_of_its_ends(guard: Guard, place: Screen) -> None:
    assert not await _may(guard, place, Drag(x=900, y=300, to_x=250, to_y=350))
    assert not await _may(guard, place, Drag(x=250, y=350, to_x=900, to_y=300))
    assert await _may(guard, place, Drag(x=900, y=300, to_x=950, to_y=320))


async def test_a_menu_past_the_window_manager_is_of_the_program_that_shows_it(
    guard: Guard, place: Screen
) -> None:
    await _form(place, at=[720, 250], popup=True)
    await place.still()

    assert not await _may(guard, place, Click(x=900, y=300))


async def test_the_bare_screen_is_none_of_the_applications_that_are_allowed(
    guard: Guard, place: Screen, tmp_path: Path
) -> None:
    (tmp_path / "config" / "policy.toml").write_text('applications = ["probe"]\n')

    assert not await _may(guard, place, Move(x=640, y=700))
    assert await _may(guard, place, Click(x=900, y=300))
    assert await _may(guard, place, Press(key="a"))


def test_what_nobody_manages_is_judged_by_the_windows_it_goes_with() -> None:
    editor, other = (
        Window(id=n, application=name, box=Box(0, 0, 9, 9)) for n, name in ((1, "Editor"), (2, "Other"))
    )

    assert belonging(Under(id=7, application="Popup", owners=(1,)), (editor, other)) == [editor]
    assert belonging(Under(id=2, managed=True, owners=(1,)), (editor, other)) == [other]
    nameless = belonging(Under(id=7), (editor, other))[0]
    assert nameless is not None
    assert nameless.application == ""
    assert belonging(None, (editor,)) == [None]
