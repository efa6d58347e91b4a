"""Keys and text: what arrives is what was meant, on every layout, and nothing stays held."""

import string
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from actionlens.actions import Hotkey, Press, Type
from actionlens.desk import Desktop, open_local
from actionlens.errors import ActionFailed
from tests.conftest import Probe, Screen, on

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

TEXTS = [
    "Größe 12 € <Ä ä> ñ",
    "日本語テキスト и кириллица",
    "😀🎉 e\u0301 \u00a0nbsp",
    "".join(map(chr, range(0x4E00, 0x4E60))),
]
SLOW = Path(__file__).parents[1] / "desktop" / "slow.py"


async def test_every_printable_ascii_character_is_typed_as_itself(screen: Screen) -> None:
    probe = await screen.show()
    text = string.digits + string.ascii_letters + string.punctuation + " \t\n"

    await screen.desktop.perform(Type(text=text))

    await probe.until(lambda events: len(typed(probe)) >= len(text))
    assert typed(probe) == text


async def test_any_unicode_text_is_typed_exactly(screen: Screen) -> None:
    probe = await screen.show()

    for text in TEXTS:
        await screen.desktop.perform(Type(text=text))

    await probe.until(lambda _: len(typed(probe)) >= len("".join(TEXTS)))
    assert typed(probe) == "".join(TEXTS)


async def test_two_drivers_of_one_display_take_turns_and_every_rare_character_is_right(
    virtual: Desktop, both: tuple[Desktop, Desktop], tmp_path: Path
) -> None:
    probe = await Screen(virtual, tmp_path).show()
    texts = ["".join(map(chr, range(0x4E00 + 60 * n, 0x4E00 + 60 * n + 75))) for n in range(4)]

    for n, text in enumerate(texts):
        await both[n % 2].perform(Type(text=text))

    await probe.until(lambda _: len(typed(probe)) >= len("".join(texts)))
    assert typed(probe) == "".join(texts)


async def test_text_is_right_on_another_keyboard_layout(fresh: Desktop, tmp_path: Path) -> None:
    await anyio.run_process(["setxkbmap", "de"], env=on(fresh))
    local = await open_local(fresh.display, fresh.authority)
    probe = await Screen(fresh, tmp_path).show()
    text = "yz/&(){}[]\\@|<>#+-üÜß ~^`"

    await fresh.perform(Type(text=text))
    await local.perform(Type(text=text))

    await probe.until(lambda events: len(typed(probe)) >= 2 * len(text))
    assert typed(probe) == text * 2
    await local.close()


async def test_caps_lock_does_not_turn_the_case_and_stays_on(screen: Screen) -> None:
    probe = await screen.show()
    await screen.desktop.perform(Press(key="capslock"))

    await screen.desktop.perform(Type(text="aBc"))
    await screen.desktop.perform(Press(key="capslock"))
    await screen.desktop.perform(Type(text="dEf"))

    await probe.until(lambda events: len(typed(probe)) >= 6)
    assert typed(probe) == "aBcdEf"


async def test_a_key_that_somebody_holds_stops_typing_before_it_begins(
    screen: Screen, virtual: Desktop
) -> None:
    probe = await screen.show()
    held = await hold_shift(virtual)

    with pytest.raises(ActionFailed, match="shift is held down"):
        await screen.desktop.perform(Type(text="x"))

    held.terminate()
    held.wait()
    assert typed(probe) == ""


async def test_hotkeys_and_presses_let_go_of_every_key(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Hotkey(keys=("ctrl", "shift", "s")))
    await screen.desktop.perform(Press(key="f5", presses=2))

    await probe.until(lambda events: sum(one["event"] == "up" for one in events) == 5)
    downs = [one["key"] for one in probe.of("down")]
    assert downs == ["Control_L", "Shift_L", "S", "F5", "F5"] or downs == [
        "Control_L",
        "Shift_L",
        "s",
        "F5",
        "F5",
    ]
    assert await screen.nothing_is_held()


async def test_a_text_with_more_foreign_characters_than_spare_keys_is_exact(
    virtual: Desktop, tmp_path: Path
) -> None:
    file = tmp_path / "note.txt"
    file.touch()
    await Screen(virtual, tmp_path).mousepad(file)
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 600))) + "Ä ä"

    await virtual.perform(Type(text=text))
    await virtual.perform(Hotkey(keys=("ctrl", "s")))

    with anyio.fail_after(20):
        while not file.read_text():
            await anyio.sleep(0.02)
    assert file.read_text().rstrip("\n") == text


@pytest.mark.parametrize("answers", ["ping", "no ping"])
async def test_a_program_that_is_slow_to_read_gets_every_foreign_character_as_meant(
    fresh: Desktop, tmp_path: Path, answers: str
) -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 120)))
    log = tmp_path / "typed"
    await fresh.launch([sys.executable, str(SLOW), str(log), answers])
    await Screen(fresh, tmp_path).until(
        lambda frame: frame.window is not None and frame.window.title == "slow"
    )

    await fresh.perform(Type(text=text))

    with anyio.fail_after(30):
        while len(log.read_text()) < len(text):
            await anyio.sleep(0.02)
    assert log.read_text() == text


async def test_pressing_a_key_that_no_layout_has_strikes_it_all_the_same(screen: Screen) -> None:
    probe = await screen.show()

    await screen.desktop.perform(Press(key="ß"))

    await probe.until(lambda events: any(one["event"] == "up" for one in events))
    assert [one["char"] for one in probe.of("down")] == ["ß"]


# -- helpers ----


def typed(probe: Probe) -> str:
    names = {"Return": "\n", "Tab": "\t"}
    keys = (one for one in probe.of("down") if not str(one["key"]).startswith(("Shift", "Caps")))
    return "".join(names.get(one["key"], one["char"]) for one in keys)


HOLD = """
import signal
from Xlib import X, XK, display
from Xlib.ext import xtest
screen = display.Display()
code = screen.keysym_to_keycode(XK.XK_Shift_L)
xtest.fake_input(screen, X.KeyPress, code)
screen.sync()
print("held", flush=True)
signal.signal(signal.SIGTERM, lambda *_: None)
signal.pause()
xtest.fake_input(screen, X.KeyRelease, code)
screen.sync()
"""


async def hold_shift(desktop: Desktop) -> subprocess.Popen[bytes]:
    held = subprocess.Popen([sys.executable, "-c", HOLD], env=on(desktop), stdout=subprocess.PIPE)  # noqa: ASYNC220
    assert held.stdout
    await anyio.to_thread.run_sync(held.stdout.readline)
    held.stdout.close()
    return held
