"""The quick correlations are the plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.aim import TARGETS
from ibtr.compare import inside, likeness
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels, correlate, cut, deviations, slides, softened, structure, to_gray
from ibtr.search import Candidate, Scaling, Work, close, closest, coarse
from ibtr.sight import at_most, glance, look, look_around
from ibtr.spectrum import Searched, correlate_each
from ibtr.view import View
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

    lively = deviations(gray, size, 0.0)[: plain.shape[0], : plain.shape[1]] > 2 * crop.size**0.5
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


def test_places_looked_at_together_are_found_as_each_alone() -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes["Print"])).crop, View(screen), Scaling(1.0, 1.0))
    rough = coarse(work, work.anchor.target, TARGETS)
    box = work.box(work.anchor.target)

    together = closest(work, rough, box, 3)

    assert len(together) > 2
    for one, alone in zip(together, [close(work, c, box, 3) for c in rough], strict=True):
        assert one.score == pytest.approx(alone.score, abs=1e-3)
        assert one.point == pytest.approx(alone.point, abs=0.05)


@settings(max_examples=30, deadline=None)
@given(x=st.integers(20, 700), y=st.integers(20, 380))
def test_what_a_part_allows_is_never_less_than_the_whole(x: int, y: int) -> None:
    gray = _gray()
    known, seen = cut(gray, Box(130, 100, 180, 120)), cut(gray, Box(x, y, 180, 120))
    beside = 1 - inside((120, 180), Box(60, 40, 50, 30))

    whole = likeness(known, seen).over(beside)

    for top in (0, 40, 80):
        assert at_most(known, seen, beside, slice(top, top + 40)) >= whole - 1e-4


def test_an_empty_home_is_told_by_the_most_it_can_be() -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes["Print"])).crop, View(screen), Scaling(1.0, 1.0))
    elsewhere = Candidate(Point(700.0, 400.0), 0.1)

    at_a_glance, closely = glance(work, elsewhere, 0.98), look_around(work, look(work, elsewhere))

    assert closely.context <= at_a_glance.context < 0.98


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
