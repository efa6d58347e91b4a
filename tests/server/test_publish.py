import sqlite3
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from memory_store.models import FlexibleInput, InputKind, Place
from memory_store.repository import Repository
from server.app import App
from server.build import build_app, build_server
from server.memory_tool import input_schema, problem_with, tool_of
from server.settings import Settings
from tests.memory_store.making import AT, add_active, add_memory, later, make_memory, verdict
from tests.memory_store.memories import client_memory
from tests.server.conftest import ask
from tests.server.played import Played


async def _names(client: Client) -> list[str]:
    """Every tool, page by page."""
    names: list[str] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return names


async def _until_listed(client: Client, name: str, there: bool = True) -> None:
    with anyio.fail_after(10):
        while (name in await _names(client)) is not there:
            await anyio.sleep(0.01)


def test_a_memory_is_a_tool_whose_arguments_are_its_inputs() -> None:
    tool = tool_of(client_memory())

    assert tool.description and tool.description.startswith(
        "Update the phone of a client. Replays 7 recorded"
    )
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["required"] == ["password"]
    assert tool.input_schema["properties"]["client"] == {
        "type": "string",
        "description": "client",
        "pattern": r"^[^\u0000\r\n]{1,1000}$",
        "default": "Globex",
        "examples": ["Globex"],
    }
    assert "env:NAME" in tool.input_schema["properties"]["password"]["description"]
    assert "default" not in tool.input_schema["properties"]["password"]
    assert problem_with(tool, frozenset()) is None


def test_a_long_recorded_text_is_not_repeated_in_the_schema() -> None:
    long = FlexibleInput(name="body", places=(Place(action_index=0),), default="x" * 5000)

    said = input_schema((long,))["properties"]["body"]

    assert "default" not in said
    assert "5000 characters" in said["description"]


def test_an_input_of_every_kind_makes_a_valid_schema() -> None:
    inputs = tuple(
        FlexibleInput(
            name=kind.value,
            kind=kind,
            places=(Place(action_index=at),),
            default=None if kind is InputKind.SECRET else "1",
        )
        for at, kind in enumerate(InputKind)
    )
    tool = tool_of(make_memory()).model_copy(update={"input_schema": input_schema(inputs)})

    assert problem_with(tool, frozenset()) is None


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Has Spaces"},
        {"name": "observe"},
        {"description": " "},
        {"input_schema": {}},
        {"input_schema": {"type": "object", "anyOf": []}},
        {"input_schema": {"type": "object", "properties": {"a": {"type": "no such type"}}}},
        {"description": "x" * 30_000},
    ],
    ids=["name", "fixed", "wordless", "no object", "choice", "not a schema", "huge"],
)
def test_a_tool_that_would_break_the_list_is_not_published(change: dict[str, Any]) -> None:
    tool = tool_of(make_memory()).model_copy(update=change)

    assert problem_with(tool, frozenset({"observe"}))


@pytest.mark.anyio
async def test_an_active_memory_is_listed_and_called_with_its_values(
    client: Client, store: Repository, played: Played
) -> None:
    add_active(store)
    assert "update_phone" in await _names(client)

    done = await ask(client, "update_phone", phone="555-0199")

    assert done["ending"] == "verified"
    assert played.asked == [("update_phone", {"phone": "555-0199"})]


@pytest.mark.anyio
async def test_candidates_and_retired_memories_are_no_tools(client: Client, store: Repository) -> None:
    add_memory(store, "waiting")
    add_active(store, "retired", seed=5)
    store.deprecate("retired", at=later(1), because="old")

    names = await _names(client)

    assert not {"waiting", "retired"} & set(names)


@pytest.mark.anyio
async def test_a_memory_that_takes_a_fixed_tool_s_name_breaks_nothing(
    client: Client, store: Repository
) -> None:
    add_active(store, "observe")
    add_active(store, "good", seed=5)

    names = await _names(client)
    said = await ask(client, "review_memory")

    assert names.count("observe") == 1
    assert "good" in names
    assert "fixed tool" in said["unpublished"]["observe"]


@pytest.mark.anyio
async def test_what_another_process_promotes_is_announced_and_listed(
    app: App, era: Any, store: Repository
) -> None:
    told = anyio.Event()

    async def hear(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            told.set()

    async with Client(build_server(app), mode=era, message_handler=hear) as client:
        await _names(client)
        with anyio.fail_after(10):
            if era == "legacy":
                add_active(store)
                await told.wait()
            else:
                async with client.listen(tools_list_changed=True) as events:
                    add_active(store)
                    async for _ in events:
                        break
        assert "update_phone" in await _names(client)


@pytest.mark.anyio
async def test_the_list_follows_a_rename_and_a_retirement(client: Client, store: Repository) -> None:
    add_active(store)
    await _until_listed(client, "update_phone")

    store.rename("update_phone", "change_phone", at=later(1))
    await _until_listed(client, "change_phone")
    store.deprecate("change_phone", at=later(2), because="old")
    await _until_listed(client, "change_phone", there=False)

    assert "update_phone" not in await _names(client)


@pytest.mark.anyio
async def test_a_memory_promoted_a_moment_ago_can_be_called_before_it_is_listed(
    client: Client, store: Repository
) -> None:
    await _names(client)
    add_active(store)

    assert (await ask(client, "update_phone"))["ending"] == "verified"


@pytest.mark.anyio
async def test_over_the_limit_a_promotion_brings_the_new_memory_into_the_list(
    settings: Settings, store: Repository, era: Any
) -> None:
    for number in range(4):
        add_active(store, f"memory_{number}", seed=10 * number + 1)
    app = build_app(settings.model_copy(update={"max_published": 3}), Played())
    async with Client(build_server(app), mode=era) as client:
        first = {name for name in await _names(client) if name.startswith("memory_")}

        store.promote(add_memory(store, "memory_9", seed=91).id, at=later(5))
        second = {name for name in await _names(client) if name.startswith("memory_")}

    assert len(first) == len(second) == 3
    assert "memory_9" in second


@pytest.mark.anyio
async def test_while_crowded_a_change_without_a_promotion_changes_no_membership(
    settings: Settings, store: Repository
) -> None:
    for number in range(5):
        add_active(store, f"memory_{number}", seed=10 * number + 1)
    app = build_app(settings.model_copy(update={"max_published": 3}), Played())
    await app.published.refresh()
    before = [*app.published.now.tools]

    store.deprecate(before[0], at=later(1), because="old")

    assert await app.published.refresh() is False
    assert [*app.published.now.tools] == before
    await app.close()


@pytest.mark.anyio
async def test_many_tools_come_in_pages(
    settings: Settings, store: Repository, era: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.build.PAGE", 7)
    for number in range(12):
        store.add(make_memory(f"memory_{number:03}", with_verdict=verdict()), at=AT)
        store.promote(f"memory_{number:03}", at=AT)
    app = build_app(settings, Played())
    async with Client(build_server(app), mode=era) as client:
        names = await _names(client)
        with pytest.raises(MCPError):
            await client.list_tools(cursor="not ours")

    assert len([name for name in names if name.startswith("memory_")]) == 12
    assert len(names) == len(set(names))


@pytest.mark.anyio
async def test_one_damaged_record_takes_no_other_memory_out_of_service(
    client: Client, store: Repository
) -> None:
    for at, name in enumerate(("damaged", "whole")):
        add_active(store, name, seed=10 * at + 1)
    with sqlite3.connect(store.folder / "memories.db") as raw:
        raw.execute("UPDATE memories SET document = '{' WHERE tool_name = 'damaged'")
    raw.close()

    names = await _names(client)
    found = await ask(client, "find_memory", goal="change the phone number of a client")
    waiting = await ask(client, "review_memory")
    listed = await client.list_resources()

    assert "whole" in names and "damaged" not in names
    assert [one["memory"] for one in found["candidates"]] == ["whole"]
    assert "verify" in found["damaged"]["damaged"]
    assert "verify" in waiting["unpublished"]["damaged"]
    assert "whole" in {one.name for one in listed.resources}


@pytest.mark.anyio
async def test_a_store_that_cannot_be_read_leaves_the_fixed_tools_and_says_why(
    settings: Settings, era: Any
) -> None:
    settings.home.mkdir(parents=True)
    (settings.home / "memories.db").write_bytes(b"this is no database at all" * 100)
    async with Client(build_server(build_app(settings, Played())), mode=era) as client:
        names = await _names(client)
        failed = await client.call_tool("review_memory", {})

    assert "observe" in names
    assert failed.is_error
