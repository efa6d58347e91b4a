"""A tool as data, and what is derived from it: schemas, annotations, checked arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from mcp import types
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from actionlens.problems import in_words
from ibtr.errors import EchoPathError

if TYPE_CHECKING:
    from server.app import App


class Arguments(BaseModel):
    """Base of every tool's arguments; the docstring is the tool's description."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _of_whole_characters(cls, given: Any) -> Any:
        expect_whole_characters(given)
        return given


class Effect(Enum):
    """What a call may do to the world; the four MCP hints follow from it."""

    READS = "reads"
    WRITES_STORE = "writes_store"
    GOVERNS = "governs"
    """Takes memories out of use, some for good."""
    STEERS = "steers"
    """Tells a replay that runs already to go on or to stop."""
    DRIVES_DESKTOP = "drives_desktop"
    """Acts on the desktop, or starts programs there."""
    CHECKS = "checks"
    """Writes evidence, and runs a check: it may ask a server or run a command that the user allowed."""


def _hints(*, reads: bool, destroys: bool, repeatable: bool, outside: bool) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=destroys,
        idempotent_hint=repeatable,
        open_world_hint=outside,
    )


HINTS = {
    Effect.READS: _hints(reads=True, destroys=False, repeatable=True, outside=False),
    Effect.WRITES_STORE: _hints(reads=False, destroys=False, repeatable=False, outside=False),
    Effect.GOVERNS: _hints(reads=False, destroys=True, repeatable=False, outside=False),
    Effect.STEERS: _hints(reads=False, destroys=False, repeatable=True, outside=False),
    Effect.CHECKS: _hints(reads=False, destroys=False, repeatable=False, outside=True),
    Effect.DRIVES_DESKTOP: _hints(reads=False, destroys=True, repeatable=False, outside=True),
}

A = TypeVar("A", bound=Arguments)


class BadArguments(EchoPathError):
    """Arguments that do not fit; every problem named by its field."""


def expect_whole_characters(given: Any) -> None:
    """Let only texts pass that can be written down: JSON can bring in half a character (a lone surrogate).

    Raises:
        BadArguments: naming the field.
    """
    rest: list[tuple[str, Any]] = [("", given)]
    while rest:
        field, value = rest.pop()
        if isinstance(value, Mapping):
            for name, one in value.items():  # pyright: ignore[reportUnknownVariableType]
                rest += [(field, name), (f"{field}.{name}".lstrip("."), one)]
        elif isinstance(value, list | tuple):
            rest += [(f"{field}.{n}", one) for n, one in enumerate(value)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        elif isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError as exc:
                half = f"U+{ord(value[exc.start]):04X}, a lone surrogate"
                where = f"{field or 'arguments'}: character {exc.start}"
                raise BadArguments(f"{where} is half of one ({half}): send the whole character") from exc


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: structured data, or text with pictures; never both (hosts drop one of them)."""

    data: Mapping[str, Any] | None = None
    text: str = ""
    images: tuple[tuple[str, bytes], ...] = ()


class Offered(Protocol):
    """A tool as the server calls it: a fixed one, or a memory's."""

    @property
    def tool(self) -> types.Tool:
        """What a client is shown."""
        ...

    async def call(self, app: App, given: Mapping[str, Any]) -> Answer:
        """Do it.

        Raises:
            BadArguments: naming every field that is wrong.
        """
        ...


@dataclass(frozen=True, slots=True)
class ToolSpec(Generic[A]):
    """One fixed tool: a name, its arguments, its effect, one handler, the shape of its answer."""

    name: str
    arguments: type[A]
    effect: Effect
    handle: Callable[[App, A], Awaitable[Answer]]
    always_load: bool = False
    answers: type[BaseModel] | None = None

    @property
    def tool(self) -> types.Tool:
        """What a client is shown."""
        return _tool_of(self)

    def parse(self, given: Mapping[str, Any] | None) -> A:
        """Checked arguments.

        Raises:
            BadArguments: naming every field that is wrong.
        """
        try:
            return self.arguments.model_validate(dict(given or {}))
        except ValidationError as exc:
            raise BadArguments(describe(exc)) from exc

    async def call(self, app: App, given: Mapping[str, Any]) -> Answer:
        """Check the arguments and do it."""
        return await self.handle(app, self.parse(given))


@cache
def _tool_of(spec: ToolSpec[Any]) -> types.Tool:
    return types.Tool(
        name=spec.name,
        description=" ".join((spec.arguments.__doc__ or "").split()),
        input_schema=plain_schema(spec.arguments),
        output_schema=bare_schema(spec.answers) if spec.answers else None,
        annotations=HINTS[spec.effect],
        _meta={"anthropic/alwaysLoad": True} if spec.always_load else None,
    )


def plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema without titles and the model's docstring: they cost tokens and say nothing new."""
    schema = _stripped(_inlined(model.model_json_schema()))
    schema.pop("description", None)
    return schema


def bare_schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema of an answer: what every one has, by name and type; what may be empty is not promised."""
    schema = _stripped(_inlined(model.model_json_schema()), frozenset({"title", "default", "description"}))
    required: list[str] = schema.get("required", [])
    return {
        "type": "object",
        "properties": {name: schema["properties"][name] for name in required},
        "required": required,
    }


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without references, which some hosts cannot follow; none of ours refers to itself."""
    known = schema.pop("$defs", {})

    def put(node: Any) -> Any:
        if isinstance(node, list):
            return [put(one) for one in node]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(node, dict):
            return node
        fields: dict[str, Any] = node  # pyright: ignore[reportUnknownVariableType]
        named = known.get(str(fields.get("$ref", "")).removeprefix("#/$defs/"), {})
        whole = {**named, **{key: value for key, value in fields.items() if key != "$ref"}}
        return {key: put(value) for key, value in whole.items() if (key, value) != _ANYTHING}

    inlined: dict[str, Any] = put(schema)
    return inlined


_ANYTHING = ("additionalProperties", {"$ref": "#/$defs/JsonValue"})


def _stripped(node: dict[str, Any], without: frozenset[str] = frozenset({"title"})) -> dict[str, Any]:
    """A schema node without some keywords; what may be left out need not be declared as null as well."""
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in without or (key == "default" and value in (None, [], {})):
            continue
        if key == "properties":
            kept[key] = {name: _stripped(one, without) for name, one in value.items()}
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            kept[key] = [_stripped(one, without) for one in value if one != {"type": "null"}]
        else:
            kept[key] = _stripped(value, without) if isinstance(value, dict) else value  # pyright: ignore[reportUnknownArgumentType]
    if len(kept.get("anyOf", ())) == 1:
        kept |= kept.pop("anyOf")[0]
    return kept


def describe(problems: ValidationError) -> str:
    """Every problem as `field: what is wrong`."""
    lines: list[str] = []
    for one in problems.errors():
        field = ".".join(str(part) for part in one["loc"]) or "arguments"
        lines.append(f"{field}: {in_words(one)}")
    return "; ".join(lines)
