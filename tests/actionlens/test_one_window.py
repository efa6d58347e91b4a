"""A text goes into one window: broken off when a dialog of the same program has the keyboard, or had it."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from actionlens.actions import Press, Type
from actionlens.errors import ActionFailed, Sent
from tests.conftest import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
DIALOG = Path(__file__).parent.parent / "desktop" / "dialog.py"
TEXT = "word " * 400


class Typed:
    """What reached the program."""

    def __init__(self, log: Path) -> None:
        self._log = log

    @property
    def keys(self) -> list[dict[str, Any]]:
        return [one for one in self._events if one["event"] == "key"]

    @property
    def _events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()] if self._log.exists() else []

    async def until(self, event: str, times: int = 1) -> None:
        with anyio.fail_after(20):
            while sum(one["event"] == event for one in self._events) < times:
                await anyio.sleep(0.01)


async def _shown(screen: Screen, after: int, *how: str) -> tuple[Typed, int]:
    log = screen.folder / "dialog.jsonl"
    await screen.desktop.launch([sys.executable, str(DIALOG), str(log), str(after), *how])
    await Typed(log).until("focus")
    frame = await screen.until(lambda frame: frame.window is not None and frame.window.title == "Text")
    assert frame.window is not None
    return Typed(log), frame.window.id


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("how", [(), ("goes",)])
async def test_a_text_is_broken_off_when_a_dialog_of_the_same_program_takes_the_keyboard(
    screen: Screen, how: tuple[str, ...], *, named: bool
) -> None:
    typed, window = await _shown(screen, 40, *how)

    with pytest.raises(ActionFailed) as told:
        await screen.desktop.perform(Type(text=TEXT), into=window if named else None)
    sent = int(str(told.value).rpartition("(")[2].split()[0])
    await typed.until("key", sent)

    assert 40 <= sent < len(TEXT)
    assert len(typed.keys) == sent
    assert f"{sent} of {len(TEXT)} characters were sent" in str(told.value)


async def test_no_space_is_sent_once_a_dialog_is_there_that_it_could_press(screen: Screen) -> None:
    """Whether or not the window manager has given it the keyboard by then."""
    typed, window = await _shown(screen, 43)

    with pytest.raises(ActionFailed):
        await screen.desktop.perform(Type(text="abcd" * 11 + " " + "abcd" * 400), into=window)
    await typed.until("key", 43)

    assert " " not in [one["char"] for one in typed.keys]


async def test_what_broke_a_secret_off_does_not_tell_its_length(screen: Screen) -> None:
    _, window = await _shown(screen, 5)

    with pytest.raises(ActionFailed) as told:
        await screen.desktop.perform(Type(text_ref="env:PIN"), secret="abcdefgh" * 200, into=window)

    assert "characters" not in str(told.value)
    assert told.value.sent is Sent.SOME


async def test_keys_that_lead_into_another_window_of_the_program_go_on(screen: Screen) -> None:
    typed, window = await _shown(screen, 1)

    await screen.desktop.perform(Press(key="a", presses=60), into=window)

    await typed.until("key", 60)
