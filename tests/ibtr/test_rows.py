"""Rows and icons that differ in a word or a letter: the one that reads as recorded, or none."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.screens import button, middle

INITECH, GLOBEX, HOOLI = ("Initech", "120.00"), ("Globex", "455.00"), ("Hooli", "99.50")
BILLS = (INITECH, GLOBEX, HOOLI)
ACME, STARK, WAYNE = ("Acme", "7.00"), ("Stark", "18.00"), ("Wayne", "61.25")
LONG = (*BILLS, STARK, WAYNE)
Row = tuple[str, str]


def write(screen: Pixels, text: str, x: int, y: int) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


def approve(at: int, pitch: int) -> Box:
    return Box(620, 120 + pitch * at, 84, 24)


def bills(rows: Sequence[Row], pitch: int, below: int) -> Pixels:
    """A table with a button in each row; the text stands lower than the button by `below`."""
    screen: Pixels = np.full((540, 960, 3), 255, np.uint8)
    write(screen, "Invoices", 40, 60)
    for at, (name, amount) in enumerate(rows):
        box = approve(at, pitch)
        write(screen, name, 60, box.y + 17 + below)
        write(screen, amount, 260, box.y + 17 + below)
        button(screen, box, "Approve")
    return screen


def with_form(screen: Pixels) -> Pixels:
    """The same screen, with labels and fields to the right of the table."""
    for n, label in enumerate(("Client", "Phone", "City", "E-mail")):
        field = Box(866, 112 + 29 * n, 76, 22)
        write(screen, label, 800, field.y + 16)
        cv2.rectangle(screen, (field.x, field.y), (field.right, field.bottom), (120, 120, 120), 1)
    cv2.line(screen, (950, 80), (950, 400), (120, 120, 120), 1)
    return screen


@pytest.mark.parametrize("now", [(ACME, *LONG), LONG[::-1]], ids=["one more", "turned around"])
def test_a_form_beside_a_list_is_no_part_of_its_rows(now: Sequence[Row]) -> None:
    """Its lines are as many, and nearly as far apart."""
    evidence = remember(with_form(bills(LONG, 34, 0)), middle(approve(1, 34)))

    aim = reaim(evidence, with_form(bills(now, 34, 0)))

    assert aim.point == pytest.approx(middle(approve(now.index(GLOBEX), 34)), abs=1)


def test_of_a_list_and_a_copy_of_a_part_of_it_elsewhere_neither_is_clicked() -> None:
    """The window may have been moved, and the old place not yet be painted over."""
    screen = bills(LONG, 34, 0)
    evidence = remember(screen, middle(approve(1, 34)))
    now = screen.copy()
    now[320:520, 700:900] = screen[90:290, 560:760]

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, now)


@pytest.mark.parametrize(("pitch", "below"), [(34, 0), (56, 0), (56, 7), (24, 0)])
@pytest.mark.parametrize(
    "now",
    [
        (GLOBEX, INITECH, HOOLI),
        (HOOLI, INITECH, GLOBEX),
        (("Acme", "12.00"), ("Umbrella", "310.00"), HOOLI),
        (INITECH, ("Global", "455.00"), HOOLI),
        (INITECH, ("Globey", "455.00"), HOOLI),
        (INITECH, ("Globex", "456.00"), HOOLI),
        (INITECH, ("Globex Ltd", "455.00"), HOOLI),
        (INITECH, HOOLI),
    ],
    ids=lambda rows: " ".join(" ".join(row) for row in rows),
)
def test_only_the_row_that_reads_the_same_is_clicked(pitch: int, below: int, now: tuple[Row, ...]) -> None:
    evidence = remember(bills(BILLS, pitch, below), middle(approve(1, pitch)))

    try:
        aim = reaim(evidence, bills(now, pitch, below))
    except Rejected:
        return

    at = next(at for at in range(len(now)) if approve(at, pitch).contains(aim.point))
    assert now[at] == GLOBEX


@pytest.mark.parametrize(("pitch", "below"), [(34, 0), (56, 0), (56, 7), (24, 0)])
def test_a_row_is_found_among_more_rows(pitch: int, below: int) -> None:
    evidence = remember(bills(BILLS, pitch, below), middle(approve(1, pitch)))

    aim = reaim(evidence, bills((("Zeta", "1.00"), *BILLS), pitch, below))

    assert approve(2, pitch).contains(aim.point)


def test_where_what_tells_a_row_varies_the_others_are_not_guessed() -> None:
    recorded = bills(BILLS, 56, 7)
    cells = [Box(55, approve(at, 56).y - 5, 320, 40) for at in range(3)]
    evidence = remember(recorded, middle(approve(1, 56)), vary=cells)

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, bills((GLOBEX, INITECH, HOOLI), 56, 7))


def test_a_row_that_reads_an_input_is_not_found_by_the_rest_of_that_day() -> None:
    recorded = bills(BILLS, 56, 0)
    name = Box(58, approve(1, 56).y, 60, 24)
    evidence = remember(recorded, middle(approve(1, 56)), inputs=[name])

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, recorded)


def icons(names: Sequence[str]) -> Pixels:
    screen: Pixels = np.full((540, 960, 3), 255, np.uint8)
    write(screen, "Home  Documents", 40, 60)
    for at, name in enumerate(names):
        left = icon(at).x
        cv2.rectangle(screen, (left, 150), (left + 34, 194), (120, 120, 120), 1)
        for line in range(160, 188, 6):
            cv2.line(screen, (left + 5, line), (left + 29, line), (90, 90, 90), 1)
        width = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)[0][0]
        write(screen, name, left + 17 - width // 2, 212)
    return screen


def icon(at: int) -> Box:
    return Box(120 + 130 * at, 150, 35, 45)


@pytest.mark.parametrize(
    "now",
    [
        ("report1.txt", "report3.txt"),
        ("report2.txt", "report1.txt", "report3.txt"),
        ("report1.txt", "report3.txt", "report2.txt"),
        ("report1.txt", "report8.txt", "report3.txt"),
    ],
    ids=" ".join,
)
def test_only_the_icon_of_that_name_is_clicked(now: tuple[str, ...]) -> None:
    evidence = remember(icons(("report1.txt", "report2.txt", "report3.txt")), middle(icon(1)))

    try:
        aim = reaim(evidence, icons(now))
    except Rejected:
        return

    assert now[next(at for at in range(len(now)) if icon(at).contains(aim.point))] == "report2.txt"
