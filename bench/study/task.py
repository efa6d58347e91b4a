"""A recurrent task as data: how it starts, what the host does the first time, what proves it, what varies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ibtr.geometry import Box

if TYPE_CHECKING:
    from bench.study.stage import Stage

Values = Mapping[str, str]
Start = Callable[["Stage", Values, Box], Awaitable[None]]
"""A fresh start of the application with the state that the values need, its window in the box."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A target inside a window. A negative x or y counts from the window's right or bottom edge."""

    box: Box
    application: str = ""
    """Empty: the active window."""

    def on_screen(self, window: Box) -> Box:
        """Where it is, if its window is there."""
        x = window.x + self.box.x + (window.width if self.box.x < 0 else 0)
        y = window.y + self.box.y + (window.height if self.box.y < 0 else 0)
        return Box(x, y, self.box.width, self.box.height)


@dataclass(frozen=True, slots=True)
class Do:
    """One act of the host; `spot` names a target, and `{input}` stands for a value in it and in the text."""

    action: str
    spot: str = ""
    text: str = ""
    key: str = ""
    keys: tuple[str, ...] = ()
    words: str = ""
    clicks: int = 1
    button: str = "left"

    @property
    def input(self) -> str | None:
        """The input that it types, if it types one."""
        whole = self.text[1:-1]
        return whole if self.text == f"{{{whole}}}" and whole.isidentifier() else None


def click(spot: str, words: str, **more: Any) -> Do:
    return Do("click", spot=spot, words=words, **more)


def write(text: str, words: str = "") -> Do:
    return Do("type", text=text, words=words)


def press(key: str) -> Do:
    return Do("press", key=key)


def hotkey(*keys: str) -> Do:
    return Do("hotkey", keys=keys)


@dataclass(frozen=True, slots=True)
class Task:
    """One recurrent task; the first of `values` and of `windows` is the first pass."""

    name: str
    application: str
    goal: str
    ask: str
    """How somebody asks for it the second time, in other words."""
    phrases: tuple[str, ...]
    start: Start
    steps: tuple[Do, ...]
    evaluator: Mapping[str, Any]
    values: tuple[Values, ...]
    windows: tuple[Box, ...]
    spots: Mapping[str, Spot] = field(default_factory=dict[str, Spot])
    """Empty: the page tells where its targets are, and what was hit."""
    twins: bool = False
    depends: bool = False
    """Some target's pixels depend on an input."""
    title: str = ""
    """What the window's title must hold at the start: the precondition that the host states."""
    other: Start | None = None
    """The same application on a different document."""
    later_document: bool = False
    """The document is that of a second program, which comes in later."""
    dialog: tuple[str, ...] = ()
    """Keys that open a modal dialog."""
    hide: tuple[str, ...] = ()
    """Keys that take a control away."""
    without: Start | None = None
    """A start without one of the controls."""
    speaks: bool = False
    """Its controls have other names in another language."""

    def values_of(self, repetition: int) -> Values:
        return self.values[repetition % len(self.values)]

    def window_of(self, repetition: int) -> Box:
        return self.windows[repetition % len(self.windows)]

    @property
    def pointer_steps(self) -> tuple[Do, ...]:
        return tuple(step for step in self.steps if step.spot)

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(step.input for step in self.steps if step.input))
