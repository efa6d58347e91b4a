"""Tooltips and dialogs are known for what they are, and no click is lost to a tooltip."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from actionlens.actions import Click
from actionlens.controller import Frame
from actionlens.errors import Elsewhere
from actionlens.looks import Looks
from actionlens.recorder import ActionLens
from actionlens.records import Request
from ibtr.errors import MissingTarget
from ibtr.geometry import Box
from server.replay.reach import expect_no_hint
from tests.conftest import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
FORM = Path(__file__).parent.parent / "desktop" / "form.py"
HINT = Path(__file__).parent.parent / "desktop" / "hint.py"


async def _show(screen: Screen, kind: str, box: Box, *more: str) -> None:
    await screen.desktop.launch([sys.executable, str(HINT), kind, *map(str, box), *more])


async def _until(screen: Screen, true: Callable[[Frame], bool]) -> Frame:
    with anyio.fail_after(20):
        while not true(frame := await screen.desktop.capture()):
            await anyio.sleep(0.01)
        return frame


def _black(frame: Frame, box: Box) -> bool:
    return bool((frame.pixels[box.y : box.bottom, box.x : box.right] == 0x10).all())


async def test_a_tooltip_is_seen_as_one_and_a_menu_is_not(screen: Screen) -> None:
    tooltip, menu = Box(500, 300, 90, 24), Box(700, 300, 90, 24)
    await _show(screen, "POPUP_MENU", menu)
    await _until(screen, lambda frame: _black(frame, menu))

    await _show(screen, "TOOLTIP", tooltip)
    frame = await _until(screen, lambda frame: bool(frame.hints))

    assert frame.hints == (tooltip,)
    assert frame.observation("x").hints == (tooltip,)


async def test_a_menu_of_the_window_in_front_is_seen_and_that_of_another_program_is_not(
    screen: Screen, tmp_path: Path
) -> None:
    others, own = Box(700, 300, 90, 24), Box(650, 420, 160, 120)
    await _show(screen, "POPUP_MENU", others)
    await _until(screen, lambda frame: _black(frame, others))
    plan = {"log": str(tmp_path / "log"), "out": str(tmp_path / "out"), "open_menu": own[:2]}

    await screen.desktop.launch([sys.executable, str(FORM), json.dumps(plan)])
    frame = await _until(screen, lambda frame: any(popup.menu for popup in frame.popups))

    assert [(popup.box, popup.menu) for popup in frame.popups] == [(own, True)]
    assert frame.observation("x").popups == frame.popups


async def test_a_click_under_a_tooltip_arrives_at_what_lies_beneath(screen: Screen) -> None:
    probe = await screen.show()
    await _show(screen, "TOOLTIP", Box(200, 180, 60, 24))
    await _until(screen, lambda frame: bool(frame.hints))

    await screen.desktop.perform(Click(x=222, y=187))

    await probe.until(lambda events: any(one["event"] == "release" for one in events))
    assert [one["at"] for one in probe.of("press")] == [[222, 187]]


async def test_a_click_is_not_lost_to_a_tooltip_that_stays(screen: Screen) -> None:
    probe = await screen.show()
    await _show(screen, "TOOLTIP", Box(200, 180, 60, 24), "stays")
    await _until(screen, lambda frame: bool(frame.hints))

    with pytest.raises(Elsewhere):
        await screen.desktop.perform(Click(x=222, y=187))

    await screen.desktop.perform(Click(x=130, y=187))  # beside it; what was sent before has arrived by then
    await probe.until(lambda events: any(one["event"] == "release" for one in events))
    assert [one["at"] for one in probe.of("press")] == [[130, 187]]


async def test_what_a_tooltip_covers_is_refused_before_the_button(screen: Screen, tmp_path: Path) -> None:
    probe = await screen.show()
    await _show(screen, "TOOLTIP", Box(200, 180, 60, 24), "stays")
    await _until(screen, lambda frame: bool(frame.hints))
    lens = ActionLens(screen.desktop, tmp_path / "runs", agent="test")

    with pytest.raises(MissingTarget):
        await lens.act(Request(action=Click(x=222, y=187)), Looks(over=expect_no_hint))

    await lens.close()
    assert probe.of("press") == []


async def test_a_dialog_is_known_as_one(screen: Screen) -> None:
    await screen.show()
    await _show(screen, "DIALOG", Box(300, 300, 200, 80))

    frame = await _until(screen, lambda frame: len(frame.windows) > 1)

    assert {window.title: window.dialog for window in frame.windows} == {"one": False, "DIALOG": True}
