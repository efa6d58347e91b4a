"""The primitives that may touch a desktop (paper, 2.1), one frozen model each, one discriminated union.

Coordinates are controller units. Field names and values are the stable JSON form: runs and memories keep it.
"""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from actionlens.errors import OffScreen
from actionlens.keys import MODIFIERS, normal_key
from ibtr.geometry import Box, Point

MAX_TEXT = 50_000
MAX_WAIT_S = 60.0


def _printable(text: str) -> str:
    for at, char in enumerate(text):
        if (ord(char) < 32 and char not in "\n\t") or ord(char) == 127 or 0xD800 <= ord(char) <= 0xDFFF:
            raise ValueError(
                f"character {at} is U+{ord(char):04X}, which no keyboard types; use `press` for keys"
            )
    return text


def _secret_reference(reference: str) -> str:
    scheme, _, name = reference.partition(":")
    if scheme == "env" and name.isidentifier():
        return reference
    if scheme == "keyring" and all(name.partition("/")[::2]):
        return reference
    raise ValueError('a secret is written "env:NAME" or "keyring:service/name"')


def _modifiers_first(keys: tuple[str, ...]) -> tuple[str, ...]:
    if wrong := [key for key in keys[:-1] if key not in MODIFIERS]:
        raise ValueError(f"only the last key may be other than a modifier, not {wrong[0]!r}")
    return keys


Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT), AfterValidator(_printable)]
Key = Annotated[str, Field(min_length=1, max_length=20), AfterValidator(normal_key)]
Modifier = Annotated[
    Literal["shift", "ctrl", "alt", "super"], Field(description="A key held down while the pointer acts.")
]
Coordinate = Annotated[int, Field(ge=-32768, le=32767)]
Button = Literal["left", "middle", "right"]


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def points(self) -> tuple[Point, ...]:
        """Where the pointer goes, in order; none for an action that does not aim."""
        return ()


class _Aimed(_Action):
    x: Coordinate
    y: Coordinate

    def points(self) -> tuple[Point, ...]:
        """The one place it aims at."""
        return (Point(self.x, self.y),)


class Observe(_Action):
    """Look, touch nothing."""

    action: Literal["observe"] = "observe"


class Click(_Aimed):
    """Press and release a button, one to three times."""

    action: Literal["click"] = "click"
    button: Button = "left"
    clicks: Annotated[int, Field(ge=1, le=3)] = 1
    hold: tuple[Modifier, ...] = ()


class Move(_Aimed):
    """Move the pointer and leave it there."""

    action: Literal["move"] = "move"


class Drag(_Aimed):
    """Press at one end, release at the other."""

    action: Literal["drag"] = "drag"
    to_x: Coordinate
    to_y: Coordinate
    button: Button = "left"
    hold: tuple[Modifier, ...] = ()
    duration_s: Annotated[float, Field(ge=0.05, le=5)] = 0.3

    def points(self) -> tuple[Point, ...]:
        """Both ends."""
        return (Point(self.x, self.y), Point(self.to_x, self.to_y))


class Scroll(_Aimed):
    """Turn the wheel over a place: `dy` > 0 shows what is below, `dx` > 0 what is to the right."""

    action: Literal["scroll"] = "scroll"
    dx: Annotated[int, Field(ge=-100, le=100)] = 0
    dy: Annotated[int, Field(ge=-100, le=100)] = 0

    @model_validator(mode="after")
    def _turns(self) -> Self:
        if not (self.dx or self.dy):
            raise ValueError("a scroll needs `dx` or `dy` other than 0")
        return self


class Type(_Action):
    """Key in a text, character by character: `text`, or `text_ref` for a secret that is looked up late."""

    action: Literal["type"] = "type"
    text: Text | None = None
    text_ref: Annotated[str, Field(max_length=300), AfterValidator(_secret_reference)] | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.text is None) == (self.text_ref is None):
            raise ValueError("give exactly one of `text` and `text_ref`")
        return self


class Paste(_Action):
    """Put a text in through the clipboard, which is put back afterwards."""

    action: Literal["paste"] = "paste"
    text: Text


class Press(_Action):
    """Strike one key."""

    action: Literal["press"] = "press"
    key: Key
    presses: Annotated[int, Field(ge=1, le=100)] = 1


class Hotkey(_Action):
    """Strike a key while modifiers are held: `["ctrl", "s"]`."""

    action: Literal["hotkey"] = "hotkey"
    keys: Annotated[tuple[Key, ...], Field(min_length=2, max_length=5), AfterValidator(_modifiers_first)]


class Wait(_Action):
    """Let time pass."""

    action: Literal["wait"] = "wait"
    seconds: Annotated[float, Field(gt=0, le=MAX_WAIT_S)]


Action = Annotated[
    Observe | Click | Move | Drag | Scroll | Type | Paste | Press | Hotkey | Wait,
    Field(discriminator="action"),
]
ACTION: TypeAdapter[Action] = TypeAdapter(Action)

POINTER_ACTIONS = frozenset({"click", "move", "drag", "scroll"})
KEYBOARD_ACTIONS = frozenset({"type", "paste", "press", "hotkey"})


def longest_s(action: Action) -> float:
    """How long sending its input events may take at most, on a slow machine."""
    if isinstance(action, Type | Paste):
        return 0.01 * (MAX_TEXT if action.text is None else len(action.text))
    return action.duration_s if isinstance(action, Drag) else 0.0


def check_on_screen(action: Action, screen: Box) -> None:
    """Let only actions pass whose every point lies on the screen.

    Raises:
        OffScreen: naming the point and the screen.
    """
    for point in action.points():
        if not screen.contains(point):
            raise OffScreen(point, screen)
