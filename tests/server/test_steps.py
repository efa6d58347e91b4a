"""A step after somebody took the mouse: what was seen before that counts no more."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import anyio
import pytest
from pydantic import JsonValue

from actionlens.actions import Action, Move
from actionlens.controller import Controller, Frame
from actionlens.observation import Window
from actionlens.recorder import ActionLens
from actionlens.settle import Patience
from ibtr.errors import FocusDrift
from ibtr.geometry import Box, Point
from memory_store.bindings import bind
from memory_store.models import ReplayId
from memory_store.repository import Repository
from server.guard import Guard
from server.replay.manners import Manners
from server.replay.session import Session
from server.replay.steps import Stepper
from tests.memory_store.making import AT
from tests.server import test_start_state as start

OURS, THEIRS = Point(300, 200), Point(500, 300)


@dataclass
class Shared:
    """A desktop that a person works on, too: the window in front is the next of `front_of`."""

    place: str
    name: str = "scripted"
    pointer: Point = OURS
    front_of: list[str] = field(default_factory=lambda: ["Editor"])
    sent: list[str] = field(default_factory=list[str])

    async def capture(self) -> Frame:
        application = self.front_of.pop(0) if len(self.front_of) > 1 else self.front_of[0]
        seen = start.frame(start.editor().screen, application, title=f"{application} - 1")
        window = Window(id=len(application), title="", application=application, box=Box(0, 0, *seen.screen))
        return Frame(seen.pixels, seen.at, seen.screen, seen.origin, self.pointer, window, (window,))

    async def front(self) -> Window | None:
        return (await self.capture()).window

    async def perform(
        self, action: Action, *, secret: str | None = None, into: int | None = None
    ) -> dict[str, JsonValue]:
        self.sent.append(action.action)
        return {}

    async def release(self) -> None:
        pass


def test_keys_go_nowhere_if_a_person_who_took_the_mouse_left_another_application_in_front(
    tmp_path: Path,
) -> None:
    with Repository(tmp_path / "home") as store:
        memory = start.memory(store, start.editor(), keys_first=True)
    desktop = Shared(place=str(tmp_path))
    lens = ActionLens(
        cast("Controller", desktop), tmp_path / "runs", agent="test", patience=Patience(cap_s=0)
    )
    session = Session(ReplayId("one"), memory, bind(memory, {}), AT)
    manners = Manners(focus_s=0.0, person_still_s=0.001)
    stepper = Stepper(lens, session, manners, Guard(tmp_path / "config", tmp_path / "home"))

    async def replay() -> None:
        await stepper.do_beside(Move(x=int(OURS.x), y=int(OURS.y)), "as an earlier step")
        desktop.pointer, desktop.front_of = THEIRS, ["Editor", "Browser"]
        await stepper.do(0)

    with pytest.raises(FocusDrift):
        anyio.run(replay)

    assert desktop.sent == ["move"]
