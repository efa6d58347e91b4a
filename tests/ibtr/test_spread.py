"""A pad of signs in a window of another size, and a toolbar whose rows slid apart: all stands elsewhere."""

from collections.abc import Sequence

import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.drawing import GROUND, Sheet
from tests.ibtr.screens import middle
from tests.ibtr.test_icons import icon

SIGNS = ("sin", "7", "8", "9", "/", "cos", "4", "5", "6", "x", "tan", "1", "2", "3", "=", "Ans", "log")
ROW = 5


def pad(width: int, height: int, signs: Sequence[str] = SIGNS) -> tuple[Pixels, dict[str, Box]]:
    """Buttons in rows of five, each with its sign in the middle, however large."""
    sheet = Sheet()
    for index, sign in enumerate(signs):
        at = Box(20 + index % ROW * width, 60 + index // ROW * height, width - 6, height - 6)
        box = sheet.frame(at)
        sheet.word(sign, box.x + box.width // 2 - 4 * len(sign), box.y + box.height // 2)
        sheet.boxes[sign] = box
    return sheet.picture, sheet.boxes


@pytest.mark.parametrize("size", [(212, 132), (150, 100)])
@pytest.mark.parametrize("sign", ["tan", "cos", "9", "Ans"])
def test_a_sign_of_a_pad_is_found_among_the_others_however_large_its_window_is(
    sign: str, size: tuple[int, int]
) -> None:
    screen, boxes = pad(80, 48)
    evidence = remember(screen, middle(boxes[sign]))
    larger, there = pad(*size)

    aim = reaim(evidence, larger)

    assert aim.representation == "spread"
    assert aim.point == pytest.approx(middle(there[sign]), abs=2)


def test_it_is_found_in_a_smaller_window_though_only_large_buttons_were_around_it() -> None:
    screen, boxes = pad(212, 132)
    evidence = remember(screen, middle(boxes["cos"]))
    smaller, there = pad(100, 60)

    assert reaim(evidence, smaller).point == pytest.approx(middle(there["cos"]), abs=2)


@pytest.mark.parametrize("sign", ["tan", "Ans"])
def test_a_pad_with_its_signs_in_other_places_is_another_one(sign: str) -> None:
    screen, boxes = pad(80, 48)
    evidence = remember(screen, middle(boxes[sign]))

    with pytest.raises(Rejected):
        reaim(evidence, pad(212, 132, SIGNS[::-1])[0])


def editor(
    *, first: str = "Calibri", icons: Sequence[int] = range(9), above: Sequence[int] = range(20, 28)
) -> tuple[Pixels, list[Box]]:
    """Two bars of icons, some of which have a word under them; before those of each stands a word, which
    pushes them to the side."""
    sheet = Sheet()
    sheet.frame(Box(10, 30, 1080, 560), GROUND)
    start = sheet.word(first, 30, 150).right + 30
    higher = sheet.word(f"{first} {first}", 30, 100).right + 30
    for n, number in enumerate(above):
        icon(sheet, number, higher + 44 * n, 100)
    for n, number in enumerate(icons):
        icon(sheet, number, start + 44 * n, 150)
        sheet.word("abc"[n % 3] * 3, start + 44 * n - 4, 172)
    return sheet.picture, [Box(start + 44 * n, 144, 12, 12) for n in range(len(icons))]


@pytest.mark.parametrize(
    ("which", "first"),
    [(3, "DejaVu Sans Mono"), (5, "DejaVu Sans Mono"), (3, "DejaVu Sans Mono Bold Italic 1")],
)
def test_an_icon_is_found_in_its_row_though_the_rows_slid_apart(which: int, first: str) -> None:
    screen, icons = editor()
    evidence = remember(screen, middle(icons[which]))
    slid, there = editor(first=first)

    aim = reaim(evidence, slid)

    assert aim.point == pytest.approx(middle(there[which]), abs=1)
    assert aim.representation == "rows slid"


@pytest.mark.parametrize(
    "changed",
    [
        {"icons": (30, 31, 32, 3, 34, 5, 36, 37, 38)},
        {"icons": (30, 31, 32, 33, 34, 35, 36, 37, 38)},
    ],
)
@pytest.mark.parametrize("first", ["DejaVu Sans Mono", "DejaVu Sans Mono Bold Italic 1"])
def test_it_is_refused_among_other_icons(changed: dict[str, Sequence[int]], first: str) -> None:
    screen, icons = editor()
    evidence = remember(screen, middle(icons[3]))

    with pytest.raises(Rejected):
        reaim(evidence, editor(first=first, **changed)[0])
