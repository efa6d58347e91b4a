"""A field that is written into is known by its place and label, not by what stands in it."""

import pytest

from actionlens.actions import Action, Click, Hotkey, Press, Type
from memory_store.consolidation.filling import is_filled, was_filled

CLICK, TEXT = Click(x=1, y=1), Type(text="Initech")


@pytest.mark.parametrize(
    ("after", "filled"),
    [
        ([TEXT], True),
        ([Hotkey(keys=("ctrl", "a")), TEXT], True),
        ([Press(key="end"), Press(key="backspace", presses=9), TEXT], True),
        ([CLICK, TEXT], False),
        ([Press(key="enter"), TEXT], False),
        ([Hotkey(keys=("ctrl", "f")), TEXT], False),
        ([], False),
    ],
    ids=["text", "all of it anew", "its end", "another click", "opened first", "a search", "nothing"],
)
def test_text_that_follows_says_that_a_field_was_clicked(after: list[Action], filled: bool) -> None:
    assert is_filled([CLICK, *after], 0) is filled


def test_a_dialog_that_was_written_into_is_a_form() -> None:
    assert was_filled([CLICK, TEXT, Press(key="tab"), CLICK], 3)
    assert not was_filled([TEXT, CLICK, CLICK], 2)
    assert not was_filled([CLICK], 0)
