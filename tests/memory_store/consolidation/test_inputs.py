import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actionlens.actions import Click, Hotkey, Paste, Press, Type
from memory_store.consolidation.inputs import guess_kind
from memory_store.consolidation.trace import trace_of
from memory_store.consolidation.view import propose
from memory_store.models import INPUT_PATTERNS, InputKind
from tests.memory_store.recording import Recording, box, words


@pytest.mark.parametrize(
    ("value", "near", "kind"),
    [
        ("Globex", "", InputKind.TEXT),
        ("Globex", "Search box", InputKind.SEARCH_TERM),
        ("555-0199", "Phone", InputKind.TEXT),
        ("1,200.50", "", InputKind.NUMBER),
        ("-12%", "", InputKind.NUMBER),
        ("2026-11-16", "", InputKind.DATE),
        ("16. Nov 2026", "", InputKind.DATE),
        ("11/16/2026", "", InputKind.DATE),
        ("ada@example.org", "", InputKind.EMAIL),
        ("https://a.example/x?y=1", "", InputKind.URL),
        ("example.com/prices", "", InputKind.URL),
        ("report.pdf", "", InputKind.FILENAME),
        ("~/Documents/report final.odt", "", InputKind.FILENAME),
        ("Dear Ada,\nthanks.\n", "Search", InputKind.TEXT),
        ("Version 2 is out.", "", InputKind.TEXT),
    ],
)
def test_the_kind_is_read_from_the_form_of_the_text(value: str, near: str, kind: InputKind) -> None:
    assert guess_kind(value, near) is kind


@given(st.text(min_size=1), st.text())
def test_a_guessed_kind_always_takes_the_recorded_text(value: str, near: str) -> None:
    kind = guess_kind(value, near)

    assert kind is InputKind.TEXT or re.fullmatch(INPUT_PATTERNS[kind], value)


def test_equal_texts_are_proposed_as_one_input_named_after_its_field(tmp_path: Path) -> None:
    recording = Recording(tmp_path, goal="Set the phone of Globex to 555-0199")
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20, 200), target="the Client search field")
    recording.do(Type(text="Globex"), words("Globex", 40, 55))
    recording.do(Press(key="enter"), box(40, 100, 300, 20))
    recording.do(Click(x=50, y=150), box(40, 140, 100, 20, 200), target="Phone field")
    recording.do(Paste(text="555-0199"), words("555-0199", 40, 155))
    recording.do(Type(text="Globex"), words("Globex", 40, 255), target="Company name")
    recording.do(Type(text_ref="env:PIN"), words("****", 340, 255), target="PIN")

    client, phone, pin = propose(trace_of(recording.read())).inputs

    assert (client.name, client.kind, client.value) == ("client_search", InputKind.SEARCH_TERM, "Globex")
    assert [place.action_index for place in client.places] == [1, 5]
    assert "2 times" in client.why
    assert (phone.name, phone.kind) == ("phone", InputKind.TEXT)
    assert (pin.kind, pin.places[0].parameter_path) == (InputKind.SECRET, ("text_ref",))


def test_a_literal_in_a_password_field_is_no_input_and_must_be_recorded_again(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20, 200), target="Password field")
    recording.do(Type(text="hunter2"), words("*******", 40, 55))

    proposal = propose(trace_of(recording.read()))

    assert proposal.inputs == ()
    assert any("text_ref" in warning for warning in proposal.warnings)


def test_a_field_keeps_its_name_while_it_is_edited_and_loses_it_with_tab(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20, 200), target="Phone")
    recording.do(Hotkey(keys=("ctrl", "a")), box(44, 44, 10, 10))
    recording.do(Press(key="backspace"), box(44, 44, 10, 10, 200))
    recording.do(Type(text="one two"), words("one two", 40, 55))
    recording.do(Press(key="tab"), box(200, 40, 100, 20, 200))
    recording.do(Type(text="three four"), words("three four", 210, 55))

    assert [one.name for one in propose(trace_of(recording.read())).inputs] == ["phone", "text"]


def test_two_fields_of_one_name_get_two_names(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    for at, text in enumerate(("a b", "c d")):
        recording.do(Type(text=text), words(text, 40, 55 + 60 * at), target="the Name field")

    assert [one.name for one in propose(trace_of(recording.read())).inputs] == ["name", "name_2"]
