"""The text right below an icon names it, also a little lower, unless a border parts the two."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Point
from tests.ibtr.drawing import Sheet


def shelf(name: str, side: int, below: int, *, parted: bool = False) -> tuple[Sheet, Point]:
    """Three icons with a word below each; the middle one is clicked."""
    sheet = Sheet()
    sheet.word("What would you like to do now?", 60, 60)
    for index, caption in enumerate(("Themes", name, "General")):
        x, y = 120 + 130 * index, 120
        cells = np.random.default_rng(index).random((6, 6)) < 0.5
        sign = np.kron(np.where(cells, 40, 236), np.ones((side // 6, side // 6))).astype(np.uint8)
        sheet.picture[y : y + len(sign), x : x + len(sign)] = sign[..., None]
        cv2.rectangle(sheet.picture, (x, y), (x + len(sign) - 1, y + len(sign) - 1), (40, 40, 40), 1)
        (width, height), _ = cv2.getTextSize(caption, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
        sheet.word(caption, x + (len(sign) - width) // 2, y + len(sign) + below + height // 2)
    if parted:
        sheet.picture[120 + side + 3, 60:600] = 200
    return sheet, Point(250 + side / 2, 120 + side / 2)


@pytest.mark.parametrize(("side", "below"), [(18, 14), (24, 16), (24, 6)])
def test_an_icon_is_named_by_its_caption(side: int, below: int) -> None:
    sheet, point = shelf("History", side, below)
    evidence = remember(sheet.picture, point)

    assert reaim(evidence, sheet.picture).point == pytest.approx(point, abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, shelf("Members", side, below)[0].picture)


def test_what_stands_beyond_a_border_is_no_caption() -> None:
    sheet, point = shelf("History", 18, 14, parted=True)

    assert remember(sheet.picture, point).crop.line is None
