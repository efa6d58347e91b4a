from typing import Any

import pytest
from mcp import Client, MCPError

from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.calling import rendered
from server.tokens import call_tokens, text_tokens
from server.toolspec import Answer
from tests.memory_store.making import add_active, add_memory, later, replay
from tests.server.conftest import ask, refusal, text_of
from tests.server.played import Played

pytestmark = pytest.mark.anyio


async def test_a_memory_is_found_by_what_is_wanted(client: Client, store: Repository) -> None:
    add_active(store)

    found = await ask(client, "find_memory", goal="change a client's phone number to 555-0199")

    best = found["candidates"][0]
    assert best["memory"] == "update_phone"
    assert best["inputs"] == ["phone (text, recorded '555-0100'): the new number"]
    assert "update_phone" in found["how"]
    assert found["next"][0] == "run_memory"
    assert len(store.lookups()) == 1


async def test_where_nothing_fits_the_way_to_record_is_named(client: Client, store: Repository) -> None:
    add_active(store)

    found = await ask(client, "find_memory", goal="water the plants on the balcony")

    assert found["safe"] is None
    assert found["candidates"] == []
    assert found["note"].startswith("nothing fits")
    assert found["next"] == ["start_run"]


async def test_run_memory_replays_with_the_given_values(
    client: Client, store: Repository, played: Played
) -> None:
    memory = add_active(store)

    by_name = await ask(client, "run_memory", memory="update_phone", inputs={"phone": "1"})
    by_id = await ask(client, "run_memory", memory=memory.id)

    assert by_name["ending"] == by_id["ending"] == "verified"
    assert played.asked == [("update_phone", {"phone": "1"}), ("update_phone", {})]


async def test_a_replay_tells_how_far_it_is(client: Client, store: Repository) -> None:
    add_active(store)
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    await client.call_tool("update_phone", {}, progress_callback=hear)
    await client.call_tool("run_memory", {"memory": "update_phone"}, progress_callback=hear)

    steps = [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]
    assert heard == steps + steps


async def test_a_refused_replay_is_a_result_with_cause_numbers_and_next(
    client: Client, store: Repository, played: Played
) -> None:
    add_active(store)
    played.says = {
        "ending": Ending.REJECTED,
        "summary": "nothing on the screen is the phone field",
        "cause": "missing_target",
        "step": 1,
        "evidence": {"score": 0.41},
        "next": ["rejection_detail", "repair_step"],
    }

    result = await client.call_tool("update_phone", {"phone": "1"})

    assert not result.is_error
    assert result.structured_content is not None
    assert result.structured_content["cause"] == "missing_target"
    assert result.structured_content["evidence"] == {"score": 0.41}
    assert result.structured_content["next"][0] == "rejection_detail"
    assert len(result.content) == 1


async def test_a_healthy_replay_costs_less_than_600_tokens(client: Client, store: Repository) -> None:
    add_active(store)

    done = await ask(client, "update_phone", phone="555-0199")

    assert call_tokens("update_phone", {"phone": "555-0199"}) + text_tokens(done) <= 600


async def test_a_replay_is_waited_for_cancelled_and_resumed(client: Client, store: Repository) -> None:
    add_active(store)
    replay_id = (await ask(client, "run_memory", memory="update_phone"))["replay_id"]

    assert (await ask(client, "wait_replay", replay_id=replay_id, seconds=1))["ending"] == "verified"
    assert (await ask(client, "cancel_replay", replay_id=replay_id))["ending"] == "cancelled"
    assert (await ask(client, "run_memory", resume=replay_id))["summary"] == "went on"


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("run_memory", {}, "memory"),
        ("run_memory", {"memory": "a", "resume": "r1"}, "resume"),
        ("run_memory", {"resume": "r1", "inputs": {"a": "b"}}, "inputs"),
        ("run_memory", {"memory": "no_such_memory"}, "no_such_memory"),
        ("run_memory", {"memory": "x", "max_steps": 0}, "max_steps"),
        ("run_memory", {"memory": "x", "speed": 3}, "speed"),
        ("wait_replay", {"replay_id": "r9"}, "r9"),
        ("wait_replay", {"replay_id": "../../etc"}, "replay_id"),
        ("find_memory", {"goal": ""}, "goal"),
        ("find_memory", {"goal": 7}, "goal"),
        ("describe_memory", {"memory": "\ud800"}, "memory"),
        ("describe_memory", None, "memory"),
    ],
)
async def test_bad_arguments_are_an_error_that_names_the_field(
    client: Client, store: Repository, tool: str, arguments: dict[str, Any] | None, field: str
) -> None:
    result = await client.call_tool(tool, arguments)

    assert result.is_error
    assert field in text_of(result)


async def test_an_unknown_tool_is_refused(client: Client) -> None:
    with pytest.raises(MCPError, match="Unknown tool"):
        await client.call_tool("no_such_tool", {})


async def test_a_memory_is_described_in_words(client: Client, store: Repository) -> None:
    memory = add_active(store)
    store.record_replay(replay(memory.id, 1, Ending.VERIFIED), at=later(3))

    result = await client.call_tool("describe_memory", {"memory": "update_phone"})

    said = text_of(result)
    assert result.structured_content is None
    assert '1. click on "phone field"' in said
    assert "2. type {phone}" in said
    assert "phone (text, recorded '555-0100'): the new number" in said
    assert "Needs: a window of contacts" in said
    assert "1 of the last 1 went well" in said


async def test_a_candidate_can_be_described_but_is_refused_by_the_replay(
    client: Client, store: Repository
) -> None:
    add_memory(store, "waiting")

    said = text_of(await client.call_tool("describe_memory", {"memory": "waiting"}))
    done = await ask(client, "run_memory", memory="waiting")

    assert "candidate" in said
    assert done["ending"] == "rejected"


async def test_ten_megabytes_of_arguments_are_refused_and_the_server_lives(
    client: Client, store: Repository
) -> None:
    said = await refusal(client, "find_memory", goal="x" * 10_000_000)

    assert "goal" in said
    assert len(said) < 2_000
    assert await ask(client, "review_memory")


def test_half_a_character_does_not_break_an_answer() -> None:
    structured = rendered(Answer(data={"text": "\ud800"}))
    worded = rendered(Answer(text="\ud800"))

    assert structured.model_dump_json() and worded.model_dump_json()


def test_an_answer_carries_data_or_pictures_never_both() -> None:
    with_data = rendered(Answer(data={"a": 1}, text="words", images=(("image/png", b"x"),)))
    with_picture = rendered(Answer(text="words", images=(("image/png", b"x"),)))

    assert len(with_data.content) == 1 and with_data.structured_content == {"a": 1}
    assert len(with_picture.content) == 2 and with_picture.structured_content is None
