"""The window that events must reach is looked for right before them; and what others press is counted."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from Xlib.display import Display

from actionlens.actions import Click, Drag, Hotkey, Press, Scroll, Type
from actionlens.desk import Desktop
from actionlens.errors import ActionFailed, Elsewhere
from actionlens.into import Into
from actionlens.presses import Presses
from actionlens.windows import Windows
from ibtr.geometry import Point
from tests.conftest import Probe, Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
HINT = Path(__file__).parent.parent / "desktop" / "hint.py"
AT = Point(222, 187)


@contextmanager
def _connected(desktop: Desktop) -> Generator[tuple[Any, Any]]:
    displays = Display(desktop.display), Display(desktop.display)
    try:
        yield displays
    finally:
        for one in displays:
            one.close()


async def _shown(screen: Screen) -> tuple[Probe, int]:
    probe = await screen.show()
    window = (await screen.desktop.capture()).window
    assert window is not None
    return probe, window.id


async def _cover(screen: Screen, kind: str = "POPUP_MENU") -> int:
    """Something of another program over the probe; its number."""
    before = await screen.desktop.under(AT)
    await screen.desktop.launch([sys.executable, str(HINT), kind, "200", "170", "80", "40"])
    return await _other_than(screen, before.id if before else 0)


async def _other_than(screen: Screen, known: int) -> int:
    found: list[int] = []

    async def look() -> bool:
        under = await screen.desktop.under(AT)
        found.append(under.id if under else 0)
        return found[-1] not in (known, 0)

    with anyio.fail_after(20):
        while not await look():
            await anyio.sleep(0.01)
    return found[-1]


async def test_what_a_click_would_reach_is_the_window_and_not_its_frame(screen: Screen) -> None:
    _, window = await _shown(screen)
    box = next(one.box for one in (await screen.desktop.capture()).windows if one.id == window)

    inside = await screen.desktop.under(AT)
    title_bar = await screen.desktop.under(Point(box.x + 20, box.y - 5))
    bare = await screen.desktop.under(Point(1270, 790))

    assert inside is not None
    assert (inside.id, inside.application, inside.managed) == (window, "Probe", True)
    assert title_bar is not None
    assert title_bar.id == window
    assert bare is None


async def test_a_popup_of_nobody_belongs_to_no_window(screen: Screen) -> None:
    await _shown(screen)
    popup = await _cover(screen)

    under = await screen.desktop.under(AT)

    assert under is not None
    assert (under.id, under.application, under.managed, under.owners) == (popup, "Popup_Menu", False, ())


@pytest.mark.parametrize(
    "action",
    [
        Click(x=222, y=187),
        Click(x=222, y=187, hold=("ctrl",)),
        Drag(x=222, y=187, to_x=260, to_y=200, duration_s=0.05),
        Scroll(x=222, y=187, dy=3),
    ],
)
async def test_nothing_is_pressed_where_another_window_has_come_between(
    screen: Screen, action: Click | Drag | Scroll
) -> None:
    probe, window = await _shown(screen)
    popup = await _cover(screen)

    with pytest.raises(Elsewhere):
        await screen.desktop.perform(action, into=window)
    await screen.desktop.perform(Click(x=110, y=187), into=window)
    await probe.until(lambda events: any(one["event"] == "release" for one in events))

    assert popup != window
    assert [one["at"] for one in probe.of("press")] == [[110, 187]]


@pytest.mark.parametrize("action", [Type(text="abc"), Press(key="a"), Hotkey(keys=("ctrl", "a"))])
async def test_no_key_goes_down_where_another_window_has_taken_the_keyboard(
    screen: Screen, action: Type | Press | Hotkey
) -> None:
    one, first = await _shown(screen)
    other = await screen.show("two", at=(600, 400))

    with pytest.raises(Elsewhere):
        await screen.desktop.perform(action, into=first)

    assert one.of("down") == []
    assert other.of("down") == []


async def test_keys_break_off_when_another_application_takes_the_keyboard(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first = await _shown(screen)
    monkeypatch.setenv("XAUTHORITY", screen.desktop.authority)
    with _connected(screen.desktop) as (one, other):
        into = Into(Windows(one), Presses(other), lambda: None, first)

        into.expect_keyboard()
        into.expect_no_other()
        await screen.show("two", at=(600, 400))  # of the same application
        into.expect_no_other()
        await screen.desktop.launch([sys.executable, str(HINT), "DIALOG", "700", "100", "200", "80"])
        await screen.until(lambda frame: frame.window is not None and frame.window.title == "DIALOG")
        with pytest.raises(ActionFailed):
            into.expect_no_other()


async def test_keys_break_off_when_somebody_else_clicks_or_types(
    both: tuple[Desktop, Desktop], virtual: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe, person = await Screen(virtual, tmp_path).show(), both[1]
    frame = await virtual.capture()
    assert frame.window is not None
    monkeypatch.setenv("XAUTHORITY", virtual.authority)
    with _connected(virtual) as (one, other):
        into = Into(Windows(one), Presses(other), lambda: None, frame.window.id, 0)
        into.expect_keyboard()
        into.expect_no_other()

        await person.perform(Click(x=222, y=187))

        with pytest.raises(ActionFailed):
            into.expect_no_other()
    with pytest.raises(Elsewhere):
        await virtual.perform(Type(text="abc"), into=frame.window.id, presses=frame.presses)
    assert probe.of("down") == []


async def test_only_what_others_press_is_counted(
    both: tuple[Desktop, Desktop], virtual: Desktop, tmp_path: Path
) -> None:
    await Screen(virtual, tmp_path).show()
    person = both[1]
    before = (await virtual.capture()).presses
    assert before is not None

    for action in (
        Click(x=222, y=187, clicks=2),
        Click(x=222, y=187, hold=("shift",)),
        Drag(x=222, y=187, to_x=260, to_y=200, duration_s=0.05),
        Scroll(x=222, y=187, dy=3, dx=-2),
        Type(text="Aß\u4e2d!"),
        Hotkey(keys=("ctrl", "shift", "a")),
        Press(key="a", presses=3),
    ):
        await virtual.perform(action)
    ours = (await virtual.capture()).presses
    await person.perform(Click(x=222, y=187))
    await person.perform(Press(key="b"))
    await virtual.perform(Press(key="c"))
    theirs = (await virtual.capture()).presses

    assert ours == before
    assert theirs == before + 2
