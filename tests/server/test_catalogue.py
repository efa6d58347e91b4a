import re

import pytest
from mcp import Client, types

from server.catalogue import fixed_tools
from server.instructions import INSTRUCTIONS
from server.tokens import text_tokens

NAMES = (
    "find_memory describe_memory run_memory wait_replay cancel_replay observe act start_run finish_run "
    "rejection_detail repair_step plan_step report_verdict consolidate_run promote_memory review_memory"
).split()
SHOWS_PICTURES = {"observe", "describe_memory", "rejection_detail"}
REPLAYS = {"run_memory", "wait_replay", "cancel_replay"}
TOOLS = [spec.tool for spec in fixed_tools().values()]


def test_the_fixed_tools_are_those_of_the_specification() -> None:
    assert {tool.name for tool in TOOLS} == set(NAMES)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_fixed_tool_says_all_that_a_host_needs(tool: types.Tool) -> None:
    hints = tool.annotations
    schema = tool.input_schema

    assert tool.description and re.match(r"[A-Z][a-z]+ ", tool.description)
    assert hints is not None
    assert None not in (
        hints.read_only_hint,
        hints.destructive_hint,
        hints.idempotent_hint,
        hints.open_world_hint,
    )
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not {"oneOf", "anyOf", "allOf", "$defs"} & schema.keys()
    assert "$ref" not in str(schema)


def test_what_drives_the_desktop_is_destructive_and_what_reads_is_not() -> None:
    hints = {tool.name: tool.annotations for tool in TOOLS}

    reads = {name for name, said in hints.items() if said and said.read_only_hint}
    destroys = {name for name, said in hints.items() if said and said.destructive_hint}

    assert reads == {"find_memory", "describe_memory", "observe", "rejection_detail"}
    assert {"act", "run_memory", "repair_step", "plan_step", "review_memory", "start_run"} <= destroys
    assert not reads & destroys
    assert {name for name, said in hints.items() if said and said.open_world_hint} == {
        *(destroys - {"review_memory"}),
        "finish_run",
    }


def test_replays_declare_what_they_answer_and_pictures_do_not() -> None:
    shapes = {tool.name: tool.output_schema for tool in TOOLS}

    assert all(shapes[name] for name in REPLAYS)
    assert not any(shapes[name] for name in SHOWS_PICTURES)


def test_at_most_five_tools_are_always_loaded() -> None:
    assert 1 <= sum(bool(tool.meta) for tool in TOOLS) <= 5


def test_the_whole_fixed_list_costs_less_than_4000_tokens() -> None:
    listed = types.ListToolsResult(tools=TOOLS).model_dump(mode="json", by_alias=True, exclude_none=True)

    assert text_tokens(listed["tools"]) < 4000


def test_the_instructions_are_whole_within_512_characters_and_short_in_all() -> None:
    first, _, _ = INSTRUCTIONS.partition("\n")

    assert len(first) <= 512
    assert len(INSTRUCTIONS) <= 4096
    assert {"find_memory", "run_memory", "start_run", "promote_memory"} <= set(re.findall(r"\w+", first))


def test_the_instructions_name_only_tools_and_words_that_exist() -> None:
    called = set(re.findall(r"\b([a-z]+_[a-z]+)\b", INSTRUCTIONS))

    assert called <= {*NAMES, "frame_id", "text_ref"}


@pytest.mark.anyio
async def test_a_client_is_told_the_instructions_and_that_the_list_changes(client: Client) -> None:
    assert client.instructions == INSTRUCTIONS
    assert client.server_capabilities.tools is not None
    assert client.server_capabilities.tools.list_changed
