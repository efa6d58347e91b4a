"""A field of a dark form with its label: found with its faint frame, refused without it."""

import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import MissingTarget
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

GROUND, FACE, RIM, INK = 51, 38, 32, 222
PORT = Box(560, 188, 54, 26)


def form(*, without: bool = False) -> Pixels:
    """Labels and fields in a row, as a dark theme draws them; `without` one of the fields."""
    sheet = Sheet()
    names = {"Host:": 60, "Username:": 240, "Port:": 524, "Quickconnect": 650}
    for name, x in names.items():
        sheet.word(name, x, 200)
    for n, name in enumerate(("File", "Edit", "View", "Transfer", "Server", "Bookmarks", "Help")):
        sheet.word(name, 60 + 90 * n, 140)
        sheet.word(name, 60 + 90 * n, 270)
    ink = (236.0 - sheet.picture[..., 0]) / 206.0
    gray = GROUND + np.clip(ink, 0, 1) * (INK - GROUND)
    for box in (Box(105, 188, 110, 26), Box(325, 188, 150, 26), *(() if without else (PORT,))):
        cut(gray, box)[:] = RIM
        cut(gray, box.grow(-1))[:] = FACE
    return np.repeat(gray.astype(np.uint8)[..., None], 3, axis=2)


def test_it_is_found() -> None:
    assert reaim(remember(form(), middle(PORT)), form()).point == pytest.approx(middle(PORT), abs=1)


def test_a_label_without_its_field_is_not_clicked() -> None:
    evidence = remember(form(), middle(PORT))

    with pytest.raises(MissingTarget, match="the field that was clicked is not there") as refused:
        reaim(evidence, form(without=True))

    assert refused.value.evidence["rim"] == pytest.approx(0)


@pytest.mark.parametrize("levels", [-9, 6], ids=["darker", "lighter"])
def test_it_is_found_where_it_lit_up(levels: int) -> None:
    now = form()
    cut(now, PORT.grow(-1))[:] += np.uint8(levels % 256)

    assert reaim(remember(form(), middle(PORT)), now).point == pytest.approx(middle(PORT), abs=1)
