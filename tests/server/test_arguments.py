"""Arguments that cannot be written down or are too large: refused by field, and nothing was begun."""

from typing import Any

import pytest
from mcp import Client

from memory_store.repository import Repository
from server.bounds import CALL_S, WAIT_S
from server.settings import Settings
from server.toolspec import BadArguments, expect_whole_characters
from tests.memory_store.making import add_active
from tests.server.conftest import refusal, text_of

pytestmark = pytest.mark.anyio
HALF = "\ud83d"
CHECK = {"kind": "file_contains", "path": "/tmp/none", "contains": "{a}"}


@pytest.mark.parametrize(
    ("tool", "given", "field"),
    [
        ("find_memory", {"goal": "x", "phrases": ["fine", HALF]}, "phrases.1"),
        ("run_memory", {"memory": "update_phone", "inputs": {"client": f"a{HALF}"}}, "inputs.client"),
        ("start_run", {"goal": "x", "evaluator": CHECK, "inputs": {"a": HALF}}, "inputs.a"),
        ("start_run", {"goal": "x", "evaluator": {**CHECK, "path": HALF}}, "evaluator.path"),
        ("finish_run", {"outputs": [HALF]}, "outputs.0"),
        ("update_phone", {"client": HALF}, "client"),
    ],
)
async def test_half_a_character_is_refused_by_its_field(
    client: Client, store: Repository, settings: Settings, tool: str, given: dict[str, Any], field: str
) -> None:
    add_active(store, "update_phone")
    await client.list_tools()

    result = await client.call_tool(tool, given)

    said = text_of(result)
    assert result.is_error
    assert said.startswith(f"{field}: character ")
    assert "U+D83D" in said
    assert not settings.runs.exists()


def test_half_a_character_in_a_name_is_refused_as_well() -> None:
    with pytest.raises(BadArguments, match=r"^inputs: character 0"):
        expect_whole_characters({"inputs": {HALF: "a"}})


@pytest.mark.parametrize("field", ["target", "expect"])
async def test_words_for_an_act_that_are_too_long_are_refused_by_field(
    client: Client, settings: Settings, field: str
) -> None:
    said = await refusal(client, "act", action="press", key="a", **{field: "t" * 600})

    assert said.startswith(f"{field}: ")
    assert "500" in said
    assert "pydantic" not in said
    assert not settings.runs.exists()


async def test_a_wait_that_would_outlast_a_call_is_refused(client: Client) -> None:
    said = await refusal(client, "act", action="wait", seconds=50)

    assert said.startswith("seconds: ")
    assert WAIT_S + 4 < CALL_S
