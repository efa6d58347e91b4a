import sqlite3

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, FlexibleValue, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

CLIENT, PHONE = FlexibleValue("client", "text", "Globex"), FlexibleValue("phone", "text", "555-0199")
INTENT = "Change the phone number of the client Globex to 555-0199"


def objections(request: str, *inputs: FlexibleValue, fixed: tuple[str, ...] = ()) -> set[Objection]:
    memory = Searchable(
        "m", INTENT, ("update client phone number",), fixed_values=fixed, flexible_inputs=inputs
    )
    return against(memory, request)


def against(memory: Searchable, request: str) -> set[Objection]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    put(db, memory)
    found = find(Ask(request), Index(db))
    db.close()
    return {point.kind for point in found.candidates[0].against}


@pytest.mark.parametrize(
    "request_text",
    [
        "change the phone number of client Globex to 555-0199",
        "change the phone number of client Initech to 555-0142",
        "change the phone number of client Umbrella Labs to 555-0142",
        "change the phone number of client Globex to 555-0142",
    ],
)
def test_inputs_take_the_values_of_the_request(request_text: str) -> None:
    assert objections(request_text, CLIENT, PHONE) == set()


def test_an_input_nobody_gave_a_value_for_needs_a_second_look() -> None:
    assert objections("update client phone number", CLIENT, PHONE) == {Objection.NARROWER}


def test_a_general_intent_leaves_the_values_to_the_caller() -> None:
    memory = Searchable("m", "Change a client's phone number", flexible_inputs=(CLIENT, PHONE))

    assert against(memory, "change a client's phone number") == set()


def test_a_value_of_another_kind_finds_no_place() -> None:
    number = FlexibleValue("phone", "number", "5550199")

    assert Objection.FIXED_VALUE in objections("set phone of client Globex to bob@x.example", CLIENT, number)


def test_a_typed_value_need_not_be_said_and_may_be() -> None:
    request = "change the phone number of the client Globex to 555-0199"

    assert objections(request, fixed=("portal.example",)) == set()
    assert objections(f"{request} on portal.example", fixed=("portal.example",)) == set()
    assert objections(f"{request} on other.example", fixed=("portal.example",)) == {Objection.FIXED_VALUE}


@pytest.mark.parametrize("number", ["555-7777", "(555) 123-7777", "+49 30 5557777", "5557777"])
@pytest.mark.parametrize("order", [(CLIENT, PHONE), (PHONE, CLIENT)])
def test_a_telephone_number_is_one_value_however_it_is_written(
    number: str, order: tuple[FlexibleValue, ...]
) -> None:
    assert objections(f"change the phone number of client Globex to {number}", *order) == set()


@pytest.mark.parametrize(
    ("kind", "recorded", "asked"),
    [
        ("date", "2025-03-01", "2025-06-14"),
        ("date", "2025-03-01", "14.6.2025"),
        ("date", "1 March 2025", "14 June 2026"),
        ("date", "1 March 2025", "June 14th, 2026"),
        ("number", "12", "31"),
        ("email", "ann@x.example", "bob@y.example"),
        ("url", "https://a.example/x", "https://b.example/y"),
        ("filename", "/home/a/report.pdf", "/home/b/letter.odt"),
        ("filename", "report.pdf", "letter.odt"),
        ("text", "red", "blue"),
    ],
)
def test_each_kind_of_input_takes_another_value_of_its_kind(kind: str, recorded: str, asked: str) -> None:
    memory = Searchable(
        "m",
        f"Fill the field of the form with {recorded}",
        ("fill the form's field",),
        flexible_inputs=(FlexibleValue("field", kind, recorded),),
    )

    assert against(memory, f"fill the field of the form with {asked}") == set()
    assert against(memory, f"fill the field of the form with {recorded}") == set()


def test_the_input_that_was_recorded_with_the_like_takes_the_value() -> None:
    request = "set 555-7777 as the phone number of the client Initech"

    assert objections(request, CLIENT, PHONE) == set()
    assert Objection.FIXED_VALUE in objections(request, FlexibleValue("phone", "number", "555-0199"))


def test_a_word_in_the_place_of_an_inputs_word_is_no_contradiction() -> None:
    intent = "Make the titles red"

    assert (
        against(
            Searchable("m", intent, flexible_inputs=(FlexibleValue("colour", "text", "red"),)),
            "make the titles blue",
        )
        == set()
    )
    assert Objection.OTHER_EFFECT in against(Searchable("m", intent), "make the titles blue")
