"""The page about memories names what there is, and nothing that there is not."""

import re
from pathlib import Path

import pytest

from memory_store import errors
from memory_store.lifecycle import LEGAL_MOVES, BlockerCode
from memory_store.models import InputKind, Lifecycle, StepRole
from server.commands.memories import command

PAGE = (Path(__file__).parents[2] / "docs" / "memories.md").read_text()


@pytest.mark.parametrize("words", [BlockerCode, InputKind, Lifecycle, StepRole])
def test_every_word_is_on_the_page(words: type[BlockerCode | InputKind | Lifecycle | StepRole]) -> None:
    assert {word.value for word in words} <= set(re.findall(r"`([a-z_]+)`", PAGE))


@pytest.mark.parametrize("source", Lifecycle)
def test_the_table_of_moves_is_the_one_in_the_code(source: Lifecycle) -> None:
    row = re.search(rf"^\| `{source.value}` \| (.*) \|$", PAGE, re.MULTILINE)

    assert row is not None
    assert re.findall(r"`([a-z]+)`", row[1]) == [state.value for state in LEGAL_MOVES[source]]


def test_every_command_is_on_the_page() -> None:
    table = PAGE[PAGE.index("## Commands") :]

    assert set(command.commands) <= set(re.findall(r"`([a-z]+)", table))


def test_every_error_on_the_page_exists() -> None:
    named = set(re.findall(r"`(Store[A-Za-z]+)`", PAGE))

    assert named == {each.__name__ for each in errors.StoreUnusable.__subclasses__()}
