"""Look at the desktop and act on it, one recorded step at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError

from actionlens.actions import ACTION, Action
from actionlens.records import Request
from ibtr.errors import UnsafeAction
from ibtr.geometry import Box, Point, Size, px_to_host, xy_to_px
from server.app import App
from server.bounds import WAIT_S
from server.recording_budget import expect_within
from server.replay.stopped import Stopped
from server.tools.refusing import refused
from server.toolspec import Answer, Arguments, BadArguments, Effect, ToolSpec, describe

if TYPE_CHECKING:
    from actionlens.controller import Frame


class ObserveArguments(Arguments):
    """See the desktop: a downscaled screenshot, its frame_id for `act`, and the active window."""

    note: Annotated[str | None, Field(max_length=500, description="Why you look; kept with the run.")] = None


Kind = Literal["click", "move", "drag", "scroll", "type", "paste", "press", "hotkey", "wait"]


class ActFields(Arguments):
    """What an act may say, whoever asks for it."""

    frame_id: Annotated[str | None, Field(description="From observe; needed with x and y.")] = None
    x: int | None = None
    y: int | None = None
    to_x: Annotated[int | None, Field(description="drag: the other end.")] = None
    to_y: int | None = None
    button: Literal["left", "middle", "right"] | None = None
    clicks: Annotated[int | None, Field(description="click: 1 to 3.")] = None
    hold: Annotated[list[str] | None, Field(description="Modifiers held meanwhile.")] = None
    dx: Annotated[int | None, Field(description="scroll: notches to the right.")] = None
    dy: Annotated[int | None, Field(description="scroll: notches down.")] = None
    text: Annotated[
        str | None,
        Field(description="type, paste: the text, exactly; an input of a memory is one whole text."),
    ] = None
    text_ref: Annotated[
        str | None, Field(description='type: a secret, "env:NAME" or "keyring:service/name".')
    ] = None
    key: Annotated[str | None, Field(description="press: enter, tab, f5, a ...")] = None
    presses: int | None = None
    keys: Annotated[list[str] | None, Field(description='hotkey: ["ctrl", "s"].')] = None
    seconds: Annotated[float | None, Field(le=WAIT_S, description="wait.")] = None
    target: Annotated[str | None, Field(max_length=500, description="Words for what you mean to hit.")] = None
    expect: Annotated[str | None, Field(max_length=500, description="What must be visible next.")] = None
    look: Annotated[bool, Field(description="Return the picture after the act.")] = False


class ActArguments(ActFields):
    """Act on the desktop: click, move, drag, scroll, type, paste, press, hotkey or wait.

    Coordinates are pixels of the picture that `frame_id` names. Every act is recorded, and can become a
    memory.
    """

    action: Kind


_REQUEST_FIELDS = {"frame_id", "target", "expect", "look"}


async def observe(app: App, ask: ObserveArguments) -> Answer:
    """Picture and context."""
    frame = await app.operator.look(ask.note)
    return _shown(app, frame, {})


async def act(app: App, ask: ActArguments) -> Answer:
    """One recorded step."""
    lens = await app.operator.lens()
    given = {
        name: value
        for name, value in ask.model_dump(exclude_none=True).items()
        if name not in _REQUEST_FIELDS
    }
    now = await lens.desktop.capture()
    action = parse_action(to_controller(app, ask.frame_id, given, now))
    try:
        await app.guard.check_frame(action, now, lens.desktop)
        if (run := lens.run) is not None:
            expect_within(run.manifest.detail, run.steps, run.manifest.started_at, at=datetime.now(UTC))
    except (UnsafeAction, Stopped) as exc:
        return refused(exc)
    app.operator.claims.expect_ours()
    done = await lens.act(Request(action=action, target=ask.target, expect=ask.expect))
    said: dict[str, Any] = {"step": done.step, "status": done.status.value}
    if done.error:
        said["error"] = done.error
    if done.settled and not done.settled.still:
        said["note"] = "the screen was still changing"
    if done.after is None:
        return Answer(data=said | {"note": "the desktop could not be seen afterwards"})
    said["changed"] = done.after.pixels is not done.before.pixels
    if ask.look:
        return _shown(app, done.after, said)
    said["window"] = done.after.window.title if done.after.window else None
    return Answer(data=said)


def _shown(app: App, frame: Frame, said: dict[str, Any]) -> Answer:
    picture = app.operator.pictures().show(frame)
    window = f'"{frame.window.title}" ({frame.window.application})' if frame.window else "none"
    place = f"\nwindow at: {_placed(frame, frame.window.box, picture.size)}" if frame.window else ""
    facts = "".join(f"{name}: {value}\n" for name, value in said.items())
    text = (
        f"{facts}frame_id: {picture.frame_id}\npicture: {picture.size.width}x{picture.size.height} "
        f"of a screen of {frame.image.width}x{frame.image.height}\nactive window: {window}{place}"
    )
    return Answer(text=text, images=((picture.mime, picture.data),))


def _placed(frame: Frame, box: Box, shown: Size) -> str:
    """A window in the picture's own coordinates, those in which a host aims."""
    near, far = (
        px_to_host(xy_to_px(corner, frame.scale, frame.origin), shown, frame.image)
        for corner in (Point(box.x, box.y), Point(box.right, box.bottom))
    )
    return f"{near.x},{near.y} size {far.x - near.x}x{far.y - near.y}"


def to_controller(app: App, frame_id: str | None, given: dict[str, Any], now: Any) -> dict[str, Any]:
    """Coordinates of the host's picture as coordinates of the screen as it is now."""
    pairs = [pair for pair in (("x", "y"), ("to_x", "to_y")) if pair[0] in given or pair[1] in given]
    if not pairs:
        return given
    if frame_id is None:
        raise BadArguments("frame_id: x and y need the frame_id of the picture they are in; call observe")
    if missing := [name for pair in pairs for name in pair if name not in given]:
        raise BadArguments(f"{missing[0]}: is missing")
    moved = dict(given)
    for x, y in pairs:
        at = app.operator.pictures().locate(frame_id, Point(given[x], given[y]), now)
        moved |= {x: round(at.x), y: round(at.y)}
    return moved


def parse_action(given: dict[str, Any]) -> Action:
    """The action that a host named, checked.

    Raises:
        BadArguments: naming the field.
    """
    try:
        return ACTION.validate_python(given)
    except ValidationError as exc:
        raise BadArguments(describe(exc)) from exc


TOOLS = (
    ToolSpec("observe", ObserveArguments, Effect.READS, observe, always_load=True),
    ToolSpec("act", ActArguments, Effect.DRIVES_DESKTOP, act),
)
