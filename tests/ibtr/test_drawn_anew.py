"""Windows that were drawn anew, with what stands around a target: fields, lists, labels, captions."""

from collections.abc import Sequence

import cv2
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

NAMES = ("Globex", "Initech", "Umbrella", "Hooli", "Wayne", "Stark")


def fields(labels: Sequence[str], scale: float = 1.0, *, dark: bool = False) -> tuple[Pixels, dict[str, Box]]:
    """Long empty fields, each after its label."""
    sheet = Sheet(scale, dark=dark)
    for index, label in enumerate(labels):
        y = 120 + round(44 * scale) * index
        sheet.word(label, 100, y)
        left = 110 + round(120 * scale)
        box = sheet.frame(Box(left, y - round(13 * scale), round(320 * scale), round(26 * scale)))
        sheet.boxes[label] = box
    return sheet.shown(), sheet.boxes


LABELLED = ("Search for:", "Replace with:", "Options", "Direction", "Comment")


@pytest.mark.parametrize(("scale", "dark"), [(1.25, False), (1.0, True), (1.25, True)])
def test_a_long_field_drawn_anew_is_found_by_its_label(scale: float, dark: bool) -> None:
    screen, boxes = fields(LABELLED)
    evidence = remember(screen, middle(boxes["Replace with:"]), content=True)
    anew, there = fields(LABELLED, scale, dark=dark)

    aim = reaim(evidence, anew)

    assert there["Replace with:"].contains(aim.point)


@pytest.mark.parametrize(("scale", "dark"), [(1.25, False), (1.0, True)])
def test_a_long_field_drawn_anew_with_another_label_is_refused(scale: float, dark: bool) -> None:
    screen, boxes = fields(LABELLED)
    evidence = remember(screen, middle(boxes["Replace with:"]), content=True)
    anew, _ = fields([w.replace("Replace with:", "Signed by:") for w in LABELLED], scale, dark=dark)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def table(names: Sequence[str], scale: float = 1.0, *, dark: bool = False) -> tuple[Pixels, dict[str, Box]]:
    """Equal buttons in every row, the names too far away to be in the picture around a click."""
    sheet = Sheet(scale, dark=dark)
    for line, name in enumerate(names):
        y = 120 + round(36 * scale) * line
        sheet.word(name, 80, y)
        sheet.word("open", 320 + round(40 * scale), y)
        for kind, x in (("Edit", 560), ("Delete", 660)):
            at = x + round(120 * (scale - 1) * 2)
            box = sheet.frame(Box(at, y - round(11 * scale), round(70 * scale), round(22 * scale)))
            sheet.word(kind, at + 10, y)
            sheet.boxes[f"{kind} {name}"] = box
    return sheet.shown(), sheet.boxes


@pytest.mark.parametrize(("scale", "dark"), [(1.25, False), (1.0, True), (1.25, True)])
def test_of_equal_buttons_drawn_anew_the_one_in_its_row_is_found(scale: float, dark: bool) -> None:
    screen, boxes = table(NAMES)
    evidence = remember(screen, middle(boxes["Edit Umbrella"]))
    anew, there = table(NAMES, scale, dark=dark)

    aim = reaim(evidence, anew)

    assert there["Edit Umbrella"].contains(aim.point)


@pytest.mark.parametrize(("scale", "dark"), [(1.25, False), (1.0, True), (1.25, True)])
@pytest.mark.parametrize("left", [("Globex",), ("Globex", "Initech", "Hooli", "Wayne", "Stark")])
def test_equal_buttons_drawn_anew_without_its_row_are_refused(
    scale: float, dark: bool, left: Sequence[str]
) -> None:
    screen, boxes = table(NAMES)
    evidence = remember(screen, middle(boxes["Edit Umbrella"]))
    anew, _ = table(left, scale, dark=dark)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def folder(names: Sequence[str], scale: float = 1.0) -> tuple[Pixels, dict[str, Box]]:
    """Files, all with the same icon, their names right below."""
    sheet = Sheet(scale)
    for number, name in enumerate(names):
        x = 120 + 120 * number
        sheet.boxes[name] = sheet.icon(90, x + 20, 160, cell=8)
        (width, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.45 * scale, 1)
        sheet.word(name, x + 40 - width // 2, 182 + round(10 * scale))
    for line, word in enumerate(("Places of mine", "Home Folder", "Recently used")):
        sheet.word(word, 110, 260 + round(30 * scale) * line)
    return sheet.shown(), sheet.boxes


FILES = ("budget", "minutes", "plan", "travel")


def test_an_icon_drawn_among_larger_letters_is_known_by_its_caption() -> None:
    screen, boxes = folder(FILES)
    evidence = remember(screen, middle(boxes["minutes"]))
    anew, there = folder(FILES, 1.3)

    aim = reaim(evidence, anew)

    assert there["minutes"].contains(aim.point)


@pytest.mark.parametrize("other", ["budget", "letters"])
def test_the_same_icon_above_another_caption_is_refused(other: str) -> None:
    screen, boxes = folder(FILES)
    evidence = remember(screen, middle(boxes["minutes"]))
    anew, _ = folder([other if name == "minutes" else name for name in FILES], 1.3)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def switches(labels: Sequence[str], scale: float = 1.0) -> tuple[Pixels, dict[str, Box]]:
    """Check boxes that are clicked anywhere in their row, also far behind the label; in another size dark."""
    sheet = Sheet(scale, dark=scale > 1)
    for line, label in enumerate(labels):
        y = 120 + round(26 * scale) * line
        sheet.frame(Box(100, y - 7, 14, 14))
        word = sheet.word(label, 122, y)
        sheet.boxes[label] = Box(100, word.y, word.right + round(140 * scale) - 100, word.height)
    return sheet.shown(), sheet.boxes


SWITCHES = ("Match case", "Whole words only", "Regular expression", "Wrap around", "Keep the selection")


def test_a_plain_spot_far_behind_its_label_is_found_by_that() -> None:
    screen, boxes = switches(SWITCHES)
    row = boxes["Regular expression"]
    evidence = remember(screen, middle(Box(row.right - 40, row.y, 30, row.height)))
    anew, there = switches(SWITCHES, 1.3)

    aim = reaim(evidence, anew)

    assert there["Regular expression"].grow(2).contains(aim.point)


def test_a_plain_spot_behind_another_label_is_refused() -> None:
    screen, boxes = switches(SWITCHES)
    row = boxes["Regular expression"]
    evidence = remember(screen, middle(Box(row.right - 40, row.y, 30, row.height)))
    anew, _ = switches([s.replace("Regular expression", "Similar words too") for s in SWITCHES], 1.3)

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def tree(names: Sequence[str], scale: float = 1.0) -> tuple[Pixels, dict[str, Box]]:
    """Rows so close that the icons before their names touch; a heading above, buttons over that."""
    sheet = Sheet(scale)
    for n, text in enumerate(("Create table", "Create index", "Modify table")):
        sheet.word(text, 110 + round(130 * scale) * n, 80)
    sheet.word("Name", 104, 80 + round(30 * scale))
    for line, name in enumerate(names):
        y = 80 + round(30 * scale) + round(20 * scale) * (line + 1)
        sheet.icon(70 + line, 104, y)
        word = sheet.word(name, 132, y)
        sheet.boxes[name] = Box(104, word.y, round(240 * scale), word.height)
    return sheet.shown(), sheet.boxes


OBJECTS = ("Tables (1)", "clients", "Indices (0)", "Views (0)", "Triggers (0)")


@pytest.mark.parametrize("name", ["Views (0)", "Indices (0)"])
def test_a_plain_spot_in_one_of_rows_that_touch_is_known_by_the_text_of_its_own_row(name: str) -> None:
    screen, boxes = tree(OBJECTS)
    evidence = remember(screen, middle(boxes[name]))
    anew, there = tree(OBJECTS, 1.25)

    aim = reaim(evidence, anew)

    assert there[name].contains(aim.point)


@pytest.mark.parametrize("other", ["Visits (0)", "Tokens (0)", ""])
def test_the_rows_above_and_below_do_not_tell_a_row_that_reads_otherwise(other: str) -> None:
    screen, boxes = tree(OBJECTS)
    evidence = remember(screen, middle(boxes["Views (0)"]))
    anew, _ = tree([n.replace("Views (0)", other) for n in OBJECTS], 1.25)

    with pytest.raises(Rejected):
        reaim(evidence, anew)
