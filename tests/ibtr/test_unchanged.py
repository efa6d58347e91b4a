"""Are the words around a target still there with their pixels?"""

from __future__ import annotations

import numpy as np
import pytest

from ibtr import remember
from ibtr.pixels import correlate, cut
from ibtr.unchanged import KNOWN, familiar, longest_words
from ibtr.view import View
from tests.ibtr.screens import desktop, middle, window


@pytest.mark.parametrize("shift", [(0, 0), (37, 12), (-60, 90)], ids=["there", "moved", "moved back"])
def test_words_that_were_moved_are_still_there(shift: tuple[int, int]) -> None:
    screen = desktop()
    anchor = remember(screen, middle(window(screen)["Open"])).crop

    assert familiar(anchor, View(np.roll(screen, shift, axis=(1, 0))), 1.0)


def test_words_that_are_gone_are_not_there() -> None:
    screen = desktop()
    anchor = remember(screen, middle(window(screen)["Open"])).crop

    assert not familiar(anchor, View(np.full_like(screen, 230)), 0.1)


@pytest.mark.parametrize("enough", [0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
@pytest.mark.parametrize("left", [0, 150, 250, 400])
def test_as_many_are_there_as_a_search_of_the_whole_screen_finds(left: int, enough: float) -> None:
    screen = desktop()
    anchor = remember(screen, middle(window(screen)["Open"])).crop
    screen[:, left:300] = 230
    view = View(np.roll(screen, (40, 25), axis=(1, 0)))

    words = longest_words(anchor)
    there = [float(correlate(view.gray, cut(anchor.gray, word)).max()) >= KNOWN for word in words]

    assert familiar(anchor, view, enough) == (sum(there) >= enough * len(words))
