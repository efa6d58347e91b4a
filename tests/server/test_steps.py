"""A step after somebody took the mouse: what was seen before that counts no more."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import anyio
import pytest
from pydantic import JsonValue

from actionlens.actions import Action, Click, Move
from actionlens.controller import Controller, Frame
from actionlens.errors import ActionFailed, DesktopLost, Sent
from actionlens.observation import Under, Window
from actionlens.recorder import ActionLens
from actionlens.settle import Patience
from ibtr.errors import ContradictedTransition, EchoPathError, FocusDrift, MissingTarget
from ibtr.geometry import Box, Point
from memory_store.bindings import bind
from memory_store.models import ReplayId
from memory_store.repository import Repository
from server.guard import Guard
from server.replay.manners import Manners
from server.replay.session import Session
from server.replay.steps import Stepper
from server.replay.stopped import Stopped
from server.replay.words import PARTLY
from tests.memory_store.making import AT
from tests.server import test_start_state as start

OURS, THEIRS = Point(300, 200), Point(500, 300)


@dataclass
class Shared:
    """A desktop that a person works on, too: the window in front is the next of `front_of`."""

    place: str
    name: str = "scripted"
    pointer: Point = OURS
    presses: int | None = 0
    front_of: list[str] = field(default_factory=lambda: ["Editor"])
    sent: list[str] = field(default_factory=list[str])
    fails: EchoPathError | None = None

    async def capture(self) -> Frame:
        application = self.front_of.pop(0) if len(self.front_of) > 1 else self.front_of[0]
        seen = start.frame(start.editor().screen, application, title=f"{application} - 1")
        window = Window(id=len(application), title="", application=application, box=Box(0, 0, *seen.screen))
        return replace(seen, pointer=self.pointer, window=window, windows=(window,), presses=self.presses)

    async def front(self) -> Window | None:
        return (await self.capture()).window

    async def under(self, _: Point) -> Under | None:
        return None

    async def perform(
        self,
        action: Action,
        *,
        secret: str | None = None,
        into: int | None = None,
        presses: int | None = None,
        corner: bool = False,
    ) -> dict[str, JsonValue]:
        self.sent.append(action.action)
        if self.fails is not None:
            raise self.fails
        return {}

    async def release(self) -> None:
        pass


def _stepper(folder: Path, desktop: Shared) -> Stepper:
    with Repository(folder / "home") as store:
        memory = start.memory(store, start.editor(), keys_first=True)
    lens = ActionLens(cast("Controller", desktop), folder / "runs", agent="test", patience=Patience(cap_s=0))
    session = Session(ReplayId("one"), memory, bind(memory, {}), AT)
    manners = Manners(focus_s=0.0, person_still_s=0.001, clear_s=0.0)
    return Stepper(lens, session, manners, Guard(folder / "config", folder / "home"))


def test_keys_go_nowhere_if_a_person_who_took_the_mouse_left_another_application_in_front(
    tmp_path: Path,
) -> None:
    desktop = Shared(place=str(tmp_path))
    stepper = _stepper(tmp_path, desktop)

    async def replay() -> None:
        await stepper.do_beside(Move(x=int(OURS.x), y=int(OURS.y)), "as an earlier step")
        desktop.pointer, desktop.front_of = THEIRS, ["Editor", "Browser"]
        await stepper.do(0)

    with pytest.raises(FocusDrift):
        anyio.run(replay)

    assert desktop.sent == ["move"]


@pytest.mark.parametrize("pressed", [0, 1, None])
def test_keys_go_on_after_a_pause_in_which_the_mouse_was_only_moved(
    tmp_path: Path, pressed: int | None
) -> None:
    desktop = Shared(place=str(tmp_path))
    stepper = _stepper(tmp_path, desktop)

    async def replay() -> None:
        await stepper.do_beside(Move(x=int(OURS.x), y=int(OURS.y)), "as an earlier step")
        stepper.session.presses = 0
        desktop.pointer, desktop.presses = THEIRS, pressed
        with suppress(ContradictedTransition):  # a picture does not change when it is typed at
            await stepper.do(0)

    if pressed == 0:
        anyio.run(replay)
    else:
        with pytest.raises(FocusDrift):
            anyio.run(replay)

    assert desktop.sent == (["move", "type"] if pressed == 0 else ["move"])


def test_a_place_that_a_host_pointed_at_is_not_clicked_when_it_has_changed_since(tmp_path: Path) -> None:
    desktop = Shared(place=str(tmp_path))
    stepper = _stepper(tmp_path, desktop)

    def changed(_: Frame) -> None:
        raise MissingTarget("it shows something else now")

    async def repair() -> None:
        await stepper.do_beside(Click(x=10, y=10), "a tip in the way", changed)

    with pytest.raises(MissingTarget):
        anyio.run(repair)

    assert desktop.sent == []


@pytest.mark.parametrize("sent", [Sent.NOTHING, Sent.SOME, Sent.UNKNOWN])
def test_keys_of_which_some_may_be_sent_make_the_step_half_done(tmp_path: Path, sent: Sent) -> None:
    desktop = Shared(place=str(tmp_path), fails=(refused := ActionFailed("it would not")))
    stepper, refused.sent = _stepper(tmp_path, desktop), sent

    with pytest.raises(Stopped) as stopped:
        anyio.run(stepper.do, 0)

    half = sent is not Sent.NOTHING
    assert stopped.value.evidence == ({"sent_in_part": 1} if half else {})
    assert (stepper.session.may_redo(0), stepper.session.events) == (not half, int(half))


def test_what_a_desktop_had_got_that_went_away_is_not_known(tmp_path: Path) -> None:
    stepper = _stepper(tmp_path, Shared(place=str(tmp_path), fails=DesktopLost("it is gone")))

    with pytest.raises(DesktopLost):
        anyio.run(stepper.do, 0)

    assert [note["binding"] for note in stepper.session.notes] == [PARTLY]
