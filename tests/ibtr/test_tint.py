"""A highlight whose edge runs through the target: taken back, and then judged like any other picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from ibtr.tint import tint
from tests.ibtr.screens import button, desktop, middle, window


def lit(screen: Pixels, box: Box, towards: int, share: float) -> Pixels:
    """The same screen with a rectangle blended towards a level."""
    out = screen.copy()
    part = out[box.y : box.bottom, box.x : box.right].astype(np.float32)
    out[box.y : box.bottom, box.x : box.right] = np.round(part * (1 - share) + towards * share)
    return out


@pytest.mark.parametrize(("towards", "share"), [(255, 0.25), (0, 0.2), (128, 0.3)])
def test_a_target_that_half_lit_up_is_found(towards: int, share: float) -> None:
    screen = desktop()
    box = window(screen)["Options"]
    evidence = remember(screen, middle(box))
    half = Box(box.x - 6, box.y - 6, 34, box.height + 12)

    aim = reaim(evidence, lit(screen, half, towards, share))

    assert aim.point == pytest.approx(middle(box), abs=1)


def test_another_word_that_lit_up_is_refused() -> None:
    screen = desktop()
    box = window(screen)["Options"]
    evidence = remember(screen, middle(box))
    button(screen, box, "Optimus")

    with pytest.raises(Rejected):
        reaim(evidence, lit(screen, Box(box.x - 6, box.y - 6, 34, box.height + 12), 255, 0.25))


@given(share=st.floats(0.05, 0.3), towards=st.sampled_from([0, 255]), seed=st.integers(0, 99))
def test_a_highlight_is_found_and_taken_back(share: float, towards: int, seed: int) -> None:
    known = np.random.default_rng(seed).integers(70, 186, (60, 90, 3)).astype(np.uint8)
    box = Box(20, 15, 40, 30)

    found = tint(known, seen := lit(known, box, towards, share))

    assert found is None or abs(found.taken_back(seen, found.box).astype(int) - known).max() <= 3
    assert found is not None or share < 0.1  # a breath of it is no difference


@pytest.mark.parametrize("left", [0.0, 0.5], ids=["painted out", "faded as if disabled"])
def test_what_fades_is_no_highlight(left: float) -> None:
    known = np.random.default_rng(1).integers(0, 255, (60, 90, 3)).astype(np.uint8)

    assert tint(known, lit(known, Box(20, 15, 40, 30), 128, 1 - left)) is None


def test_a_plain_patch_of_another_colour_is_no_highlight() -> None:
    known = np.full((60, 90, 3), 240, np.uint8)
    known[15:45, 20:60] = (122, 150, 236)

    assert tint(known, np.full_like(known, 240)) is None


def test_the_same_picture_has_none() -> None:
    known = np.full((40, 40, 3), 200, np.uint8)

    assert tint(known, known) is None
