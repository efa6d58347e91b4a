"""A target in a dialog: found where the dialog says what it said, refused where it says anything else."""

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import MissingTarget
from ibtr.evidence import Evidence
from ibtr.geometry import Box
from ibtr.panel import LARGEST, place_of, still_there
from ibtr.pixels import Pixels
from tests.ibtr.screens import button, desktop, middle

ASKED = "Delete the file notes.txt?"


def yes(at: Box) -> Box:
    return Box(at.right - 100, at.bottom - 40, 84, 28)


def dialog(question: str, at: Box = Box(300, 180, 360, 120), more: str = "", other: str = "No") -> Pixels:  # noqa: B008
    screen = desktop()
    cv2.rectangle(screen, (at.x, at.y), (at.right - 1, at.bottom - 1), (228, 226, 224), -1)
    for text, below in ((question, 34), (more, 58)):
        cv2.putText(
            screen,
            text,
            (at.x + 20, at.y + below),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.5,
            (40, 40, 40),
            1,
            cv2.LINE_AA,
        )
    button(screen, yes(at), "Yes")
    button(screen, yes(at)._replace(x=at.right - 200), other)
    return screen


def recorded(at: Box = Box(300, 180, 360, 120), **more: list[Box]) -> Evidence:  # noqa: B008
    return remember(dialog(ASKED, at), middle(yes(at)), panel=at, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [Box(300, 180, 360, 120), Box(120, 260, 360, 120), Box(300, 180, 384, 120)])
def test_the_same_question_is_answered_wherever_it_is_asked(at: Box) -> None:
    aim = reaim(recorded(), dialog(ASKED, at))

    assert aim.point == pytest.approx(middle(yes(at)), abs=1)


@pytest.mark.parametrize(
    "question",
    [
        "Delete the file motes.txt?",
        "Delete the file notes.tst?",
        "Delete the file note.txt?",
        "Delete the files notes.txt?",
        "Delete all files?",
        "Rename the file notes.txt?",
        "Delete the file notes.txt? All?",
        "Delete the file votes.txt?",
        "",
    ],
)
def test_another_question_is_not_answered(question: str) -> None:
    with pytest.raises(MissingTarget, match="the dialog says something else than recorded") as no:
        reaim(recorded(), dialog(question))

    assert {"panel", "apart", "new_ink"} <= no.value.evidence.keys()


def test_a_line_more_or_another_way_out_is_another_question() -> None:
    for other in (dialog(ASKED, more="This cannot be undone."), dialog(ASKED, other="All")):
        with pytest.raises(MissingTarget, match="the dialog says something else than recorded"):
            reaim(recorded(), other)


@pytest.mark.parametrize("name", ["notes.txt", "a.txt", "invoice-2024.txt"])
def test_what_is_known_to_vary_may_read_otherwise_and_only_that(name: str) -> None:
    width = cv2.getTextSize("Delete the file ", cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)[0][0]
    long = cv2.getTextSize("notes.txt", cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)[0][0]
    evidence = recorded(inputs=[Box(320 + width, 196, long + 2, 28)])

    aim = reaim(evidence, dialog(f"Delete the file {name}?"))

    assert aim.point == pytest.approx(middle(yes(Box(300, 180, 360, 120))), abs=1)
    with pytest.raises(MissingTarget):
        reaim(evidence, dialog(f"Rename the file {name}?"))


def test_without_a_panel_the_question_is_not_read() -> None:
    at = Box(300, 180, 360, 120)
    evidence = remember(dialog(ASKED), middle(yes(at)))

    assert evidence.crop.panel is None
    assert reaim(evidence, dialog("Delete the file votes.txt?")).point == pytest.approx(
        middle(yes(at)), abs=1
    )


def test_a_window_that_is_too_large_to_be_a_dialog_is_not_read() -> None:
    whole = Box(0, 0, 960, 540)

    evidence = remember(dialog(ASKED), middle(yes(Box(300, 180, 360, 120))), panel=whole)

    assert whole.area > LARGEST
    assert evidence.crop.panel is None


@pytest.mark.parametrize(("lines", "read"), [(1, True), (15, False)])
def test_a_large_dialog_is_read_if_it_says_little(lines: int, read: bool) -> None:
    at = Box(60, 20, 820, 420)
    screen = dialog(ASKED, at)
    for row in range(lines):
        where = at.x + 20, at.y + 80 + 20 * row
        cv2.putText(
            screen, "Nothing is kept of it", where, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40,) * 3, 1, cv2.LINE_AA
        )

    evidence = remember(screen, middle(yes(at)), panel=at)

    assert at.area > LARGEST
    assert (evidence.crop.panel is not None) == read


def test_a_panel_comes_back_from_its_parts() -> None:
    evidence = recorded()

    again = Evidence.from_parts(*evidence.to_parts())

    assert again.crop.panel is not None
    assert evidence.crop.panel is not None
    assert again.crop.panel.source == Box(300, 180, 360, 120)
    assert np.array_equal(again.crop.panel.image, evidence.crop.panel.image)


def test_a_dialog_is_there_until_it_is_gone() -> None:
    at, screen = Box(300, 180, 360, 120), dialog(ASKED)
    panel = recorded().crop.panel
    lit = screen.copy()
    button(lit, yes(at), "Yes", fill=(255, 240, 220))

    assert panel is not None
    assert place_of(panel, reaim(recorded(), screen)) == at
    assert still_there(screen, lit, at)
    assert not still_there(screen, desktop(), at)
