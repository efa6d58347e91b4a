"""A field that is about to be filled: what stands in it is content."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember, verify
from ibtr.anew import REDRAWN
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut, size_of, to_gray
from ibtr.reading import label_of
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

HELD = {"Recipient": "Ada Lovelace", "Subject": "Invoice", "Postal code": "1070", "Telephone": "555-0142"}
NEXT = {"Recipient": "Grace Hopper", "Subject": "Your order", "Postal code": "90210", "Telephone": "0199"}


def form(
    values: Mapping[str, str], scale: float = 1.0, *, names: Mapping[str, str] | None = None
) -> tuple[Pixels, dict[str, Box]]:
    """Labels, each with a field of its own width beside it, and what is written in that."""
    sheet = Sheet(scale)
    for index, (name, value) in enumerate(values.items()):
        y = 100 + round(46 * scale) * index
        sheet.word((names or {}).get(name, name), 60, y)
        width, height = round((150 + 30 * index) * scale), round(26 * scale)
        box = sheet.frame(Box(70 + round(110 * scale), y - height // 2, width, height))
        sheet.word(value, box.x + 8, y)
        sheet.boxes[name] = box
    sheet.word("All fields are needed", 60, 100 + round(46 * scale) * len(values))
    return sheet.picture, sheet.boxes


@pytest.mark.parametrize("name", ["Subject", "Telephone"])
def test_it_is_found_when_drawn_anew_whatever_is_written_in_it(name: str) -> None:
    screen, boxes = form(HELD)
    evidence = remember(screen, middle(boxes[name]), content=True)
    anew, there = form({**HELD, name: NEXT[name]}, 1.25)

    aim = reaim(evidence, anew)

    assert aim.representation == REDRAWN
    assert there[name].contains(aim.point)
    patch = aim.patch.clip(size_of(anew))
    assert verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y)).core == 1.0
    cut(anew, there[name])[:] = 236
    with pytest.raises(MissingTarget):
        verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y))


def test_what_was_only_clicked_must_show_what_it_did() -> None:
    screen, boxes = form(HELD)
    evidence = remember(screen, middle(boxes["Subject"]))

    with pytest.raises(Rejected):
        reaim(evidence, form({**HELD, "Subject": "Your order"}, 1.25)[0])


def test_it_is_refused_when_drawn_anew_with_another_label() -> None:
    screen, boxes = form(HELD)
    evidence = remember(screen, middle(boxes["Subject"]), content=True)

    with pytest.raises(Rejected):
        reaim(evidence, form(HELD, 1.25, names={"Subject": "Amount"})[0])


def bar(title: str) -> tuple[Pixels, Box]:
    """A window's title over a line, a field in the toolbar below, and an arrow far before that."""
    sheet = Sheet()
    sheet.word(title, 130, 74)
    cv2.line(sheet.picture, (40, 86), (700, 86), (120, 120, 120), 1)
    cv2.fillPoly(sheet.picture, [np.array([(60, 104), (70, 104), (65, 109)], np.int32)], (60, 60, 60))
    address = sheet.frame(Box(138, 94, 420, 26))
    sheet.word("files/reports", address.x + 8, 107)
    for at, name in enumerate(("Name", "Size", "Modified")):
        sheet.word(name, 60 + 180 * at, 150)
    return sheet.picture, address


def test_neither_a_title_over_a_line_nor_an_arrow_far_before_it_names_a_field() -> None:
    screen, address = bar("Reports")

    assert label_of(to_gray(screen), address) is None
    found = reaim(remember(screen, middle(address), content=True), bar("Pictures - 12 files")[0])
    assert address.contains(found.point)


@pytest.mark.parametrize("before", [0, 5, 8, 10])
def test_a_label_above_that_begins_a_little_before_its_field_names_it(before: int) -> None:
    def page(label: str) -> tuple[Pixels, Box]:
        sheet = Sheet()
        sheet.word("New message", 60, 50)
        sheet.word(label, 200 - before, 110)
        return sheet.picture, sheet.frame(Box(200, 124, 300, 28))

    screen, field = page("Subject")
    evidence = remember(screen, middle(field), content=True)

    assert field.contains(reaim(evidence, screen).point)
    with pytest.raises(Rejected):
        reaim(evidence, page("Amount")[0])
