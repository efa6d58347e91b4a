"""Several cards with the same buttons: what stands on a card says whose button it is."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.card import card_of
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.lists import equals_at
from ibtr.pixels import Pixels, to_gray
from tests.ibtr.screens import button, middle

NAMES = ("Priya Nair", "Eva Novak", "Ines Moreau", "Jonas Lindt")
PLACES = ((60, 90), (500, 90), (60, 270), (500, 270))
INK, LINE = (40, 40, 40), (205, 205, 205)


def write(screen: Pixels, text: str, x: int, y: int, size: float = 0.5) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)


def fitting(text: str, x: int, y: int) -> Box:
    """A button as wide as its text."""
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
    return Box(x, y, width + 16, 26)


def archive(at: int) -> Box:
    return fitting("Archive", PLACES[at][0] + 16, PLACES[at][1] + 110)


def board(names: Sequence[str], *, framed: bool = True) -> Pixels:
    """Cards with a name, the same line of text on each, and two buttons."""
    screen: Pixels = np.full((540, 960, 3), 250, np.uint8)
    write(screen, "Messages", 60, 60, 0.7)
    for at, name in enumerate(names):
        x, y = PLACES[at]
        cv2.rectangle(screen, (x, y), (x + 400, y + 150), (255, 255, 255), -1)
        if framed:
            cv2.rectangle(screen, (x, y), (x + 400, y + 150), LINE, 1)
        write(screen, name, x + 16, y + 30)
        write(screen, "We have talked about it last week.", x + 16, y + 62)
        button(screen, archive(at), "Archive")
        button(screen, fitting("Forward", x + 120, y + 110), "Forward")
    return screen


@pytest.mark.parametrize("framed", [True, False])
def test_the_button_of_another_card_in_its_place_is_not_clicked(framed: bool) -> None:
    screen = board(NAMES, framed=framed)
    evidence = remember(screen, middle(archive(2)))

    assert reaim(evidence, screen).point == pytest.approx(middle(archive(2)), abs=1)
    for names in ((*NAMES[:2], "Ada Kern", NAMES[3]), (*NAMES[:2], NAMES[3]), (NAMES[0], NAMES[1])):
        with pytest.raises(Rejected):
            reaim(evidence, board(names, framed=framed))


def test_a_card_that_changed_places_is_found_by_what_stands_on_it() -> None:
    evidence = remember(board(NAMES), middle(archive(0)))

    aim = reaim(evidence, board((NAMES[2], NAMES[1], NAMES[0], NAMES[3])))

    assert aim.point == pytest.approx(middle(archive(2)), abs=1)


def test_the_last_row_of_a_grid_need_not_be_full() -> None:
    screen = board(NAMES[:3])

    for at in range(3):
        aim = reaim(remember(screen, middle(archive(at))), screen)
        assert aim.point == pytest.approx(middle(archive(at)), abs=1)


@pytest.mark.parametrize("off", [(0.5, 0.0), (0.3, 0.4), (0.0, 0.5)])
def test_a_card_that_lies_between_pixels_now_is_read_all_the_same(off: tuple[float, float]) -> None:
    evidence = remember(board(NAMES), middle(archive(2)))
    way = np.array([[1, 0, off[0]], [0, 1, off[1]]], np.float32)

    for names, right in ((NAMES, True), ((*NAMES[:2], "Ines Moreat", NAMES[3]), False)):
        moved = cv2.warpAffine(board(names), way, (960, 540), borderMode=cv2.BORDER_REPLICATE)
        screen: Pixels = np.asarray(moved, np.uint8)
        if right:
            assert reaim(evidence, screen).point == pytest.approx(middle(archive(2)), abs=1.5)
        else:
            with pytest.raises(Rejected):
                reaim(evidence, screen)


def test_an_entry_that_another_one_pushed_on_is_found_or_refused() -> None:
    evidence = remember(board(NAMES[:3]), middle(archive(0)))

    try:
        aim = reaim(evidence, board(("Ada Kern", *NAMES[:3])))
    except Rejected:
        return
    assert aim.point == pytest.approx(middle(archive(1)), abs=1)


def test_a_frame_around_several_equal_buttons_is_a_list() -> None:
    screen: Pixels = np.full((540, 960, 3), 250, np.uint8)
    cv2.rectangle(screen, (60, 90), (460, 260), LINE, 1)
    own = fitting("Archive", 360, 110)
    for at, name in enumerate(NAMES[:3]):
        write(screen, name, 80, 128 + 48 * at)
        button(screen, own._replace(y=own.y + 48 * at), "Archive")
    gray = to_gray(screen)

    assert card_of(gray, own, equals_at(gray, own, own.center.y)) is None


def test_a_frame_with_fields_in_it_is_a_form() -> None:
    screen: Pixels = np.full((540, 960, 3), 250, np.uint8)
    own = fitting("Archive", 76, 200)
    for x in (60, 500):
        cv2.rectangle(screen, (x, 90), (x + 400, 240), LINE, 1)
        cv2.rectangle(screen, (x + 16, 120), (x + 380, 148), (150, 150, 150), 1)
        write(screen, "4711", x + 24, 139)
        button(screen, own._replace(x=x + 16), "Archive")
    gray = to_gray(screen)

    assert card_of(gray, own, equals_at(gray, own, own.center.y)) is None


def test_a_card_among_columns_that_are_no_whole_pixels_wide_is_one_of_several() -> None:
    """Three cards in a row, and none below: their letters have other pixels in each column."""
    way = [np.array([[1, 0, off], [0, 1, 0]], np.float32) for off in (0.5, 0.5, 0.0)]

    def shop(names: Sequence[str]) -> Pixels:
        parts = []
        for name, off in zip(names, way, strict=True):
            part: Pixels = np.full((300, 310, 3), 240, np.uint8)
            cv2.rectangle(part, (20, 60), (290, 240), (255, 255, 255), -1)
            write(part, name, 34, 90)
            write(part, "Delivered tomorrow", 34, 170)
            write(part, "Buy", 40, 215)
            parts.append(cv2.warpAffine(part, off, (310, 300), borderMode=cv2.BORDER_REPLICATE))
        return np.ascontiguousarray(np.hstack(parts))

    buy = Box(658, 200, 30, 20)
    screen = shop(("Keyboard", "Whiteboard", "Paper tray"))
    evidence = remember(screen, middle(buy))

    assert evidence.crop.row is not None
    assert reaim(evidence, screen).point == pytest.approx(middle(buy), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, shop(("Keyboard", "Whiteboard", "Headset")))
