r"""Flexible inputs: the declared parameters that a replay may change, B_m of the paper (2.1).

Values are strings and are typed verbatim. Each kind has a pattern (ECMA and Python agree on it).
"""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field, model_validator

from memory_store.models.base import Line, Record, Text
from memory_store.models.numbers import NumberForm, form_of


class InputKind(StrEnum):
    """What an input's text means."""

    TEXT = "text"
    NUMBER = "number"
    URL = "url"
    FILENAME = "filename"
    EMAIL = "email"
    DATE = "date"
    SEARCH_TERM = "search_term"
    SECRET = "secret"


INPUT_PATTERNS: Final[dict[InputKind, str]] = {
    InputKind.TEXT: r"^[^\u0000]*$",
    InputKind.NUMBER: r"^[+-]?([0-9]+([ ,.'][0-9]{3})*([.,][0-9]+)?|[.,][0-9]+)([eE][+-]?[0-9]+)?%?$",
    InputKind.URL: r"^[A-Za-z][A-Za-z0-9+.-]*:[^\s\u0000]+$|^[^\s\u0000/]+\.[^\s\u0000]+$",
    InputKind.FILENAME: r"^[^\u0000-\u001f]{1,1024}$",
    InputKind.EMAIL: r"^[^\s@\u0000]+@[^\s@\u0000]+$",
    InputKind.DATE: r"^[0-9A-Za-z][0-9A-Za-z .,/:\-]{2,40}$",
    InputKind.SEARCH_TERM: r"^[^\u0000\r\n]{1,1000}$",
    InputKind.SECRET: r"^(env:[A-Za-z_][A-Za-z0-9_]*|keyring:[^/\u0000]+/[^\u0000]+)$",
}

FLEXIBLE_PARAMETERS: Final[frozenset[str]] = frozenset({"text", "text_ref"})
"""Only text-like parameters may be declared flexible (paper, D)."""


class Place(Record):
    """One place in the program that an input fills: index into `steps`, and the path inside its action."""

    action_index: Annotated[int, Field(ge=0)]
    parameter_path: Annotated[tuple[str, ...], Field(min_length=1, max_length=4)] = ("text",)


class FlexibleInput(Record):
    """A declared input. Equal values in two places may be one input, hence `places`."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
    kind: InputKind = InputKind.TEXT
    description: Line = ""
    places: Annotated[tuple[Place, ...], Field(min_length=1)]
    default: Text | None = None
    """What was recorded; a secret has none."""

    @property
    def pattern(self) -> str:
        """What a value must look like; a number is written as it was recorded."""
        return self.form.pattern if self.form else INPUT_PATTERNS[self.kind]

    @property
    def form(self) -> NumberForm | None:
        """How a recorded number was written."""
        return form_of(self.default) if self.kind is InputKind.NUMBER and self.default else None

    @model_validator(mode="after")
    def _secret_has_no_default(self) -> "FlexibleInput":
        if self.kind is InputKind.SECRET and self.default is not None:
            raise ValueError("a secret has no default")
        return self
