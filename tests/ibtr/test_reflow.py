"""A window of another width: columns stand closer, fields are shorter, buttons keep to the right."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import Evidence, reaim, remember, verify
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut, size_of
from ibtr.stretched import STRETCHED
from tests.ibtr.screens import button, middle

Row = tuple[str, str, str]
CLIENTS: tuple[Row, ...] = (
    ("Globex", "555-0142", "Springfield"),
    ("Initech", "555-0199", "Austin"),
    ("Umbrella", "555-0171", "Raccoon"),
    ("Hooli", "555-0123", "Palo Alto"),
    ("Stark", "555-0188", "New York"),
)
LINKS = ("Orders", "Customers", "Products", "Reports", "Settings")
FIELDS = ("Company", "Street", "Postal code", "Contact", "Telephone", "E-mail")


def write(screen: Pixels, text: str, x: int, y: int) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


def page(width: int, clients: Sequence[Row] = CLIENTS) -> tuple[Pixels, dict[str, Box]]:
    """Links spread over the width, a form of three columns, and a table whose buttons stand at its right."""
    screen: Pixels = np.full((620, width, 3), 250, np.uint8)
    boxes: dict[str, Box] = {}
    for n, link in enumerate(LINKS):
        x = 20 + n * (width - 140) // (len(LINKS) - 1)
        write(screen, link, x, 30)
        boxes[link] = Box(x, 16, 9 * len(link), 18)
    column = (width - 80) // 3
    for n, name in enumerate(FIELDS):
        box = Box(20 + n % 3 * (column + 20), 78 + n // 3 * 64, column, 28)
        write(screen, name, box.x, box.y - 8)
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (255, 255, 255), -1)
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (120, 120, 120), 1)
        boxes[name] = box
    for n, (name, phone, city) in enumerate(clients):
        y = 220 + 40 * n
        for text, share in ((name, 0.0), (phone, 0.3), (city, 0.55)):
            write(screen, text, 24 + round(share * (width - 120)), y + 20)
        boxes[name] = Box(width - 90, y + 2, 60, 28)
        button(screen, boxes[name], "Edit")
    write(screen, "Client list, sorted by date", 20, 480)
    return screen, boxes


@pytest.mark.parametrize("width", [1366, 1280, 1000])
@pytest.mark.parametrize("name", [row[0] for row in CLIENTS])
def test_the_button_of_a_row_is_found_by_what_the_row_reads_wherever_its_columns_stand(
    name: str, width: int
) -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes[name]))
    narrow, there = page(width)

    aim = reaim(evidence, narrow)

    assert aim.point == pytest.approx(middle(there[name]), abs=1)


def test_a_letter_with_dots_is_another_one_in_a_row_that_is_drawn_with_its_own_pixels() -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes["Umbrella"]))
    dotted = screen.copy()
    (width, height), _ = cv2.getTextSize("U", cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x, y = 24 + width + 4, boxes["Umbrella"].y + 18 - height  # above the m
    dotted[y : y + 1, x : x + 2] = dotted[y : y + 1, x + 4 : x + 6] = 98

    with pytest.raises(Rejected):
        reaim(evidence, dotted)


@pytest.mark.parametrize(
    "other",
    [
        ("Umbrelia", "555-0171", "Raccoon"),
        ("Umbrella", "555-0177", "Raccoon"),
        ("Umbrella", "555-0171", "Racoon"),
        ("Umbrella II", "555-0171", "Raccoon"),
    ],
)
def test_a_row_that_reads_otherwise_is_refused_at_another_width_too(other: Row) -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes["Umbrella"]))
    changed, _ = page(1280, [*CLIENTS[:2], other, *CLIENTS[3:]])

    with pytest.raises(Rejected):
        reaim(evidence, changed)


def test_a_row_with_something_more_in_it_is_another_row() -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes["Hooli"]))
    narrow, there = page(1280)
    write(narrow, "closed", there["Hooli"].x - 200, there["Hooli"].y + 18)

    with pytest.raises(Rejected):
        reaim(evidence, narrow)


@pytest.mark.parametrize("link", LINKS[::2])
def test_a_lone_target_is_at_home_among_its_words_wherever_they_moved(link: str) -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes[link]))
    narrow, there = page(1100)

    aim = reaim(evidence, narrow)

    assert there[link].grow(3).contains(aim.point)


def test_a_lone_target_among_other_words_is_not_at_home() -> None:
    screen, boxes = page(1600)
    evidence = remember(screen, middle(boxes["Products"]))
    elsewhere: Pixels = np.full((620, 1100, 3), 250, np.uint8)
    write(elsewhere, "Products", 500, 30)
    for n, text in enumerate(("Terms of use", "Privacy", "Imprint", "Jobs", "Press")):
        write(elsewhere, text, 60 + 190 * n, 90 + 12 * n)

    with pytest.raises(Rejected):
        reaim(evidence, elsewhere)


@pytest.mark.parametrize("width", [1600, 1366, 1000])
@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_another_width_is_found_by_its_label_and_holds_when_looked_at_again(
    name: str, width: int
) -> None:
    screen, boxes = page(1900)
    evidence = remember(screen, middle(boxes[name]), content=True)
    narrow, there = page(width)

    aim = reaim(evidence, narrow)

    assert there[name].contains(aim.point)
    if aim.representation == STRETCHED:
        patch = aim.patch.clip(size_of(narrow))
        verify(evidence, aim, cut(narrow, patch).copy(), Point(patch.x, patch.y))


def test_a_field_is_not_found_under_another_label() -> None:
    screen, boxes = page(1900)
    evidence = remember(screen, middle(boxes["Street"]), content=True)
    narrow, there = page(1366)
    box = there["Street"]
    cut(narrow, Box(box.x - 2, box.y - 24, 120, 22))[:] = 250
    write(narrow, "Fax", box.x, box.y - 8)

    with pytest.raises(Rejected):
        reaim(evidence, narrow)


def test_a_stored_field_keeps_what_names_it() -> None:
    screen, boxes = page(1900)

    anchor = remember(screen, middle(boxes["Street"]), content=True).crop

    assert anchor.field is not None and anchor.label is not None
    assert Evidence.from_parts(*Evidence((anchor,)).to_parts()).crop.label == anchor.label
    above = Point(anchor.field.x + anchor.source.x, anchor.label.bottom + anchor.source.y)
    assert above == pytest.approx((boxes["Street"].x, boxes["Street"].y - 6), abs=8)


def test_what_stands_in_the_field_above_is_no_label() -> None:
    screen: Pixels = np.full((400, 900, 3), 240, np.uint8)
    boxes = [Box(260, 80 + 40 * n, 400, 28) for n in range(3)]
    for box, name in zip(boxes, ("Search for:", "Replace with:", "In folder:"), strict=True):
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (255, 255, 255), -1)
        cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (120, 120, 120), 1)
        write(screen, name, 130, box.y + 19)
    write(screen, "Globex", boxes[0].x + 6, boxes[0].y + 19)
    now = screen.copy()
    cut(now, Box(boxes[0].x + 3, boxes[0].y + 3, 120, 22))[:] = 255
    write(now, "Initech", boxes[0].x + 6, boxes[0].y + 19)

    evidence = remember(screen, middle(boxes[1]), content=True)

    label = evidence.crop.label
    assert label is not None and label.x + evidence.crop.source.x == pytest.approx(130, abs=4)
    assert boxes[1].contains(reaim(evidence, now).point)


def shop(width: int, links: Sequence[str] = LINKS, *, by: float = 0.0) -> tuple[Pixels, dict[str, Box]]:
    """Underlined links over the width, drawn `by` parts of a pixel further on, and a few words below them."""
    screen: Pixels = np.full((400, width, 3), 250, np.uint8)
    cv2.rectangle(screen, (0, 0), (width - 1, 50), (238, 238, 244), -1)
    boxes: dict[str, Box] = {}
    for n, link in enumerate(links):
        x = 20 + n * (width - 140) // (len(links) - 1)
        write(screen, link, x, 30)
        screen[34, x : x + 9 * len(link)] = 60
        boxes[link] = Box(x, 16, 9 * len(link), 20)
    for n, word in enumerate(("New client", "Import", "Export", "Filter")):
        write(screen, word, 20 + n * (width - 160) // 4, 90)
    matrix = np.array([[1, 0, by], [0, 1, 0]], np.float64)
    there = cv2.warpAffine(screen[:50], matrix, (width, 50), borderMode=cv2.BORDER_REPLICATE)
    screen[:50] = there
    return screen, boxes


@pytest.mark.parametrize("by", [0.3, 0.5])
@pytest.mark.parametrize("name", LINKS)
def test_an_underlined_link_is_read_between_the_pixels(name: str, by: float) -> None:
    screen, boxes = shop(1600)
    evidence = remember(screen, middle(boxes[name]))
    narrow, there = shop(1366, by=by)

    aim = reaim(evidence, narrow)

    assert aim.point == pytest.approx(middle(there[name]), abs=2)


@pytest.mark.parametrize("other", ["Reperts", "Report", "Exports", "Reports 2"])
def test_another_link_in_its_place_is_not_clicked(other: str) -> None:
    screen, boxes = shop(1600)
    evidence = remember(screen, middle(boxes["Reports"]))

    with pytest.raises(Rejected):
        reaim(evidence, shop(1366, [other if link == "Reports" else link for link in LINKS], by=0.5)[0])


def letter(*names: str, width: int = 1300, text: str = "Dear client") -> tuple[Pixels, dict[str, Box]]:
    """A form of long fields, each with its name before it, over a text."""
    screen: Pixels = np.full((520, width, 3), 240, np.uint8)
    boxes: dict[str, Box] = {}
    write(screen, "New message", 40, 30)
    for n, name in enumerate(names):
        boxes[name] = box = Box(110, 76 + 34 * n, width - 130, 24)
        write(screen, name, 20, box.y + 17)
        cv2.rectangle(screen, box[:2], (box.right - 1, box.bottom - 1), (255, 255, 255), -1)
        cv2.rectangle(screen, box[:2], (box.right - 1, box.bottom - 1), (130, 130, 130), 1)
    write(screen, text, 40, 300)
    return screen, boxes


def in_field(box: Box, share: float) -> Point:
    return Point(box.x + round(share * box.width), box.y + 12)


@pytest.mark.parametrize("name", ["To", "Cc", "Subject"])
def test_a_field_wider_than_what_is_kept_is_known_by_its_name(name: str) -> None:
    screen, boxes = letter("To", "Cc", "Bcc", "Subject")
    click = in_field(boxes[name], 0.15)
    evidence = remember(screen, click, content=True)

    aim = reaim(evidence, letter("To", "Cc", "Bcc", "Subject", text="Hello Anna")[0])

    assert aim.point == pytest.approx(click, abs=1)


@pytest.mark.parametrize(
    "now",
    [("To", "Bcc", "Cc", "Subject"), ("To", "Bcc", "Subject"), ("From", "To", "Bcc", "Subject")],
    ids=["swapped", "hidden", "another above"],
)
@pytest.mark.parametrize("share", [0.15, 0.5, 0.8])
@pytest.mark.parametrize("width", [1300, 1100])
def test_another_field_in_its_place_is_not_filled(now: tuple[str, ...], share: float, width: int) -> None:
    screen, boxes = letter("To", "Cc", "Bcc", "Subject")
    evidence = remember(screen, in_field(boxes["Cc"], share), content=True)
    other, there = letter(*now, width=width, text="Hello Anna")

    try:
        aim = reaim(evidence, other)
    except Rejected:
        return
    assert "Cc" in there
    assert there["Cc"].contains(aim.point)


def test_fields_that_begin_at_the_edge_of_the_screen_are_kept() -> None:
    screen = letter("To", "Cc", "Bcc", "Subject")[0][:, 110:].copy()

    evidence = remember(screen, Point(500, 122), content=True)

    assert evidence.crop.row is None
    assert evidence.crop.twin
