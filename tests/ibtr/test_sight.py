"""A place looked at from close by: what is told at a glance is what a closer look says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import Evidence, reaim, remember
from ibtr.compare import inside, likeness
from ibtr.errors import MissingTarget
from ibtr.geometry import Box, Point
from ibtr.pixels import Floats, Pixels, correlation, cut, to_gray
from ibtr.search import Candidate
from ibtr.sight import at_most, glance, look, look_around, near_part
from ibtr.view import View
from ibtr.work import Scaling, Work
from tests.ibtr.screens import desktop, middle, window


@pytest.mark.parametrize("name", ["Print", "Save as"])
def test_a_place_with_the_remembered_pixels_is_seen_as_when_all_of_it_is_compared(name: str) -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes[name])).crop, View(screen), Scaling(1.0, 1.0))
    at, part, around = Candidate(middle(boxes[name]), 1.0), near_part(work), work.surroundings
    nothing: Floats = np.zeros((part.height, part.width), np.float32)

    quick, plain = look_around(work, look(work, at)), look(work, at, hidden=nothing)

    for field in ("score", "spot", "core", "weakest", "colour", "fresh", "letters"):
        assert getattr(quick, field) == pytest.approx(getattr(plain, field), abs=1e-4), field
    known = cut(work.gray, around)
    whole = likeness(known, known).over(np.ones_like(known, np.float32))
    assert (quick.context, quick.context_score) == pytest.approx((whole, correlation(known, known)), abs=1e-4)


def test_a_place_with_a_few_other_pixels_is_compared() -> None:
    screen = desktop()
    click = middle(window(screen)["Print"])
    changed = screen.copy()
    anchor = remember(screen, click).crop
    beside = anchor.core.bottom + anchor.source.y + 12
    for spot in (Box(round(click.x) - 3, round(click.y) - 3, 6, 6), Box(round(click.x), beside, 6, 6)):
        cut(changed, spot)[:] = 255 - cut(screen, spot)
    work = Work(anchor, View(changed), Scaling(1.0, 1.0))

    seen = look_around(work, look(work, Candidate(click, 1.0)))

    assert seen.fresh > 0.5
    assert seen.score < 0.9
    assert 0.5 < seen.context < 0.99


@settings(max_examples=30, deadline=None)
@given(x=st.integers(20, 700), y=st.integers(20, 380))
def test_what_a_part_allows_is_never_less_than_the_whole(x: int, y: int) -> None:
    screen = desktop()
    window(screen)
    gray = to_gray(screen)
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


def _toolbar(changed: int | None = None) -> Pixels:
    """Icons close to each other, all different, of which one may be another one."""
    screen = desktop()
    rng = np.random.default_rng(9)
    pictures = [
        np.kron(np.pad(rng.integers(0, 2, (5, 5)), 1, constant_values=1), np.ones((4, 4))) for _ in range(15)
    ]
    if changed is not None:
        pictures[changed] = pictures[-1]
    cut(screen, Box(80, 290, 560, 58))[:] = 230
    for index, picture in enumerate(pictures[:-1]):
        cut(screen, Box(100 + 31 * index, 305, 28, 28))[picture > 0] = (40, 60, 70)
    return screen


@pytest.mark.parametrize(("changed", "found"), [(None, True), (3, True), (9, True), (6, False), (7, False)])
def test_an_icon_in_a_toolbar_ends_before_one_further_along(changed: int | None, *, found: bool) -> None:
    click = Point(100 + 31 * 6 + 14, 319)
    anchor = remember(_toolbar(), click).crop
    evidence = Evidence((replace(anchor, line=None),))  # squares of this size may be letters
    assert anchor.cut_off
    if found:
        assert reaim(evidence, _toolbar(changed)).point == pytest.approx(click, abs=0.5)
    else:
        with pytest.raises(MissingTarget):
            reaim(evidence, _toolbar(changed))
