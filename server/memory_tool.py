"""An active memory as a typed tool: its arguments are its flexible inputs, and calling it replays it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp import types

from actionlens.wording import clip
from server.toolspec import HINTS, Answer, Effect, bare_schema, expect_whole_characters

if TYPE_CHECKING:
    from memory_store.models import FlexibleInput, Memory, MemoryId
    from server.app import App

TOOL_NAME: Final = re.compile(r"[a-z0-9_]{1,48}")
_LONGEST_INTENT: Final = 400
_LONGEST_DEFAULT: Final = 200
_LARGEST: Final = 20_000
_SECRET: Final = 'A reference to the secret, "env:NAME" or "keyring:service/name", never the secret itself.'


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """One published memory."""

    memory_id: MemoryId
    tool: types.Tool

    async def call(self, app: App, given: Mapping[str, Any]) -> Answer:
        """Replay it; what does not fit its inputs is refused by the replay itself, with cause and numbers."""
        from server.confirm import unconfirmed
        from server.human import judged, judged_now

        expect_whole_characters(given)
        memory = await app.memories.use(lambda store: store.get(self.memory_id))
        if (known := await judged_now(app, memory, given)) is not None:
            return Answer(data=known.answer())
        if refusal := await unconfirmed(app, memory, given):
            return Answer(data=refusal.answer())
        report = await app.replayer.run(memory, given, progress=app.caller.progress)
        return Answer(data=(await judged(app, report)).answer())


def tool_of(memory: Memory) -> types.Tool:
    """What a client is shown of a memory."""
    from server.report import Report

    return types.Tool(
        name=memory.tool_name,
        description=_description(memory),
        input_schema=input_schema(memory.inputs),
        output_schema=bare_schema(Report),
        annotations=HINTS[Effect.DRIVES_DESKTOP],
    )


def input_schema(inputs: tuple[FlexibleInput, ...]) -> dict[str, Any]:
    """The inputs as JSON Schema; those without a default are required."""
    required = [one.name for one in inputs if one.default is None]
    return {
        "type": "object",
        "properties": {one.name: _property(one) for one in inputs},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def problem_with(tool: types.Tool, reserved: frozenset[str]) -> str | None:
    """Why a tool cannot be published; one bad schema would break the whole list."""
    import jsonschema

    if not TOOL_NAME.fullmatch(tool.name):
        return "its name is not made of a-z, 0-9 and _, at most 48 of them"
    if tool.name in reserved:
        return "its name is that of a fixed tool; rename it with review_memory"
    if not (tool.description or "").strip():
        return "it has no description"
    schema = tool.input_schema
    if schema.get("type") != "object" or {"oneOf", "anyOf", "allOf"} & schema.keys():
        return "its arguments are not a plain object"
    if (size := len(tool.model_dump_json())) > _LARGEST:
        return f"its description and inputs take {size} characters, more than {_LARGEST}"
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as exc:
        return f"its arguments are no JSON Schema: {exc.message}"
    return None


def _description(memory: Memory) -> str:
    intent = clip(memory.keys.task_intent.strip().rstrip("."), _LONGEST_INTENT)
    place = f" in {memory.application}" if memory.application else ""
    proof = " and checks the result" if memory.validation.evaluator else ""
    return (
        f"{intent[:1].upper()}{intent[1:]}. Replays {len(memory.steps)} recorded steps{place}{proof}; "
        "refuses before a wrong click."
    )


def _property(one: FlexibleInput) -> dict[str, Any]:
    from memory_store.models import InputKind

    said = one.description.strip() or one.name.replace("_", " ")
    schema: dict[str, Any] = {"type": "string", "description": said}
    if one.kind is not InputKind.TEXT:
        schema["pattern"] = one.pattern
    if one.kind is InputKind.SECRET:
        return schema | {"description": f"{said}. {_SECRET}"}
    if one.default is None:
        return schema
    if len(one.default) > _LONGEST_DEFAULT:
        return schema | {"description": f"{said}. As recorded if left out ({len(one.default)} characters)."}
    return schema | {"default": one.default, "examples": [one.default]}
