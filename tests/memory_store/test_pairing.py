import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

SIZES = Searchable("m", "Make the first textbox 60 pt and the second 28 pt on slide 14")
SIDES = Searchable(
    "m", "Align the text on slide 3 to the right, on slide 4 to the center, on slide 5 to the left"
)
HEIGHTS = Searchable("m", "Set the height to 20, 30, 25 cm on slides 3, 4, 6 respectively")
COLORS = Searchable("m", "Paint the border red and the background blue")


def is_reversed(memory: Searchable, request: str) -> bool:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    put(db, memory)
    found = find(Ask(request), Index(db))
    db.close()
    return any(point.kind is Objection.REVERSED for point in found.candidates[0].against)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (SIZES, "Make the first textbox 28 pt and the second 60 pt on slide 14"),
        (SIDES, "Align the text on slide 3 to the left, on slide 4 to the center, on slide 5 to the right"),
        (SIDES, "slide 3 center, slide 4 left, slide 5 right, align the text"),
        (HEIGHTS, "Set the height to 20, 25, 30 cm on slides 3, 4, 6 respectively"),
        (COLORS, "Paint the border blue and the background red"),
    ],
)
def test_the_same_values_on_other_things_are_another_wish(memory: Searchable, request_text: str) -> None:
    assert is_reversed(memory, request_text)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (SIZES, "On slide 14 make the second textbox 28 pt and the first 60 pt"),
        (SIDES, "Align text: slide 5 left, slide 4 center, slide 3 right"),
        (HEIGHTS, "Slides 3, 4, 6: set the height to 20, 30, 25 cm"),
        (COLORS, "Paint the background blue and the border red"),
    ],
)
def test_the_same_pairs_in_another_order_are_the_same_wish(memory: Searchable, request_text: str) -> None:
    assert not is_reversed(memory, request_text)


@given(order=st.permutations([("3", "20"), ("4", "30"), ("6", "25")]))
def test_pairs_may_be_named_in_any_order(order: list[tuple[str, str]]) -> None:
    said = ", ".join(f"slide {slide} height {height} cm" for slide, height in order)

    assert not is_reversed(HEIGHTS, said)
