"""Which window a program has opened: a new one, or an old one that took it over."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

import numpy as np
import pytest

from actionlens.controller import Controller, Frame
from actionlens.observation import Window
from ibtr.geometry import Box, Point, Size
from server.opening import has_come, is_painted, usable

BEFORE = {1: "tick 7", 2: "notes.txt - Editor"}
ARGV = ("/usr/bin/editor", "--tab", "/home/me/list.txt")


def _window(number: int, title: str, application: str = "Editor") -> Window:
    return Window(id=number, title=title, application=application, box=Box(0, 0, 9, 9))


@pytest.mark.parametrize(
    ("window", "handed_over", "opened"),
    [
        (_window(3, "anything"), False, True),
        (_window(1, "tick 8", "Clock"), False, False),
        (_window(1, "tick 8", "Clock"), True, False),
        (_window(2, "notes.txt - Editor"), True, False),
        (_window(2, "*notes.txt - Editor"), False, False),
        (_window(2, "*notes.txt - Editor"), True, True),
        (_window(2, "list.txt - Editor"), False, True),
        (_window(2, "Welcome", "editor-bin"), True, True),
        (_window(2, "Welcome", ""), True, False),
    ],
)
def test_a_title_that_merely_changes_is_no_window_that_was_opened(
    window: Window, handed_over: bool, opened: bool
) -> None:
    assert has_come(window, BEFORE, ARGV, handed_over=handed_over) is opened


def _frame(title: str, *, painted: bool) -> Frame:
    pixels = np.full((60, 80, 3), 200, np.uint8)
    pixels[0:9, :] = 10  # a panel, outside of the window
    if painted:
        pixels[30:34, 30:50] = 0
    window = Window(id=7, title=title, application="Editor", box=Box(20, 20, 40, 30), pid=9)
    return Frame(pixels, datetime.now(UTC), Size(80, 60), Point(0, 0), None, window, (window,))


@dataclass
class _Eye:
    """Shows one frame after the other, and then the last for good."""

    frames: list[Frame]
    looks: list[str] = field(default_factory=list)

    async def capture(self) -> Frame:
        frame = self.frames.pop(0) if len(self.frames) > 1 else self.frames[0]
        self.looks.append(frame.window.title if frame.window else "")
        return frame


@pytest.mark.parametrize(
    ("title", "painted", "ready"),
    [("", False, False), ("a", False, False), ("", True, False), ("a", True, True)],
)
def test_a_window_without_title_or_content_is_not_ready(title: str, painted: bool, ready: bool) -> None:
    frame = _frame(title, painted=painted)
    assert frame.window is not None

    assert is_painted(frame.window, frame) is ready


@pytest.mark.anyio
async def test_a_window_is_open_once_it_is_painted_and_is_told_as_it_is_then() -> None:
    empty, named, whole = _frame("", painted=False), _frame("a", painted=False), _frame("b", painted=True)
    eye = _Eye([empty, empty, named, named, whole])
    assert empty.window is not None

    window = await usable(cast("Controller", eye), empty.window, longest_s=600)

    assert window.title == "b"
    assert eye.looks[:5] == ["", "", "a", "a", "b"]


@pytest.mark.anyio
async def test_a_window_that_never_gets_a_title_is_opened_all_the_same() -> None:
    empty = _frame("", painted=False)
    assert empty.window is not None

    assert await usable(cast("Controller", _Eye([empty])), empty.window, longest_s=0) == empty.window
