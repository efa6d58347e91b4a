"""A tool as data, and what is derived from it: schema, annotations, checked arguments."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from mcp import types
from pydantic import BaseModel, ConfigDict, ValidationError

from ibtr.errors import EchoPathError
from server.app import App


class Arguments(BaseModel):
    """Base of every tool's arguments; the docstring is the tool's description."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Effect(Enum):
    """What a call may do to the world; the four MCP hints follow from it."""

    READS = "reads"
    WRITES_STORE = "writes_store"
    DRIVES_DESKTOP = "drives_desktop"


_HINTS = {
    Effect.READS: types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
    Effect.WRITES_STORE: types.ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
    ),
    Effect.DRIVES_DESKTOP: types.ToolAnnotations(
        read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
    ),
}

A = TypeVar("A", bound=Arguments)


class BadArguments(EchoPathError):
    """Arguments that do not fit; every problem named by its field."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: structured data, or text with pictures; never both (hosts drop one of them)."""

    data: dict[str, Any] | None = None
    text: str = ""
    images: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec(Generic[A]):
    """One tool: a name, its arguments, its effect, one handler."""

    name: str
    arguments: type[A]
    effect: Effect
    handle: Callable[[App, A], Awaitable[Answer]]
    always_load: bool = False

    @property
    def tool(self) -> types.Tool:
        """What a client is shown."""
        meta = {"anthropic/alwaysLoad": True} if self.always_load else None
        return types.Tool(
            name=self.name,
            description=" ".join((self.arguments.__doc__ or "").split()),
            input_schema=plain_schema(self.arguments),
            annotations=_HINTS[self.effect],
            _meta=meta,
        )

    def parse(self, given: dict[str, Any] | None) -> A:
        """Checked arguments.

        Raises:
            BadArguments: naming every field that is wrong.
        """
        try:
            return self.arguments.model_validate(given or {})
        except ValidationError as exc:
            raise BadArguments(describe(exc)) from exc


def plain_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema without titles and the model's docstring: they cost tokens and say nothing new."""
    schema = _stripped(arguments.model_json_schema())
    schema.pop("description", None)
    return schema


def _stripped(node: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key == "title" or (key == "default" and value is None):
            continue
        if key in ("properties", "$defs"):
            kept[key] = {name: _stripped(one) for name, one in value.items()}
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            kept[key] = [_stripped(one) for one in value]
        else:
            kept[key] = _stripped(value) if isinstance(value, dict) else value  # pyright: ignore[reportUnknownArgumentType]
    return kept


def describe(problems: ValidationError) -> str:
    """Every problem as `field: what is wrong`."""
    lines: list[str] = []
    for one in problems.errors():
        field = ".".join(str(part) for part in one["loc"]) or "arguments"
        lines.append(f"{field}: {one['msg'].removeprefix('Value error, ')}")
    return "; ".join(lines)
