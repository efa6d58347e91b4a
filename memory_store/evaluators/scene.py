"""What an evaluator may use: the inputs of this run, what the settings allow, how far it may go."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue

from memory_store.evaluators.outcome import Finding
from memory_store.evaluators.template import Values
from memory_store.models import Anchor, Attestation

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the user's settings let an evaluator reach; nothing unless named."""

    commands: tuple[str, ...] = ()
    """Absolute paths, or names that are looked up in the system folders only."""
    origins: tuple[str, ...] = ()
    """`https://host[:port]` of servers that may be asked."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an evaluator reads and how long it takes, at most."""

    file_bytes: int = 20 * MEGABYTE
    digest_bytes: int = 1_000 * MEGABYTE
    xlsx_unpacked_bytes: int = 100 * MEGABYTE
    xlsx_members: int = 2_000
    xlsx_ratio: int = 200
    xlsx_tags: int = 1_000_000
    rows: int = 200_000
    output_bytes: int = 64_000
    http_bytes: int = 2 * MEGABYTE
    seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person, or the host, said about the result."""

    confirmed: bool
    by: str
    words: str = ""


Sighting = Callable[[tuple[Anchor, ...]], Mapping[str, JsonValue]]
"""Where a remembered region is on the screen, in numbers; raises `Rejected` when it is not, or not surely."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a check gets from outside."""

    values: Values = field(default_factory=Values)
    allowed: Allowed = Allowed()
    limits: Limits = Limits()
    find_region: Sighting | None = None
    """Looks for a remembered region on the screen of now."""
    human: Answer | None = None
    host: Answer | None = None


class Spec(BaseModel):
    """One check as data. Every string in it may hold `{input}` placeholders."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    attestation: ClassVar[Attestation] = Attestation.EVALUATOR

    @abstractmethod
    def run(self, scene: Scene) -> Finding:
        """Look, and say what is there; touches nothing.

        Raises:
            CouldNotRun: neither yes nor no can be said.
        """
