"""What became of the levels of a picture, quickly and plainly: the same."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr.pixels import Pixels
from ibtr.tone import BUCKET, EVERY, FEW, Tone, middle_level


def plainly(known: Pixels, seen: Pixels) -> Pixels:
    """By the median of what each few neighbouring levels became."""
    shades = known // BUCKET
    there = [n for n in range(256 // BUCKET) if int((shades == n).sum()) >= FEW]
    if not there:
        return EVERY
    middles = np.maximum.accumulate([float(np.median(seen[shades == n])) for n in there])
    at = np.array(there) * BUCKET + (BUCKET - 1) / 2
    return np.interp(np.arange(256), at, middles).round().astype(np.uint8)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 60), st.floats(0.5, 2.0), st.floats(8.0, 20.0), st.integers(0, 2**32 - 1))
def test_levels_are_those_of_the_plain_way(side: int, power: float, noise: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.integers(0, 256, (side, side)).astype(np.uint8)
    changed = 255 * (known / 255) ** power + rng.normal(0, noise, known.shape)
    seen = np.clip(255 - changed, 0, 255).astype(np.uint8)

    assert np.array_equal(Tone.of(known, seen).levels, plainly(known, seen))


def test_the_same_pixels_have_the_same_levels() -> None:
    known = np.random.default_rng(1).integers(0, 256, (40, 60)).astype(np.uint8)
    other = known.copy()
    other[20, 30] ^= 1

    assert Tone.of(known, known) == (EVERY, 0.0, 0.0)
    assert 0 < Tone.of(known, other).off < 0.01


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=60))
def test_the_middle_of_some_levels_is_their_median(levels: list[int]) -> None:
    assert middle_level(np.array(levels, np.uint8)) == float(np.median(levels))
