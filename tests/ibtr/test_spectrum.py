"""The quick correlations are the plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.compare import likeness
from ibtr.geometry import Box, Point, Size
from ibtr.parts import median
from ibtr.peaks import Wanted, peaks
from ibtr.pixels import (
    Floats,
    Pixels,
    correlate,
    correlation,
    cut,
    moved,
    moved_past_the_edge,
    softened,
    structure,
    to_gray,
)
from ibtr.places import TARGETS
from ibtr.search import Candidate, closest, coarse
from ibtr.slides import slides
from ibtr.spectrum import Searched
from ibtr.sums import deviations, integrals
from ibtr.view import View
from ibtr.windows import correlate_each, correlate_large
from ibtr.work import Scaling, Work
from tests.ibtr.screens import desktop, middle, window


def _gray(seed: int = 3) -> Pixels:
    screen = desktop(seed=seed)
    window(screen)
    return to_gray(screen)


@pytest.mark.parametrize("size", [Size(12, 7), Size(40, 30), Size(201, 97)])
def test_a_crop_scores_as_in_the_plain_search(size: Size) -> None:
    gray = _gray()
    crop = cut(gray, Box(142, 130, *size)).copy()

    quick, plain = Searched(gray).correlate(crop), correlate(gray, crop)

    lively = deviations(*integrals(gray), size, 0.0) > 2 * crop.size**0.5
    assert quick.shape == plain.shape
    assert float(np.abs(quick - plain)[lively].max()) < 0.01
    assert divmod(int(quick.argmax()), quick.shape[1]) == (130, 142)


def test_fine_structure_scores_as_in_the_plain_search() -> None:
    picture = structure(softened(_gray(), 2))
    crop = picture[120:150, 150:210].copy()

    apart = np.abs(Searched(picture).correlate(crop) - correlate(picture, crop))

    assert float(apart.max()) < 0.01


def test_a_plain_place_is_like_nothing() -> None:
    gray = np.full((80, 120), 200, np.uint8)
    gray[30:50, 30:70] = np.arange(40, dtype=np.uint8)[None] * 6

    scores = Searched(gray).correlate(gray[30:50, 30:50].copy())

    assert float(np.abs(scores[55:, 90:]).max()) < 0.01


def test_a_crop_larger_than_thirty_thousand_pixels_does_not_overflow() -> None:
    gray = np.full((400, 500), 250, np.uint8)
    gray[::7, ::5] = 3
    crop = gray[50:350, 60:460].copy()

    scores = Searched(gray).correlate(crop)

    assert float(np.abs(scores - correlate(gray, crop)).max()) < 0.01


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 99), wide=st.integers(8, 60), high=st.integers(6, 40), pad=st.integers(1, 5))
def test_windows_searched_together_score_as_each_alone(seed: int, wide: int, high: int, pad: int) -> None:
    rng = np.random.default_rng(seed)
    gray = _gray(seed)
    crop = cut(gray, Box(134, 118, wide, high)).copy()
    corners = [(int(rng.integers(0, 900 - wide)), int(rng.integers(0, 480 - high))) for _ in range(5)]
    windows = [gray[y : y + high + 2 * pad, x : x + wide + 2 * pad] for x, y in [*corners, (132, 117)]]

    together = correlate_each(windows, crop)

    for window_, scores in zip(windows, together, strict=True):
        lively = np.abs(correlate(window_, crop) - scores)[scores != 0]
        assert float(np.abs(scores).max()) <= 1.001
        if float(window_.std()) > 2:
            assert float(lively.max(initial=0.0)) < 0.05


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 99), wide=st.integers(8, 300), high=st.integers(6, 200), pad=st.integers(1, 4))
def test_a_large_crop_scores_in_its_window_as_in_the_plain_search(
    seed: int, wide: int, high: int, pad: int
) -> None:
    gray = _gray(seed)
    crop, seen = cut(gray, Box(134, 118, wide, high)).copy(), cut(gray, Box(132, 117, wide, high).grow(pad))

    apart = np.abs(correlate_large(seen, crop) - correlate(seen, crop))

    assert float(apart.max()) < 0.001


def test_a_plain_window_is_like_no_large_crop() -> None:
    gray = _gray()
    plain = np.full((124, 204), 200, np.uint8)

    scores = correlate_large(plain, cut(gray, Box(134, 118, 200, 120)))

    assert float(np.abs(scores).max()) < 1e-6


def _plainly(known: Pixels, seen: Pixels) -> float:
    a, b = (part.astype(np.float64) - part.mean() for part in (known, seen))
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 1e-6 else 0.0


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 99), wide=st.integers(1, 300), high=st.integers(1, 200), flat=st.booleans())
def test_a_correlation_of_bytes_is_the_plain_one(seed: int, wide: int, high: int, *, flat: bool) -> None:
    rng = np.random.default_rng(seed)
    gray = np.full((202, 302), 255, np.uint8) if flat else rng.integers(0, 256, (202, 302), np.uint8)
    known, seen = gray[:high, :wide], gray[2 : high + 2, 1 : wide + 1]
    kept: Floats = (rng.random((high, wide)) > 0.5).astype(np.float32)

    assert correlation(known, seen) == pytest.approx(_plainly(known, seen), abs=1e-6)
    free = kept > 0
    expected = _plainly(known[free], seen[free]) if free.any() else 0.0
    assert correlation(known, seen, kept) == pytest.approx(expected, abs=1e-6)


def test_a_picture_is_as_much_like_itself_as_one_that_differs_elsewhere() -> None:
    known = _gray()
    seen = known.copy()
    seen[0, 0] ^= 255

    itself, other = likeness(known, known), likeness(known, seen)

    for quick, plain in zip(itself, other, strict=True):
        counted = (other.weight > 0)[20:, 20:]
        assert np.abs(quick - plain)[20:, 20:][counted].max() < 1e-4
    assert np.array_equal(itself.weight[20:, 20:], other.weight[20:, 20:])


@given(values=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=40))
def test_a_median_is_the_usual_one(values: list[float]) -> None:
    some: Floats = np.array(values, np.float32)

    assert median(some) == pytest.approx(float(np.median(some)), abs=1e-7)


def test_places_that_may_show_the_same_pixels_are_all_wanted() -> None:
    scores: Floats = np.zeros((40, 200), np.float32)
    scores[20, 5:195:10] = np.linspace(0.95, 0.6, 19, dtype=np.float32)
    wanted = Wanted(least=0.3, reach=0.05, most=4, crowd=50)
    asked: list[float] = []

    def certain(enough: float) -> float:
        asked.append(enough)
        return 0.75

    assert len(peaks(scores, wanted, certain)) == int((scores >= 0.75).sum())
    assert asked == [pytest.approx(np.sort(scores.ravel())[-4])]
    assert len(peaks(scores, wanted, lambda _: 0.94)) == 3
    assert len(peaks(scores, wanted)) == 3


def test_places_looked_at_together_are_found_as_each_alone() -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes["Print"])).crop, View(screen), Scaling(1.0, 1.0))
    rough = coarse(work, work.anchor.target, TARGETS)
    box = work.box(work.anchor.target)

    together = closest(work, rough, box, 3)

    assert len(together) > 2
    for one, alone in zip(together, [closest(work, [c], box, 3)[0] for c in rough], strict=True):
        assert one.score == pytest.approx(alone.score, abs=1e-3)
        assert one.point == pytest.approx(alone.point, abs=0.05)


@pytest.mark.parametrize("many", [1, 6])
@pytest.mark.parametrize("off", [(4.6, 0.2), (-5.4, 3.0), (0.0, 5.2)], ids=str)
def test_a_place_just_beyond_the_window_it_is_sought_in_is_found(many: int, off: tuple[float, float]) -> None:
    screen = desktop()
    click = middle(window(screen)["Print"])
    work = Work(remember(screen, click).crop, View(screen), Scaling(1.0, 1.0))
    rough = [Candidate(Point(click.x + off[0], click.y + off[1]), 0.9)] * many

    for found in closest(work, rough, work.box(work.anchor.target), 4):
        assert found.point == pytest.approx(click, abs=0.1)
        assert found.score == pytest.approx(1, abs=1e-4)


@settings(max_examples=80, deadline=None)
@given(x=st.floats(-2, 30), y=st.floats(-2, 30), wide=st.integers(1, 40), high=st.integers(1, 40))
def test_a_part_between_pixels_is_the_plain_one(x: float, y: float, wide: int, high: int) -> None:
    picture = np.random.default_rng(5).integers(0, 256, (44, 52), np.uint8)

    quick, plain = (
        how(picture, Point(x, y), Size(wide, high)).astype(np.int16) for how in (moved, moved_past_the_edge)
    )

    assert np.abs(quick - plain).max() <= 9  # cv2 takes a place to the 32nd of a pixel


def test_a_field_that_goes_on_slides_and_a_button_does_not() -> None:
    gray = np.full((60, 200), 240, np.uint8)
    gray[20] = gray[40] = 90
    button = gray.copy()
    button[20:40, 90] = button[20:40, 120] = 40

    assert slides(gray, Box(80, 15, 50, 30)) == (True, False)
    assert slides(button, Box(80, 15, 50, 30)) == (False, False)
    assert slides(np.full((60, 200), 240, np.uint8), Box(80, 15, 50, 30)) == (True, True)


def test_a_target_in_the_corner_of_the_screen_is_found_where_something_dark_adjoins_it() -> None:
    screen = np.full((540, 960, 3), 235, np.uint8)
    screen[525:527, 780:952] = 190
    screen[518:534, 900:905] = 160
    screen[508:509, 760:] = 205
    evidence = remember(screen, Point(902, 526))
    moved = desktop(seed=8) // 3
    moved[60:330, 100:500] = screen[270:540, 560:960]

    aim = reaim(evidence, moved)

    assert aim.point == pytest.approx(Point(442, 316), abs=1)
