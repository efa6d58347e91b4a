"""How much a crop is like itself half a pixel on, the quick way and the plain one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ibtr import Evidence, remember
from ibtr.fade import HALF_ON, faded, half_on
from ibtr.geometry import Box
from ibtr.view import View
from ibtr.work import Scaling, Work
from tests.ibtr.screens import desktop, middle, window


@pytest.mark.parametrize("name", ["Print", "Save as"])
def test_a_crop_is_as_much_like_itself_half_a_pixel_on_as_is_asked_or_exactly(name: str) -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes[name])).crop, View(screen), Scaling(1.0, 1.0))
    box = work.anchor.target

    exact = faded(work, box, 2, enough=2.0)

    for more in (0.01, 0.05):
        assert faded(work, box, 2, enough=exact + more) == pytest.approx(exact, abs=1e-3)
    for less in (0.01, 0.3):
        assert exact - less < faded(work, box, 2, enough=exact - less) <= exact + 1e-3


def test_what_was_worked_out_at_recording_is_what_would_be_now() -> None:
    screen = desktop()
    kept = remember(screen, middle(window(screen)["Print"]))
    anchor = Evidence.from_parts(*kept.to_parts()).crop
    view = View(screen)
    known, anew = (Work(one, view, Scaling(1.0, 1.0)) for one in (anchor, replace(anchor, fades=())))

    assert anchor.fades == kept.crop.fades
    assert {box for box, _ in anchor.fades} == {anchor.target, anchor.context}
    for box in (anchor.target, anchor.context):
        assert faded(known, box, 2, enough=-1.0) == faded(anew, box, 2, enough=-1.0)
    larger = replace(anchor, context=anchor.context.grow(-3))
    assert faded(Work(larger, view, Scaling(1.0, 1.0)), larger.context, 2, enough=-1.0) == faded(
        Work(replace(larger, fades=()), view, Scaling(1.0, 1.0)), larger.context, 2, enough=-1.0
    )


@pytest.mark.parametrize("part", [Box(0, 0, 20, 9), Box(31, 20, 40, 21), Box(100, 60, 45, 28)], ids=str)
def test_a_part_half_a_pixel_on_is_that_of_the_whole_picture(part: Box) -> None:
    screen = desktop()
    boxes = window(screen)
    work = Work(remember(screen, middle(boxes["Print"])).crop, View(screen), Scaling(1.0, 1.0))

    for dx, dy in HALF_ON:
        whole = work.shrunk(work.anchor.gray[round(4 * dy) :, round(4 * dx) :], 2)
        there = half_on(work, part, 2, dx, dy)
        assert np.array_equal(there, whole[part.y : part.bottom, part.x : part.right])
