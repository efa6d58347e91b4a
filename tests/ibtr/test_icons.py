"""One of several equal arrows in a bar: told by the icons beside it, where nothing names it."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.icons import among_icons, telling
from ibtr.judge import DEFAULT
from ibtr.pixels import Pixels
from ibtr.places import sights
from ibtr.view import View
from ibtr.work import Scaling, Work
from tests.ibtr.drawing import GROUND, INK, Sheet
from tests.ibtr.screens import middle

BAR = 150
"""The middle of the bar."""
ICONS = (1, 2, 3, 4, 5, 6, 7, 8)
ARROWS = (1, 4, 6)
"""Behind which of the icons an arrow stands."""


def icon(sheet: Sheet, number: int, x: int, y: int) -> None:
    """A few strokes from corner to corner and in between, others for every number."""
    inner = np.random.default_rng(number).integers(0, 12, (5, 2))
    points = np.array([(0, 0), *inner, (11, 11)], np.int32) + np.array([x, y - 6], np.int32)
    cv2.polylines(sheet.picture, [points], isClosed=False, color=INK, thickness=2)


def arrow(sheet: Sheet, x: int, y: int) -> Box:
    for row in range(6):
        sheet.picture[y - 3 + row, x + row : x + 12 - row] = INK
    return Box(x, y - 3, 12, 6)


def editor(
    title: int = 300, text: str = "Dear client", icons: tuple[int, ...] = ICONS, *, below: bool = False
) -> tuple[Pixels, list[Box]]:
    """A window whose title stands at `title`, with a bar of icons, three of which open a menu."""
    sheet = Sheet()
    sheet.frame(Box(60, 60, 900, 480), GROUND)
    for x, word in enumerate(("letter.txt", "-", "Editor")):
        sheet.word(word, title + 80 * x, 78)
    sheet.picture[94, 61:959] = sheet.picture[184, 61:959] = 90
    found: list[Box] = []
    for n, number in enumerate(icons):
        icon(sheet, number, 200 + 60 * n, BAR)
        if n in ARROWS:
            found.append(arrow(sheet, 232 + 60 * n, BAR))
    for n, line in enumerate((text, "thank you for", "your letter of May")):
        sheet.word(line, 80 + 40 * n, 230 + 24 * n)
    if below:
        for box, name in zip(found, ("New", "Send", "Delete"), strict=True):
            sheet.word(name, box.x - 10, BAR + 22)
    return sheet.picture, found


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("title", [420, 560])
def test_each_is_found_wherever_the_title_stands_now(which: int, title: int) -> None:
    screen, arrows = editor()
    evidence = remember(screen, middle(arrows[which]))

    aim = reaim(evidence, editor(title, "To whom it may concern")[0])

    assert aim.point == pytest.approx(middle(arrows[which]), abs=1)


def test_the_report_says_that_the_icons_told_it() -> None:
    screen, arrows = editor()
    evidence = remember(screen, middle(arrows[1]))

    assert reaim(evidence, editor(430, "To whom it may concern")[0]).representation == "among icons"


@pytest.mark.parametrize("which", range(3))
def test_none_is_clicked_where_other_icons_stand_beside_them(which: int) -> None:
    screen, arrows = editor()
    evidence = remember(screen, middle(arrows[which]))

    with pytest.raises(Rejected):
        reaim(evidence, editor(430, "To whom it may concern", (8, 3, 1, 6, 2, 7, 5, 4))[0])


def test_of_two_equal_bars_none_is_clicked() -> None:
    screen, arrows = editor()
    evidence = remember(screen, middle(arrows[1]))
    now, _ = editor(430, "To whom it may concern")
    now[390:460, 61:959] = now[BAR - 35 : BAR + 35, 61:959]

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, now)


def test_what_has_a_name_below_it_is_not_told_by_icons() -> None:
    plain, named = (editor(below=below) for below in (False, True))

    assert len(telling(remember(plain[0], middle(plain[1][1])).crop)) >= 3
    assert telling(remember(named[0], middle(named[1][1])).crop) == []


def test_equals_with_words_beside_them_are_not_told_by_icons() -> None:
    sheet = Sheet()
    for n, name in enumerate(("Globex", "Initech", "Hooli")):
        sheet.word(name, 120 + 260 * n, BAR)
        icon(sheet, n + 1, 200 + 260 * n, BAR)
        arrow(sheet, 240 + 260 * n, BAR)

    evidence = remember(sheet.picture, Point(506, BAR))

    assert evidence.crop.column is not None
    assert telling(evidence.crop) == []


@pytest.mark.parametrize("which", range(3))
def test_an_arrow_behind_another_icon_is_not_clicked(which: int) -> None:
    screen, arrows = editor()
    evidence = remember(screen, middle(arrows[which]))
    icons = [*ICONS]
    icons[ARROWS[which]] = 20

    with pytest.raises(Rejected):
        reaim(evidence, editor(430, "To whom it may concern", tuple(icons))[0])


def test_a_place_with_less_around_it_than_another_is_not_told_by_icons() -> None:
    """What has most around it may be the target's window, half covered; what has all icons, a copy of it."""
    screen, arrows = editor()
    work = Work(remember(screen, middle(arrows[1])).crop, View(screen), Scaling(1.0, 1.0))
    own = max(sights(work, DEFAULT), key=lambda s: s.context)
    below = own._replace(point=Point(own.point.x - 90, own.point.y + 160), context=0.9)

    told = among_icons(
        work, [own._replace(context=0.8), own._replace(point=below.point, context=0.5)], DEFAULT
    )
    seen = [own._replace(context=0.6), below]

    assert told[0].context == 1.0
    assert among_icons(work, seen, DEFAULT) == seen


def shelf(scale: float = 1.0, own: int = 56) -> tuple[Pixels, Box]:
    """A large word before icons that hang together, and words all around, which may be drawn larger."""
    sheet = Sheet(scale)
    row = round(40 * scale)
    for n, line in enumerate(("Dear client", "thank you for", "your letter", "of the third of May")):
        sheet.word(line, 40 + 30 * n, 60 + row * n)
    left, y = 60 + round(110 * scale), 70 + 4 * row
    sheet.word("Layout", 40, y)
    for n, number in enumerate((*range(50, 56), own, 57)):
        icon(sheet, number, left + 20 * n, y)
    for n, line in enumerate(("Kind regards", "Ada", "Invoice enclosed")):
        sheet.word(line, 40 + 60 * n, 80 + row * (5 + n))
    return sheet.picture, Box(left + 120, y - 6, 12, 12)


def test_an_icon_close_to_others_is_found_alone_where_the_words_around_were_drawn_anew() -> None:
    screen, box = shelf()
    evidence = remember(screen, middle(box))
    anew, there = shelf(1.25)

    assert evidence.crop.cut_off
    assert reaim(evidence, anew).point == pytest.approx(middle(there), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, shelf(1.25, own=70)[0])
