"""Windows that were drawn anew, with what stands around a target: bars, lists, labels, captions."""

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
