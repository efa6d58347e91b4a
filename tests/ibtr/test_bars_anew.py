"""Bars that were drawn anew: a word, an icon or a sign among others of its bar."""

from collections.abc import Sequence

import cv2
import pytest

from ibtr import reaim, remember
from ibtr.aim import SAME
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.memory import remembered
from ibtr.pixels import Pixels, cut
from ibtr.unchanged import unchanged
from ibtr.view import View
from tests.ibtr.drawing import GROUND, Sheet
from tests.ibtr.screens import middle

MENU = ("File", "Edit", "View", "Insert", "Format", "Window")


def bars(menu: Sequence[str], scale: float = 1.0) -> tuple[Pixels, dict[str, Box]]:
    """A menu with lines close above and below its words: no gap says where a widget ends."""
    sheet = Sheet(scale)
    x, high = 110, round(9 * scale)
    for word in menu:
        sheet.boxes[word] = sheet.word(word, x, 100)
        x = sheet.boxes[word].right + 14
    for y in (100 - high, 101 + high):
        cv2.line(sheet.picture, (100, y), (700, y), (90, 90, 90), 1)
    for number in range(8):
        sheet.icon(number, 110 + 34 * number, 120 + round(14 * scale))
    for line, word in enumerate(("Report of the year", "Totals by month", "Signed by nobody")):
        sheet.word(word, 110, 180 + round(30 * scale) * line)
    return sheet.shown(), sheet.boxes


@pytest.mark.parametrize("word", MENU[1:4])
def test_a_word_among_edges_that_hang_together_is_found_in_another_size(word: str) -> None:
    screen, boxes = bars(MENU)
    evidence = remember(screen, middle(boxes[word]))
    anew, there = bars(MENU, 1.3)

    aim = reaim(evidence, anew)

    assert there[word].contains(aim.point)


@pytest.mark.parametrize("other", ["Vote", "Edit", "Views", "Vlew"])
def test_another_word_in_its_place_is_refused(other: str) -> None:
    screen, boxes = bars(MENU)
    evidence = remember(screen, middle(boxes["View"]))
    anew, _ = bars([other if word == "View" else word for word in MENU], 1.3)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def toolbar(first: int, scale: float = 1.0, lost: int | None = None) -> tuple[Pixels, dict[str, Box]]:
    """Icons after a field that grows with its letters, above and below of which are words that do, too."""
    sheet = Sheet(scale)
    x = 100
    for word in MENU:
        x = sheet.word(word, x, 100).right + 14
    for number in range(12, 22):
        sheet.icon(number, 100 + 30 * (number - 12), 130)
    field = sheet.frame(Box(100, 148, round(200 * scale), 26))
    sheet.word("Liberation Sans", 108, 161)
    for number in range(first, first + 8):
        at = field.right + 12 + 32 * (number - first)
        if number != lost:
            sheet.boxes[f"icon {number}"] = sheet.icon(number, at, 161)
    for line, word in enumerate(("Report of the year", "Totals by month", "Signed by nobody")):
        sheet.word(word, 110, 200 + round(30 * scale) * line)
    return sheet.shown(), sheet.boxes


def test_an_icon_that_its_row_pushed_aside_is_found_by_its_row() -> None:
    screen, boxes = toolbar(40)
    evidence = remember(screen, middle(boxes["icon 43"]))
    anew, there = toolbar(40, 1.3)

    aim = reaim(evidence, anew)

    assert there["icon 43"].contains(aim.point)


def test_an_icon_that_is_gone_from_a_row_pushed_aside_is_refused() -> None:
    screen, boxes = toolbar(40)
    evidence = remember(screen, middle(boxes["icon 43"]))
    anew, _ = toolbar(40, 1.3, lost=43)
    both, _ = toolbar(40, 1.3, lost=43)
    sheet = Sheet()
    sheet.picture = both
    sheet.icon(43, 700, 420)

    for screen_now in (anew, both):
        with pytest.raises(Rejected):
            reaim(evidence, screen_now)


def tabs(icons: int, scale: float = 1.0, *, dark: bool = False) -> tuple[Pixels, dict[str, Box]]:
    """A word in a row of icons, which another theme exchanges; it stands once more in the line below."""
    sheet = Sheet(scale, dark=dark)
    for number in range(5):
        sheet.icon(icons + number, 100 + 30 * number, 200)
    sheet.boxes["Sheet"] = sheet.word("Sheet", 280, 200)
    sheet.word("Sheet 1 of 3", 100, 200 + round(26 * scale))
    for line, word in enumerate(("Totals by month", "Signed by nobody", "Report of the year")):
        sheet.word(word, 110, 90 + round(28 * scale) * line)
    sheet.word("Style of the page", 420, 200 + round(26 * scale))
    return sheet.shown(), sheet.boxes


def test_a_word_is_found_though_the_icons_in_its_row_are_others_in_a_dark_theme() -> None:
    screen, boxes = tabs(60)
    evidence = remember(screen, middle(boxes["Sheet"]))
    anew, there = tabs(70, dark=True)

    aim = reaim(evidence, anew)

    assert there["Sheet"].contains(aim.point)


def test_the_same_word_below_is_not_taken_for_one_that_is_gone() -> None:
    screen, boxes = tabs(60)
    evidence = remember(screen, middle(boxes["Sheet"]))
    anew, there = tabs(70, dark=True)
    gone = there["Sheet"].grow(3)
    anew[gone.y : gone.bottom, gone.x : gone.right] = [255 - level for level in GROUND]

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def switched_on(icons: Sequence[int], scale: float = 1.0) -> tuple[Pixels, list[Box]]:
    """Buttons that touch, all of them pressed: their sides are lines between the icons."""
    sheet, found = Sheet(scale), list[Box]()
    for n, word in enumerate(MENU):
        sheet.word(word, 110 + round(64 * scale) * n, 90)
    side = round(36 * scale)
    for n, number in enumerate(icons):
        box = sheet.frame(Box(200 + side * n, 120, side, round(33 * scale)), (222, 222, 222))
        sheet.icon(number, round(box.center.x) - 10, round(box.center.y))
        found.append(box)
    for n, word in enumerate(("Host", "User name", "Password")):
        sheet.word(word, 110 + round(140 * scale) * n, 150 + round(40 * scale))
    return sheet.shown(), found


PRESSED = (81, 82, 83, 84)


def test_a_pressed_button_among_others_is_known_by_its_icon_not_by_the_lines_beside_it() -> None:
    screen, boxes = switched_on(PRESSED)
    evidence = remember(screen, middle(boxes[2]))
    anew, there = switched_on(PRESSED, 1.2)

    aim = reaim(evidence, anew)

    assert there[2].contains(aim.point)
    memory = remembered(evidence.crop)
    assert all(memory.page.box(mark).width >= 5 for cover in memory.covers for mark in cover)


def test_another_icon_between_the_same_lines_is_refused() -> None:
    screen, boxes = switched_on(PRESSED)
    evidence = remember(screen, middle(boxes[2]))
    anew, _ = switched_on([n if n != 83 else 91 for n in PRESSED], 1.2)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


SIGNS = "VAKXMZ"


def signs(shown: str = SIGNS, scale: float = 1.0) -> tuple[Pixels, Point]:
    """Signs on the bare bar of a large framed pane, without a word anywhere; they may be drawn larger."""
    sheet = Sheet(scale)
    sheet.frame(Box(40, 40, 900, 440))
    for x in (44, 930):
        sheet.frame(Box(x, 44, 6, 432))
    for n, sign in enumerate(shown):
        sheet.word(sign, 460 + 38 * n, 500)
    return sheet.shown(), Point(502, 500)


@pytest.mark.parametrize("scale", [1.25, 1.4])
def test_a_sign_among_signs_is_found_where_they_grew_in_frames_that_did_not(scale: float) -> None:
    screen, click = signs()
    evidence = remember(screen, click)

    assert unchanged(evidence.crop, View(signs(scale=scale)[0])) >= SAME
    assert reaim(evidence, signs(scale=scale)[0]).point == pytest.approx(click, abs=10)


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.4])
@pytest.mark.parametrize("shown", ["V KXMZ", "VVKXMZ", "VHKXMZ", "VRKXMZ", "V4KXMZ"])
def test_another_sign_in_frames_that_did_not_change_is_refused(shown: str, scale: float) -> None:
    evidence = remember(*signs())

    with pytest.raises(Rejected):
        reaim(evidence, signs(shown, scale)[0])


def test_one_sign_drawn_anew_among_others_as_they_were_is_refused() -> None:
    screen, click = signs()
    larger = cut(signs(scale=1.3)[0], Box(492, 480, 26, 40)).copy()
    now = screen.copy()
    cut(now, Box(492, 480, 26, 40))[:] = larger

    with pytest.raises(Rejected):
        reaim(remember(screen, click), now)
