"""Which window a program has opened: a new one, or an old one that took it over."""

import pytest

from actionlens.observation import Window
from ibtr.geometry import Box
from server.opening import has_come

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
