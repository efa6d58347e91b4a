"""What is wrong with a value is said in plain words."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, field_validator

from actionlens import problems
from actionlens.actions import ACTION
from actionlens.problems import in_words
from memory_store.models.base import ToolName

PACKAGES = ("actionlens", "memory_store", "server")


class _Picky(BaseModel):
    size: int = 1
    code: str = Field("a", pattern="^[ab]+$")
    names: dict[str, str] = {}
    lines: list[str] = []

    @field_validator("size")
    @classmethod
    def _odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError("give an odd number")
        return value


def _said(given: dict[str, object]) -> str:
    with pytest.raises(ValidationError) as refused:
        _Picky.model_validate(given)
    return in_words(refused.value.errors()[0])


def test_our_own_words_come_without_those_of_the_checker() -> None:
    assert _said({"size": 2}) == "give an odd number"
    assert _said({"code": "x"}) == "write a text of the form ^[ab]+$"
    assert "integer" in _said({"size": "many"})
    assert _said({"names": 3}) == 'give an object, like {"name": "value"}'
    assert _said({"lines": 3}) == 'give a list, like ["one", "two"]'


def test_the_name_of_a_tool_is_asked_for_without_a_pattern() -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(ToolName).validate_python("Pay It")

    said = in_words(refused.value.errors()[0])

    assert said == "write 1 to 48 lower-case letters, digits or underscores, like update_phone"


def test_every_form_that_a_field_asks_for_has_words() -> None:
    root = Path(__file__).parents[2]
    sources = [file.read_text() for package in PACKAGES for file in (root / package).rglob("*.py")]
    asked = {one for text in sources for one in re.findall(r'pattern=r"(\^[^"]+\$)"', text)}

    assert len(asked) > 3
    assert asked <= problems._FORMS.keys()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": "hotkey", "keys": "ctrl+s"}, 'give a list, like ["one", "two"]'),
        ({"action": "press", "key": "a", "presss": 2}, "there is no such field"),
        ({"action": "press"}, "is missing"),
        ({"action": "clik"}, "there is no 'action' 'clik'; there are "),
        ({}, "say 'action'"),
    ],
)
def test_a_slip_in_an_action_is_told_without_the_words_of_the_checker(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        ACTION.validate_python(given)

    assert in_words(refused.value.errors()[0]).startswith(said)
