"""The text that was clicked is read to its end: one letter more or less, and it is another target."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import LABELS, button, desktop, middle, window

ROWS = ("Backup Monday", "Backup Tuesday", "Restore Sunday", "Copy of Friday")


def listed(rows: tuple[str, ...]) -> Pixels:
    """A list of texts with nothing but paper to their right, under a title."""
    screen: Pixels = np.full((540, 960, 3), 250, np.uint8)
    cv2.rectangle(screen, (100, 100), (600, 400), (120, 120, 120), 1)
    for at, text in enumerate(("Jobs of this week", *rows)):
        place = (110, 130 + 24 * at)
        cv2.putText(screen, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
    return screen


@pytest.mark.parametrize("label", ["Save as...", "Save all", "Save us", "Save as PDF", "Save", "Rave as"])
def test_another_label_on_the_same_button_is_not_clicked(label: str) -> None:
    screen = desktop()
    box = window(screen)["Save as"]
    evidence = remember(screen, middle(box)._replace(x=box.x + 30))
    button(screen, box, label)

    with pytest.raises(Rejected):
        reaim(evidence, screen)


@pytest.mark.parametrize("right", [0, 240], ids=["on its text", "beside its text"])
@pytest.mark.parametrize("now", ["Backup Tuesdav", "Backup Tuesday 2", "Delete Tuesday", "Backup Tucsday"])
def test_a_row_that_reads_otherwise_is_not_clicked(right: int, now: str) -> None:
    evidence = remember(listed(ROWS), Point(140 + right, 174))

    with pytest.raises(Rejected):
        reaim(evidence, listed(tuple(now if row == ROWS[1] else row for row in ROWS)))


@pytest.mark.parametrize("right", [0, 240], ids=["on its text", "beside its text"])
def test_the_same_row_is_clicked(right: int) -> None:
    evidence = remember(listed(ROWS), Point(140 + right, 174))

    assert reaim(evidence, listed(ROWS)).point == pytest.approx((140 + right, 174), abs=1)


def test_a_caret_and_a_line_under_the_text_are_no_letters() -> None:
    evidence = remember(listed(ROWS), Point(140, 174))
    now = listed(ROWS)
    now[165:180, 236] = 0
    now[182, 112:180] = 60

    assert reaim(evidence, now).point == pytest.approx((140, 174), abs=1)


def test_the_text_of_a_field_that_is_filled_next_is_not_read() -> None:
    screen = desktop()
    box = window(screen)["Save as"]

    assert remember(screen, middle(box)).crop.line is not None
    assert remember(screen, middle(box), content=True).crop.line is None


def test_the_line_goes_through_the_parts_of_evidence() -> None:
    evidence = remember(listed(ROWS), Point(140, 174))
    line = evidence.crop.line

    assert Evidence.from_parts(*evidence.to_parts()).crop.line == line
    assert line is not None
    assert Box(0, 0, *evidence.crop.size).intersect(line) == line


def toolbar(enabled: bool) -> tuple[Pixels, list[Box]]:
    """Icons of 24 px beside one another; the fourth greyed out or not."""
    screen: Pixels = np.full((300, 900, 3), 240, np.uint8)
    boxes = [Box(200 + 36 * n, 100, 24, 24) for n in range(8)]
    for n, box in enumerate(boxes):
        dark = 60 if n != 3 or enabled else 190
        corners = np.random.default_rng(n).integers(1, 22, (6, 2)) + np.array([box.x, box.y])
        cv2.polylines(
            screen, [corners.astype(np.int32)], isClosed=True, color=(dark, dark, dark), thickness=2
        )
        cv2.rectangle(screen, (box.x, box.y), (box.x + 4 + 2 * n, box.y + 5), (dark, dark, dark), -1)
    cv2.putText(screen, "Untitled letter", (200, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1)
    return screen, boxes


def test_the_icons_of_a_toolbar_are_no_text_that_must_read_the_same() -> None:
    screen, boxes = toolbar(enabled=False)
    evidence = remember(screen, middle(boxes[5]))

    aim = reaim(evidence, toolbar(enabled=True)[0])

    assert aim.point == pytest.approx(middle(boxes[5]), abs=1)


@pytest.mark.parametrize("power", [0.7, 1.4])
def test_another_monitor_profile_changes_no_letter_and_hides_none(power: float) -> None:
    table = (255 * (np.arange(256) / 255) ** power).round().astype(np.uint8)
    screen, other = desktop(), desktop()
    boxes = window(screen)
    window(other, labels=tuple("Undc" if label == "Undo" else label for label in LABELS))
    evidence = remember(screen, middle(boxes["Undo"]))

    assert reaim(evidence, table[screen]).point == pytest.approx(middle(boxes["Undo"]), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, table[other])


def player(behind: int) -> tuple[Pixels, Point]:
    """A window that begins right before its menus, on a ground of that level, and one of the menus."""
    sheet, at, found = Sheet(), 206, Point(0, 0)
    sheet.picture[:] = behind
    sheet.frame(Box(200, 150, 700, 300), (250, 250, 250))
    sheet.picture[210, 200:900] = 90
    for name in ("Media", "Playback", "Audio", "Video", "Subtitle", "Tools"):
        box = sheet.word(name, at, 192)
        at, found = box.right + 8, middle(box) if name == "Audio" else found
    for n, name in enumerate(("Track", "Device", "Volume", "Mute", "Balance")):
        sheet.word(name, 240, 240 + 36 * n)
        sheet.word(name, 60, 100 + 40 * n)
    return sheet.picture, found


def test_beyond_the_border_of_its_window_nothing_goes_on_with_a_text() -> None:
    screen, audio = player(behind=236)

    aim = reaim(remember(screen, audio), player(behind=90)[0])

    assert aim.representation == "gray"
    assert aim.point == pytest.approx(audio, abs=1)
