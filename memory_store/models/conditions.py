"""Preconditions and expected effects: the state half of a memory, Pi_m of the paper (2.1)."""

from typing import Annotated, Literal

from pydantic import Field

from memory_store.models.base import Line, Record, Text, Words
from memory_store.models.evidence import Anchor


class WindowCondition(Record):
    """A window of an application is there, in front if `active`."""

    kind: Literal["window"] = "window"
    application: Line = ""
    title_contains: Line = ""
    active: bool = False
    present: bool = True


class RegionCondition(Record):
    """A remembered piece of the screen can be seen."""

    kind: Literal["region"] = "region"
    anchors: tuple[Anchor, ...]
    description: Line = ""


class FileCondition(Record):
    """A file is there or not; the path may hold `{input}` placeholders."""

    kind: Literal["file"] = "file"
    path: Words
    exists: bool = True


class LaunchCondition(Record):
    """A window that is started with `argv` when it is absent and the policy allows it."""

    kind: Literal["launch"] = "launch"
    argv: Annotated[tuple[Words, ...], Field(min_length=1, max_length=64)]
    window: WindowCondition


class NoteCondition(Record):
    """Words for the reader; nothing checks them."""

    kind: Literal["note"] = "note"
    text: Annotated[Text, Field(min_length=1)]


Condition = Annotated[
    WindowCondition | RegionCondition | FileCondition | LaunchCondition | NoteCondition,
    Field(discriminator="kind"),
]
