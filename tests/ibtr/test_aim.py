import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box
from tests.ibtr.screens import LABELS, button, desktop, middle, window


@given(
    label=st.sampled_from(LABELS),
    x=st.integers(4, 600),
    y=st.integers(4, 270),
    contrast=st.floats(0.6, 1.0),
    seed=st.integers(0, 50),
)
@settings(max_examples=25, deadline=None)
def test_a_moved_window_is_found_wherever_it_is(
    label: str, x: int, y: int, contrast: float, seed: int
) -> None:
    before, after = desktop(), desktop(seed=seed)
    evidence = remember(before, middle(window(before)[label]))
    goal = middle(window(after, x, y)[label])
    after = (after * contrast).astype(np.uint8)

    aim = reaim(evidence, after)

    assert abs(aim.point.x - goal.x) <= 2
    assert abs(aim.point.y - goal.y) <= 2


@given(label=st.sampled_from(LABELS), scale=st.floats(0.6, 1.6))
@settings(max_examples=15, deadline=None)
def test_a_scaled_screen_is_found_at_its_scale(label: str, scale: float) -> None:
    before = desktop()
    box = window(before)[label]
    evidence = remember(before, middle(box))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    after = np.asarray(cv2.resize(before, None, fx=scale, fy=scale, interpolation=how), np.uint8)

    aim = reaim(evidence, after)

    assert abs(aim.point.x - middle(box).x * scale) <= 2
    assert abs(aim.point.y - middle(box).y * scale) <= 2


def test_a_target_that_was_painted_out_is_missing_although_its_surroundings_are_there() -> None:
    before = desktop()
    box = window(before)["Print"]
    evidence = remember(before, middle(box))
    after = before.copy()
    after[box.y - 1 : box.bottom + 1, box.x - 1 : box.right + 1] = (222, 220, 218)

    with pytest.raises(MissingTarget) as refusal:
        reaim(evidence, after)

    assert refusal.value.evidence["weakest"] < 0.62  # type: ignore[operator]


def test_another_button_in_its_place_is_not_clicked() -> None:
    before = desktop()
    box = window(before)["Print"]
    evidence = remember(before, middle(box))
    after = before.copy()
    button(after, box, "Delete")

    with pytest.raises(MissingTarget):
        reaim(evidence, after)


def test_the_same_window_twice_is_ambiguous() -> None:
    before, after = desktop(), desktop()
    evidence = remember(before, middle(window(before)["Undo"]))
    window(after, 20, 40)
    window(after, 500, 200)

    with pytest.raises(AmbiguousTarget) as refusal:
        reaim(evidence, after)

    assert refusal.value.evidence["margin"] < 0.02  # type: ignore[operator]


def test_a_copy_of_the_button_elsewhere_is_told_apart_by_its_surroundings() -> None:
    before = desktop()
    box = window(before)["Quit"]
    evidence = remember(before, middle(box))
    after = before.copy()
    button(after, Box(700, 400, box.width, box.height), "Quit")

    aim = reaim(evidence, after)

    assert aim.point == pytest.approx(middle(box), abs=1)
