"""What PyAutoGUI, X and real applications trip over, each met once."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import numpy as np
import pytest
from Xlib import display as xdisplay

from actionlens.actions import Click, Drag, Move, Paste, Scroll, Type
from actionlens.desk import Desktop, open_local
from actionlens.errors import ActionFailed, DesktopUnusable, Sent
from actionlens.recorder import ActionLens
from actionlens.records import Request
from actionlens.settle import Patience
from ibtr.geometry import Point, Size
from tests.actionlens.test_kill import held
from tests.conftest import Screen, on

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

MOVING = Path(__file__).parents[1] / "desktop" / "moving.py"


@pytest.fixture(scope="module")
def open_door() -> Iterator[str]:
    """A display that asks for no cookie."""
    read, write = os.pipe()
    argv = ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(argv, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


async def test_without_a_display_the_fix_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)

    with pytest.raises(DesktopUnusable, match="DISPLAY"):
        await open_local()


async def test_a_display_that_does_not_answer_is_named() -> None:
    with pytest.raises(DesktopUnusable, match=":987"):
        await open_local(":987")


async def test_a_wayland_session_is_told_from_x(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")

    with pytest.raises(DesktopUnusable, match="X11"):
        await open_local()


@pytest.mark.parametrize("cookies", ["none", "empty"])
async def test_no_authority_file_and_an_empty_one_neither_print_nor_stop_us(
    open_door: str, tmp_path: Path, cookies: str, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "Xauthority"
    if cookies == "empty":
        file.touch()

    desktop = await open_local(open_door, str(file))
    await desktop.perform(Move(x=10, y=20))
    frame = await desktop.capture()
    await desktop.close()

    assert (frame.image, frame.pointer) == (Size(800, 600), Point(10, 20))
    assert capfd.readouterr() == ("", "")


async def test_a_python_without_tkinter_drives_all_the_same(
    open_door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tkinter.py").write_text('raise ImportError("no tkinter here")')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    desktop = await open_local(open_door)
    await desktop.perform(Move(x=10, y=20))
    frame = await desktop.capture()
    await desktop.close()

    assert frame.pointer == Point(10, 20)


async def test_a_pointer_in_the_corner_does_not_stop_the_next_click(screen: Screen, virtual: Desktop) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Move(x=0, y=0))
    await screen.desktop.perform(Click(x=222, y=187))
    await screen.desktop.perform(Move(x=1279, y=799))
    await virtual.resize(Size(800, 600))  # clamps the pointer into the corner
    await screen.desktop.perform(Click(x=223, y=188))

    await probe.until(lambda events: sum(one["event"] == "release" for one in events) == 2)
    assert [one["at"] for one in probe.of("press")] == [[222, 187], [223, 188]]


async def test_keys_do_not_repeat_on_a_virtual_desktop(
    virtual: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XAUTHORITY", virtual.authority)
    display = xdisplay.Display(virtual.display)

    assert display.get_keyboard_control().global_auto_repeat == 0
    display.close()


async def test_a_new_window_has_the_keyboard_and_a_click_gives_it_to_another(screen: Screen) -> None:
    first = await screen.show("first", at=(50, 60))
    second = await screen.show("second", at=(600, 400))

    await screen.desktop.perform(Type(text="b"))
    await screen.desktop.perform(Click(x=150, y=200))
    await first.until(lambda events: events[-1]["event"] == "release")
    await screen.desktop.perform(Type(text="a"))

    await first.until(lambda events: events[-1]["event"] == "up")
    assert [one["char"] for one in first.of("down")] == ["a"]
    assert [one["char"] for one in second.of("down")] == ["b"]


async def test_a_click_is_over_when_the_window_manager_has_passed_it_on(
    virtual: Desktop, tmp_path: Path
) -> None:
    probe = await Screen(virtual, tmp_path).show()
    manager = manager_of(virtual)
    os.kill(manager, signal.SIGSTOP)  # X holds the pointer from the press on until it has decided, but no key

    async with anyio.create_task_group() as tasks:

        async def click_and_type() -> None:
            await virtual.perform(Click(x=150, y=180, clicks=2))
            await virtual.perform(Type(text="a"))

        tasks.start_soon(click_and_type)
        await a_button_is_down(virtual)
        os.kill(manager, signal.SIGCONT)
    await virtual.perform(Scroll(x=350, y=220, dy=1, dx=0))
    await virtual.perform(Drag(x=160, y=190, to_x=260, to_y=210))

    await probe.until(lambda events: sum(one["event"] == "release" for one in events) == 4)
    told = [one.get("key") or one["at"] for one in probe.of("down", "press")]
    assert told == [[150, 180], [150, 180], "a", [350, 220], [160, 190]]
    assert probe.of("release")[-1]["at"] == [260, 210]


async def test_a_click_that_is_held_back_is_an_error_and_so_is_a_pointer_that_does_not_follow(
    virtual: Desktop, tmp_path: Path
) -> None:
    probe = await Screen(virtual, tmp_path).show()
    manager = manager_of(virtual)
    os.kill(manager, signal.SIGSTOP)

    try:
        with pytest.raises(ActionFailed, match="no window has got all of it") as held_back:
            await virtual.perform(Click(x=150, y=180))
        with pytest.raises(ActionFailed, match="at 150,180 and does not go to 250,200") as stuck:
            await virtual.perform(Click(x=250, y=200))
    finally:
        os.kill(manager, signal.SIGCONT)
    assert (held_back.value.sent, stuck.value.sent) == (Sent.SOME, Sent.NOTHING)

    await virtual.perform(Click(x=350, y=220))
    await probe.until(lambda events: sum(one["event"] == "release" for one in events) == 2)
    assert [one["at"] for one in probe.of("press")] == [[150, 180], [350, 220]]


async def a_button_is_down(desktop: Desktop) -> None:
    with anyio.fail_after(20):
        while not held(desktop)[1] & 0x1F00:
            await anyio.sleep(0.01)


def manager_of(desktop: Desktop) -> int:
    ours = f"DISPLAY={desktop.display}".encode()
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):  # processes come and go
            if comm.read_text() == "openbox\n" and ours in comm.with_name("environ").read_bytes().split(
                b"\0"
            ):
                return int(comm.parent.name)
    raise LookupError("no window manager")


# -- screens that are never still, or still too early --------------------------------------------


async def settle(virtual: Desktop, how: str, tmp_path: Path) -> ActionLens:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", patience=Patience(cap_s=0.8))
    await virtual.launch([sys.executable, str(MOVING), how])
    await Screen(virtual, tmp_path).until(lambda frame: any(one.title == how for one in frame.windows))
    return lens


async def test_a_screen_that_never_rests_is_left_at_the_cap(virtual: Desktop, tmp_path: Path) -> None:
    lens = await settle(virtual, "all", tmp_path)

    done = await lens.act(Request(action=Move(x=5, y=5)))
    await lens.close()

    assert done.settled is not None
    assert not done.settled.still
    assert done.settled.waited_s >= done.settled.cap_s == 0.8


async def test_a_small_animation_does_not_hold_us_up_and_is_named(virtual: Desktop, tmp_path: Path) -> None:
    lens = await settle(virtual, "corner", tmp_path)

    done = await lens.act(Request(action=Move(x=5, y=5)))
    await lens.close()

    assert done.settled is not None
    assert done.settled.still
    assert all(box.width <= 20 and box.height <= 20 for box in done.settled.ignored)


async def test_a_window_that_paints_late_is_in_the_evidence_of_the_next_step(
    virtual: Desktop, tmp_path: Path
) -> None:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test")
    await settle(virtual, "late", tmp_path)

    early = await lens.act(Request(action=Move(x=5, y=5)))
    await Screen(virtual, tmp_path).until(lambda frame: painted(frame.pixels[350, 450]))
    late = await lens.act(Request(action=Move(x=6, y=6)))
    await lens.close()

    assert early.settled is not None
    assert early.settled.still  # stillness is not readiness: a target is waited for by its own pixels
    assert painted(late.before.pixels[350, 450])


def painted(pixel: "np.ndarray[tuple[int], np.dtype[np.uint8]]") -> bool:
    return bool((pixel == (0xA0, 0x60, 0x20)).all())


# -- the clipboard -------------------------------------------------------------------------------


async def test_a_large_picture_on_the_clipboard_survives_a_paste(
    virtual: Desktop, both: tuple[Desktop, Desktop], tmp_path: Path
) -> None:
    import cv2

    noise = np.random.default_rng(3).integers(0, 255, (500, 700, 3), dtype=np.uint8)
    picture = tmp_path / "large.png"
    assert cv2.imwrite(str(picture), noise)
    await xclip(virtual, "-t", "image/png", "-i", str(picture))
    await Screen(virtual, tmp_path).mousepad()

    for desktop in both:  # the second reads what the first put back, in pieces both ways
        output = await desktop.perform(Paste(text="text"))
        assert output == {"clipboard": "restored"}

    assert picture.stat().st_size > 1_000_000
    assert await xclip(virtual, "-t", "image/png", "-o") == picture.read_bytes()


async def test_the_users_clipboard_outlives_our_visit(virtual: Desktop, tmp_path: Path) -> None:
    await xclip(virtual, "-i", stdin="theirs: Größe €")
    await Screen(virtual, tmp_path).mousepad()
    guest = await open_local(virtual.display, virtual.authority)
    await guest.perform(Paste(text="ours"))

    await guest.close()

    assert (await xclip(virtual, "-o")).decode() == "theirs: Größe €"
    await xclip(virtual, "-i", stdin="somebody copies, and the keeper goes")


async def xclip(desktop: Desktop, *flags: str, stdin: str = "") -> bytes:
    reads = "-o" in flags
    done = await anyio.run_process(
        ["xclip", "-selection", "clipboard", *flags],
        input=stdin.encode(),
        env=on(desktop),
        stdout=subprocess.PIPE if reads else None,
        stderr=None,
    )
    return done.stdout or b""
