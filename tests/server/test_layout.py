"""Whether a place of a recorded window stands where a layout puts it."""

import cv2
import numpy as np
import pytest

from ibtr.geometry import Box
from ibtr.pixels import Pixels, size_of
from server.diagnostics.drawn import dialog
from server.replay.landmarks import ALIKE, Transform, still_shows
from server.replay.layout import Then

ROW = 53
PLUS = Box(600, 60 + 3 * ROW, 40, 34)
A_ROW_UP: Transform = (1.0, 1.0, 0.0, -3.0 * ROW)


def supplies(bar: int = 0, over: Box | None = None) -> Pixels:
    """A list of things to order, with equal buttons in each row."""
    screen = np.full((520, 760, 3), 250, np.uint8)
    _write(screen, "Order supplies", (20, 30))
    names = ("Envelopes C5", "Marker, blue", "Paper A4", "Staples", "Toner", "Folders", "Stamps")
    for n, name in enumerate(names):
        top = 60 + bar + ROW * n
        _write(screen, name, (20, top + 22))
        _write(screen, f"{n * 37 + 12} left of {n * 90 + 100}", (230, top + 22))
        for x, sign in ((520, "-"), (600, "+")):
            cv2.rectangle(screen, (x, top), (x + 40, top + 34), (150, 150, 150), 1)
            _write(screen, sign, (x + 14, top + 22))
    if over is not None:
        dialog(screen, over, np.random.default_rng(5))
    return screen


def _write(screen: Pixels, text: str, at: tuple[int, int]) -> None:
    cv2.putText(screen, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


def beside(now: Pixels) -> Then:
    whole = Box(0, 0, *size_of(now))
    return Then(supplies(), whole, now, whole)


def test_a_covered_row_is_not_another_row_with_equal_buttons() -> None:
    now = supplies(over=Box(440, 170, 310, 160))

    assert still_shows(supplies(), PLUS, A_ROW_UP, now) >= ALIKE
    assert not beside(now).moved(PLUS, A_ROW_UP)


def test_a_row_that_a_bar_has_pushed_down_has_moved() -> None:
    assert beside(supplies(bar=24)).moved(PLUS, (1.0, 1.0, 0.0, 24.0))


@pytest.mark.parametrize(("down", "holds"), [(0.0, True), (24.0, False), (-ROW, False)])
def test_a_window_holds_only_in_the_layout_that_it_has(down: float, *, holds: bool) -> None:
    assert beside(supplies()).holds((1.0, 1.0, 0.0, down)) is holds


FIELD = Box(20, 60, 330, 34)  # the first row, from its name to what is left
AS_IT_WAS: Transform = (1.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("front", "behind"),
    [
        (Box(180, 40, 400, 160), True),
        (Box(0, 0, 300, 520), True),
        (Box(0, 0, 760, 520), False),
        (Box(10, 50, 400, 90), False),
    ],
)
def test_what_goes_on_past_the_rim_of_the_window_in_front_lies_behind_it(front: Box, *, behind: bool) -> None:
    then = Then(supplies(), Box(0, 0, 760, 520), supplies(), front)

    assert then.goes_on(FIELD, AS_IT_WAS) is behind


def test_what_a_narrower_window_has_cut_off_does_not_go_on() -> None:
    now, front = np.full((520, 760, 3), 90, np.uint8), Box(0, 0, 200, 520)
    now[:, :200] = supplies()[:, :200]

    assert not Then(supplies(), Box(0, 0, 760, 520), now, front).goes_on(FIELD, AS_IT_WAS)


def test_what_went_on_past_the_rim_when_it_was_recorded_does_not_lie_behind() -> None:
    front = Box(180, 40, 400, 160)

    assert not Then(supplies(), front, supplies(), front).goes_on(FIELD, AS_IT_WAS)
