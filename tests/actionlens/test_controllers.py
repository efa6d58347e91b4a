"""The contract that every controller keeps, on real windows."""

import os
import signal
from pathlib import Path

import anyio
import pytest

from actionlens.actions import Action, Click, Drag, Hotkey, Move, Paste, Scroll, Type
from actionlens.desk import Desktop, open_virtual
from actionlens.errors import ActionFailed, OffScreen
from ibtr.geometry import Point, Size
from tests.conftest import SIZE, Screen, on

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


async def test_a_click_of_any_button_arrives_where_it_was_aimed(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Click(x=222, y=187))
    await screen.desktop.perform(Click(x=223, y=188, button="middle"))
    await screen.desktop.perform(Click(x=224, y=189, button="right"))

    await probe.until(lambda events: sum(one["event"] == "release" for one in events) == 3)
    assert [(one["event"], one["button"], one["at"]) for one in probe.of("press", "release")] == [
        (event, number, [221 + number, 186 + number])
        for number in (1, 2, 3)
        for event in ("press", "release")
    ]


async def test_a_double_click_with_a_held_key(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Click(x=222, y=187, clicks=2, hold=("ctrl",)))

    await probe.until(lambda events: sum(one["event"] == "release" for one in events) == 2)
    assert [one["state"] & 4 for one in probe.of("press")] == [4, 4]
    assert await screen.nothing_is_held()


async def test_a_move_presses_nothing(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Move(x=333, y=250))
    frame = await screen.desktop.capture()

    assert frame.pointer == Point(333, 250)
    assert probe.of("press") == []


async def test_a_drag_has_two_ends_and_a_way_between(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Drag(x=150, y=180, to_x=350, to_y=260))

    await probe.until(lambda events: any(one["event"] == "release" for one in events))
    assert [one["at"] for one in probe.of("press")] == [[150, 180]]
    assert [one["at"] for one in probe.of("release")] == [[350, 260]]
    assert len(probe.of("motion")) >= 3


async def test_a_scroll_turns_the_wheel_at_its_place_on_both_axes(screen: Screen) -> None:
    probe = await screen.show()

    for dx, dy in ((0, 3), (0, -2), (2, 0), (-1, 0)):
        await screen.desktop.perform(Scroll(x=200, y=200, dx=dx, dy=dy))

    await probe.until(lambda events: sum(one["event"] == "press" for one in events) == 8)
    assert [one["button"] for one in probe.of("press")] == [5, 5, 5, 4, 4, 7, 7, 6]
    assert {tuple(one["at"]) for one in probe.of("press")} == {(200, 200)}


async def test_a_point_off_the_screen_moves_nothing(screen: Screen) -> None:
    before = (await screen.desktop.capture()).pointer
    outside: list[Action] = [Click(x=SIZE.width, y=5), Move(x=5, y=SIZE.height)]

    for action in [*outside, Drag(x=1, y=1, to_x=-1, to_y=1)]:
        with pytest.raises(OffScreen):
            await screen.desktop.perform(action)

    assert (await screen.desktop.capture()).pointer == before


async def test_the_frame_tells_the_active_window_and_all_others(screen: Screen) -> None:
    await screen.show("first", at=(50, 60))
    await screen.show("second", at=(500, 300))

    frame = await screen.desktop.capture()

    assert frame.window is not None
    assert (frame.window.title, frame.window.application) == ("second", "Probe")
    assert frame.window.pid is not None
    assert (frame.window.box.width, frame.window.box.height) == (400, 200)
    assert {window.title for window in frame.windows} == {"first", "second"}
    assert frame.image == frame.screen == SIZE


async def test_a_resize_of_the_running_screen_is_seen_at_once(screen: Screen, virtual: Desktop) -> None:
    await screen.show()

    for size in (Size(1600, 900), Size(800, 600), Size(1366, 768), Size(3840, 2160)):
        await virtual.resize(size)
        frame = await screen.desktop.capture()

        assert frame.image == frame.screen == size
        await screen.desktop.perform(Move(x=size.width - 1, y=size.height - 1))
        assert (await screen.desktop.capture()).pointer == Point(size.width - 1, size.height - 1)


async def test_what_is_drawn_is_in_the_next_frame_and_the_pixels_cannot_be_written(screen: Screen) -> None:
    empty = await screen.desktop.capture()
    await screen.show()

    full = await screen.desktop.capture()

    assert (full.pixels[220, 300] == (0xE0, 0xE8, 0xE8)).all()
    assert not (empty.pixels[220, 300] == (0xE0, 0xE8, 0xE8)).all()
    with pytest.raises(ValueError, match="read-only"):
        full.pixels[0, 0] = 0


async def test_mousepad_gets_typed_and_pasted_text_exactly_and_the_clipboard_is_put_back(
    screen: Screen, virtual: Desktop, tmp_path: Path
) -> None:
    file = tmp_path / "note.txt"
    file.touch()
    await screen.mousepad(file)
    await clip(virtual, "what was there before")
    typed_text, pasted = "Größe 12 € <Ä> 日本語 😀\n", "first line\n\tund „zweite“ Zeile " + "x" * 5000

    await screen.desktop.perform(Type(text=typed_text))
    await screen.desktop.perform(Paste(text=pasted))
    await screen.desktop.perform(Hotkey(keys=("ctrl", "s")))

    with anyio.fail_after(20):
        while file.read_text() != typed_text + pasted:
            await anyio.sleep(0.02)
    assert await clipped(virtual) == "what was there before"


async def test_keys_are_known_to_be_read_once_the_program_has_them(screen: Screen) -> None:
    program = (await screen.mousepad()).window
    assert program is not None
    assert program.pid is not None

    os.kill(program.pid, signal.SIGSTOP)
    try:
        await screen.desktop.perform(Type(text="read me"))
        unread = not await screen.desktop.caught_up()
    finally:
        os.kill(program.pid, signal.SIGCONT)
    await screen.desktop.perform(Type(text=" now"))

    assert unread
    assert await screen.desktop.caught_up()


async def test_a_paste_that_nobody_takes_is_an_error_and_the_clipboard_is_put_back(
    screen: Screen, virtual: Desktop
) -> None:
    await screen.show()
    await clip(virtual, "before")

    with pytest.raises(ActionFailed, match="nothing took the text"):
        await screen.desktop.perform(Paste(text="lost"))

    assert await clipped(virtual) == "before"


async def test_what_somebody_copies_during_a_paste_stays_in_the_clipboard(
    screen: Screen, virtual: Desktop
) -> None:
    await screen.show()
    await clip(virtual, "before")

    async with anyio.create_task_group() as both_at_once:
        both_at_once.start_soon(_paste_in_vain, screen.desktop)
        with anyio.fail_after(10):  # the forms are asked for, not the text: that would be taking it
            while "text/plain;charset=utf-8" not in await clipped(virtual, "TARGETS"):
                await anyio.sleep(0.01)
        await clip(virtual, "copied meanwhile")

    assert await clipped(virtual) == "copied meanwhile"


async def test_a_launched_program_does_not_get_our_environment(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "environment"

    await screen.desktop.launch(["sh", "-c", f"env > {told}.part; mv {told}.part {told}"], env={"EXTRA": "1"})

    with anyio.fail_after(10):
        while not told.exists():
            await anyio.sleep(0.01)
    names = {line.partition("=")[0] for line in told.read_text().splitlines()}
    assert {"DISPLAY", "EXTRA", "PATH"} <= names
    assert not {name for name in names if "PYTHON" in name or "KEY" in name or "TOKEN" in name}
    assert names < set(os.environ) | {"DISPLAY", "XAUTHORITY", "EXTRA", "DBUS_SESSION_BUS_ADDRESS", "_"} | {
        "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE",
        "SHLVL",
        "OLDPWD",
    }


async def test_a_program_that_does_not_exist_is_named(screen: Screen) -> None:
    with pytest.raises(ActionFailed, match="no-such-program"):
        await screen.desktop.launch(["no-such-program"])


async def test_several_desktops_do_not_see_each_other(virtual: Desktop, tmp_path: Path) -> None:
    other = await open_virtual(Size(1024, 768))
    one, two = Screen(virtual, tmp_path / "a"), Screen(other, tmp_path / "b")
    for each in (one, two):
        each.folder.mkdir()
    here, there = await one.show("here"), await two.show("there")

    await other.perform(Click(x=200, y=200))

    await there.until(lambda events: any(event["event"] == "release" for event in events))
    assert here.of("press") == []
    assert virtual.display != other.display
    await other.close()


# -- helpers -------------------------------------------------------------------------------------


async def _paste_in_vain(desktop: Desktop) -> None:
    with pytest.raises(ActionFailed, match="nothing took the text"):
        await desktop.perform(Paste(text="lost"))


async def clip(desktop: Desktop, text: str) -> None:
    await anyio.run_process(
        ["xclip", "-selection", "clipboard", "-i"],
        input=text.encode(),
        env=on(desktop),
        stdout=None,
        stderr=None,
    )
    with anyio.fail_after(10):  # xclip leaves a child behind that owns the clipboard a little later
        while await clipped(desktop) != text:
            await anyio.sleep(0.01)


async def clipped(desktop: Desktop, form: str = "UTF8_STRING") -> str:
    done = await anyio.run_process(["xclip", "-selection", "clipboard", "-o", "-t", form], env=on(desktop))
    return done.stdout.decode()
