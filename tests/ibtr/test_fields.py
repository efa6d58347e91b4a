import cv2
import numpy as np
import pytest

from ibtr import reaim, remember, verify
from ibtr.anew import REDRAWN
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.layout import Tie, agreeing, span
from ibtr.marks import marks
from ibtr.page import Page
from ibtr.pixels import Pixels, cut, size_of, to_gray
from ibtr.plain import field
from tests.ibtr.screens import middle

NAMES = ("Recipient", "Subject line", "Postal code", "Telephone", "Company")


def lines(scale: float = 1.0, corner: tuple[int, int] = (90, 60)) -> tuple[Pixels, dict[str, Box]]:
    """Labels, each with an empty field beside it: letters grow with the scale, the space between does not."""
    screen = np.full((600, 1000, 3), 232, np.uint8)
    boxes: dict[str, Box] = {}
    for index, name in enumerate(NAMES):
        box = Box(corner[0] + round(110 * scale) + 14, corner[1] + index * (round(16 * scale) + 24),
                  round(170 * scale), round(14 * scale) + 14)  # fmt: skip
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (255, 255, 255), -1)
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (110, 110, 110), 1)
        at = (corner[0], box.bottom - 10)
        cv2.putText(screen, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45 * scale, (30, 30, 30), 1, cv2.LINE_AA)
        boxes[name] = box
    return screen, boxes


def label(page: Page, box: Box) -> int:
    """The mark of the whole label beside a field."""
    row = [i for i in range(len(page.boxes)) if box.y <= page.box(i).center.y < box.bottom]
    return max(row, key=lambda i: page.box(i).width)


@pytest.mark.parametrize("name", NAMES[::2])
def test_an_empty_field_drawn_anew_is_found_beside_its_label_and_holds_when_looked_at_again(
    name: str,
) -> None:
    screen, boxes = lines()
    evidence = remember(screen, middle(boxes[name]))
    anew, there = lines(1.25, (130, 40))

    aim = reaim(evidence, anew)

    assert aim.representation == REDRAWN
    assert there[name].contains(aim.point)
    patch = aim.patch.clip(size_of(anew))
    assert verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y)).core == 1.0


def test_an_empty_field_that_was_painted_out_is_refused() -> None:
    screen, boxes = lines()
    evidence = remember(screen, middle(boxes["Postal code"]))
    anew, there = lines(1.25)
    cut(anew, there["Postal code"])[:] = 232

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def test_a_field_with_something_written_in_it_is_not_the_empty_one() -> None:
    screen, boxes = lines()
    evidence = remember(screen, middle(boxes["Postal code"]))
    anew, there = lines(1.25)
    box = there["Postal code"]
    at = (box.x + 20, box.bottom - 9)
    cv2.putText(anew, "Delete all", at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def test_a_field_that_is_gone_under_the_pointer_is_refused() -> None:
    screen, boxes = lines()
    evidence = remember(screen, middle(boxes["Recipient"]))
    anew, there = lines(1.25)
    aim = reaim(evidence, anew)
    cut(anew, there["Recipient"])[:] = 232
    patch = aim.patch.clip(size_of(anew))

    with pytest.raises(MissingTarget):
        verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y))


def test_a_field_is_the_plain_ground_within_its_frame_and_open_ground_is_none() -> None:
    screen, boxes = lines()
    box = boxes["Company"]

    assert field(to_gray(screen), middle(box)) == box.grow(-1)
    assert field(to_gray(screen), Point(800, 500)) is None


def test_a_field_is_found_where_it_was_clicked_inside_of_a_letter() -> None:
    gray = np.full((80, 300), 232, np.uint8)
    cv2.rectangle(gray, (40, 20), (240, 50), 90, 1)
    cv2.ellipse(gray, (100, 35), (5, 7), 0, 0, 360, 20, 2)

    assert field(gray, Point(100, 35)) == Box(41, 21, 199, 29)


def test_words_that_contradict_the_others_are_dropped_and_the_rest_agree() -> None:
    screens = lines(), lines(1.25)
    known, seen = (Page(to_gray(screen), screen) for screen, _ in screens)
    ties = [Tie(label(known, screens[0][1][name]), label(seen, screens[1][1][name]), 1.0) for name in NAMES]
    false = Tie(ties[0].known, ties[-1].seen, 1.0)

    assert set(agreeing(known, seen, [*ties, false], span(1.25))) == set(ties)


def test_a_frame_is_no_mark_even_where_a_letter_touches_it() -> None:
    gray = np.full((80, 300), 250, np.uint8)
    cv2.rectangle(gray, (40, 20), (240, 50), 90, 1)
    cv2.line(gray, (44, 21), (44, 40), 20, 2)
    cv2.line(gray, (44, 40), (54, 40), 20, 2)

    found = [Box(*(int(v) for v in row)) for row in marks(gray)]

    assert found
    assert all(box.width < 30 for box in found)
