import re
from importlib.resources import files
from string import Template

import pytest
from mcp import Client, MCPError, types

from server.catalogue import fixed_names
from server.prompts import PROMPTS, prompt_text


def _fields(name: str) -> dict[str, str]:
    spec = PROMPTS[name]
    return {key: f"<{key}>" for key in (*spec.needs, *spec.may)}


@pytest.mark.parametrize("name", PROMPTS)
def test_every_field_of_a_prompt_is_declared_and_used(name: str) -> None:
    spec = PROMPTS[name]
    text = files("server.prompts").joinpath(f"{name}.txt").read_text()
    before = _fields(spec.after) if spec.after else {}

    used = set(Template(text).get_identifiers())

    assert used <= {*spec.needs, *spec.may}
    assert {*spec.needs, *spec.may} <= used | set(before)


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_short_whole_and_names_only_tools_that_exist(name: str) -> None:
    text = prompt_text(name, **_fields(name))

    called = set(re.findall(r"\b(?:through|call) ([a-z]+(?:_[a-z]+)*)\b", text))
    assert "$" not in text
    assert len(text) < 5_000
    assert called - {"it"} <= fixed_names() | {"again"}


def test_every_text_is_published_and_every_prompt_has_its_text() -> None:
    texts = {
        one.name.removesuffix(".txt")
        for one in files("server.prompts").iterdir()
        if one.name.endswith(".txt")
    }

    assert texts == set(PROMPTS)


def test_a_repair_is_grounding_with_crops_bounded_to_one_step() -> None:
    text = prompt_text("repair_step", target="Save", memory="m", step="3", problem="score 0.4")

    assert text.startswith(prompt_text("ground_target", target="Save"))
    assert "try 1 of 2" in text
    assert {"memory_target", "repair_action"} <= set(re.findall(r"\w+", text))


def test_the_repair_of_a_step_that_sends_keys_speaks_of_no_crop() -> None:
    text = prompt_text(
        "repair_focus", memory="m", step="3", action="hotkey", window="Notes", problem="another has it"
    )

    assert "crop" not in text
    assert "Notes" in text
    assert "repair_action" in text


@pytest.mark.anyio
async def test_a_client_lists_and_gets_prompts(client: Client) -> None:
    listed = {one.name: one for one in (await client.list_prompts()).prompts}

    got = await client.get_prompt("next_step", {"goal": "save the note"})

    assert set(listed) == set(PROMPTS)
    assert [one.name for one in listed["next_step"].arguments or [] if one.required] == ["goal"]
    content = got.messages[0].content
    assert isinstance(content, types.TextContent)
    assert "save the note" in content.text


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("no_such", {}, "name"),
        ("next_step", {}, "goal"),
        ("next_step", {"goal": "x", "colour": "y"}, "colour"),
    ],
)
async def test_a_prompt_that_cannot_be_filled_is_refused(
    client: Client, name: str, arguments: dict[str, str], field: str
) -> None:
    with pytest.raises(MCPError, match=field):
        await client.get_prompt(name, arguments)
