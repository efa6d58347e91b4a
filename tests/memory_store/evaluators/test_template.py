import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.evaluators.outcome import CouldNotRun
from memory_store.evaluators.template import Slot, Values, parse, parse_regex


def test_a_template_is_literals_and_inputs_and_doubled_braces_are_braces() -> None:
    assert parse("a{client}b{{c}}") == ("a", Slot("client"), "b", "{", "c", "}")


@pytest.mark.parametrize("template", ["{", "}", "{ client }", "{}", "{1}", '{"a": 1}', "{{x}"])
def test_a_lone_brace_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="lone"):
        parse(template)


@given(st.text(alphabet=st.characters(exclude_characters="{}")), st.text())
def test_text_is_filled_verbatim_whatever_the_value_holds(literal: str, value: str) -> None:
    assert Values({"x": value}).text(literal + "{x}", "equals") == literal + value


def test_a_repetition_in_a_pattern_is_no_input() -> None:
    assert parse_regex(r"\d{3}-{phone}\w{2,5}") == (
        r"\d",
        "{",
        "3",
        "}",
        "-",
        Slot("phone"),
        r"\w",
        "{",
        "2,5",
        "}",
    )
    assert Values().regex(r"\d{{3}}", "regex") == r"\d{3}"


@given(st.text(min_size=1))
def test_a_value_in_a_pattern_matches_only_itself(value: str) -> None:
    pattern = Values({"x": value}).regex("^{x}$", "regex")

    assert re.fullmatch(pattern, value)
    assert not re.fullmatch(pattern, value + "!")


@given(st.text())
def test_no_value_leads_out_of_the_folder_of_a_path(value: str) -> None:
    try:
        place = Values({"name": value}).path("/srv/out/{name}.txt", "path")
    except CouldNotRun as refusal:
        assert refusal.where == "path"
    else:
        assert Path("/srv/out") in Path(str(place.path)).parents
        assert ".." not in place.path.parts


@pytest.mark.parametrize(
    "value", ["..", "../x", "a/../../b", "/etc/passwd", "", ".", "a//b", "a\0b", "..\\x"]
)
def test_a_climbing_value_is_refused_in_a_path_and_in_a_url(value: str) -> None:
    values = Values({"name": value})

    for fill in (values.path, values.url):
        with pytest.raises(CouldNotRun):
            fill("/srv/out/{name}", "path")


def test_two_values_cannot_climb_together() -> None:
    with pytest.raises(CouldNotRun):
        Values({"a": "b", "c": "d"}).path("/srv/{a}./..{c}/../x/{a}", "path")
    with pytest.raises(CouldNotRun):
        Values({"a": "x/.", "b": "./y"}).path("/srv/{a}{b}", "path")


def test_a_value_in_a_url_stays_one_segment() -> None:
    filled = Values({"q": "a&b=c/d?e#f g"}).url("http://h/{q}", "url")

    assert filled == "http://h/a%26b%3Dc%2Fd%3Fe%23f%20g"


def test_a_value_cannot_become_an_option_of_a_command() -> None:
    values = Values({"name": "--delete"})

    assert values.argument("--name={name}", "argv.1") == "--name=--delete"
    with pytest.raises(CouldNotRun):
        values.argument("{name}", "argv.1")


def test_an_argument_below_the_home_folder_is_in_that_of_whoever_runs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = Values({"name": "a", "path": "~/b"})
    for home in ("/home/first", "/home/second"):
        monkeypatch.setenv("HOME", home)

        assert values.argument("~/notes/{name}.txt", "argv.1") == f"{home}/notes/a.txt"
        assert values.argument("{path}", "argv.1") == "~/b"  # a value stays a value
        assert values.argument("~other", "argv.1") == "~other"


def test_an_input_without_a_value_is_named() -> None:
    with pytest.raises(CouldNotRun) as refusal:
        Values().text("{client}", "equals")

    assert refusal.value.where == "equals"
    assert "{client}" in refusal.value.problem
