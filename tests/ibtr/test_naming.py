"""What names a target whose row reads like those of its equals: labels, questions and headings above it."""

from collections.abc import Sequence
from contextlib import suppress

import pytest

from ibtr import Evidence, reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from tests.ibtr.drawing import Sheet
from tests.ibtr.screens import middle

LABELS = ("E-mail", "Street", "Country")


def form(labels: Sequence[str], lower: int = 0) -> tuple[Pixels, dict[str, Box]]:
    """Fields below one another that hold the same, each with its label above, some pixels higher."""
    sheet, boxes = Sheet(), dict[str, Box]()
    sheet.word("Address of the client", 60, 60)
    for index, label in enumerate(labels):
        top = 100 + 64 * index
        sheet.word(label, 60, top + lower)
        boxes[label] = sheet.frame(Box(60, top + 18, 220, 28))
        sheet.word("Austin", 70, top + 32)
    sheet.word("Nothing is sent before you say so", 60, 108 + 64 * len(labels))
    return sheet.shown(), boxes


def filled(label: str) -> Evidence:
    screen, boxes = form(LABELS)
    return remember(screen, middle(boxes[label]), content=True)


def test_a_field_is_filled_where_its_label_is() -> None:
    screen, boxes = form(LABELS)

    for label in LABELS:
        assert boxes[label].contains(reaim(filled(label), screen).point)


def test_a_label_may_be_set_a_pixel_higher() -> None:
    screen, boxes = form(LABELS, lower=-1)

    assert boxes["Street"].contains(reaim(filled("Street"), screen).point)


@pytest.mark.parametrize(
    "labels", [("E-mail", "Town", "Country"), ("E-mail", "Country"), ("E-mail", "Streets", "Country")]
)
def test_the_same_field_under_another_label_is_refused(labels: Sequence[str]) -> None:
    screen, _ = form(labels)

    with pytest.raises(Rejected):
        reaim(filled("Street"), screen)


def test_a_field_that_moved_with_its_label_is_not_sought_at_its_old_place() -> None:
    screen, boxes = form(("Telephone", *LABELS))

    with suppress(Rejected):  # it may be refused: what stood around it is another
        assert boxes["Street"].contains(reaim(filled("Street"), screen).point)


def questions(asked: Sequence[str]) -> tuple[Pixels, list[Point]]:
    """Questions with the same two answers below each."""
    sheet, answers = Sheet(), list[Point]()
    for index, question in enumerate(asked):
        top = 90 + 60 * index
        sheet.word(question, 60, top)
        sheet.frame(Box(64, top + 18, 13, 13))
        sheet.word("Yes", 84, top + 24)
        sheet.frame(Box(124, top + 18, 13, 13))
        sheet.word("No", 144, top + 24)
        answers.append(Point(70, top + 24))
    sheet.word("Thank you", 60, 100 + 60 * len(asked))
    return sheet.shown(), answers


def test_the_answer_to_another_question_is_refused() -> None:
    screen, answers = questions(("Do you travel alone?", "Is there a garden?", "Should we call?"))
    evidence = remember(screen, answers[1])
    other, _ = questions(("Do you travel alone?", "Is there a lift?", "Should we call?"))

    assert reaim(evidence, screen).point == pytest.approx(answers[1], abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, other)


def lined(label: str) -> tuple[Pixels, Box]:
    """One field with its label right before it, and a line of text above and below."""
    sheet = Sheet()
    sheet.word("Values of the room that was measured", 60, 60)
    sheet.word(label, 60, 114)
    own = sheet.frame(Box(190, 100, 170, 28))
    sheet.word("They are kept for thirty days, and can be changed", 60, 160)
    sheet.word("until then by whoever has written them", 60, 184)
    return sheet.shown(), own


@pytest.mark.parametrize("label", ["Room 101", "Room 1071", "Room 17"])
def test_a_field_that_is_filled_is_named_by_the_label_before_it_though_it_has_no_equals(label: str) -> None:
    screen, own = lined("Room 107")
    evidence = remember(screen, middle(own), content=True)

    assert own.contains(reaim(evidence, screen).point)
    with pytest.raises(Rejected):
        reaim(evidence, lined(label)[0])


def survey(asked: Sequence[str], answered: str = "") -> tuple[Pixels, dict[str, Box]]:
    """Questions, each with its two answers below; of one that is answered only the question is left."""
    sheet, boxes, y = Sheet(), dict[str, Box](), 80
    sheet.word("Before you leave", 60, 50)
    for question in asked:
        sheet.word(question, 60, y)
        if question == answered:
            y += 34
            continue
        boxes[question] = sheet.frame(Box(60, y + 24, 70, 26))
        sheet.word("Yes", 78, y + 37)
        sheet.frame(Box(150, y + 24, 70, 26))
        sheet.word("No", 170, y + 37)
        y += 94
    return sheet.picture, boxes


def test_the_answer_to_the_next_question_is_not_given_where_this_one_is_answered() -> None:
    asked = ("Keep the draft?", "Send the report?", "Delete all messages?", "Close the window?")
    screen, boxes = survey(asked)
    evidence = remember(screen, middle(boxes["Send the report?"]))

    assert reaim(evidence, screen).point == pytest.approx(middle(boxes["Send the report?"]), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, survey(asked, "Send the report?")[0])
