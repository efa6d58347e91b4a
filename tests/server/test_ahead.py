"""Looking ahead while a screen settles: only what rests is taken for what comes next."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actionlens.controller import Frame
from actionlens.observation import Window
from actionlens.settle import Patience, Settling
from ibtr import Evidence, remember
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels
from memory_store.models import Step, StepAction, StepEvidence, Surroundings
from server.replay.ahead import APART_S, Ahead
from tests.ibtr import screens

SIZE = Size(480, 300)
WINDOW = Window(id=1, title="Accounts", application="Accounts", box=Box(0, 0, *SIZE))
HERE = Surroundings(application="Accounts", window_title="Accounts")


def screen(shift: int | None) -> Pixels:
    """The window so far to the right, or not there yet."""
    pixels = screens.desktop(*SIZE)
    if shift is not None:
        screens.window(pixels, 40 + shift, 30)
    pixels.flags.writeable = False
    return pixels


BEFORE = screen(None)
PLACES = {shift: screen(shift) for shift in range(0, 24, 3)}


def evidence() -> Evidence:
    pixels = screens.desktop(*SIZE)
    boxes = screens.window(pixels, 40, 30)
    return remember(pixels, screens.middle(boxes["Print"]))


EVIDENCE = evidence()


def frame(pixels: Pixels, pointer: Point | None = None, window: Window = WINDOW) -> Frame:
    return Frame(
        pixels=pixels,
        at=datetime.now(UTC),
        screen=SIZE,
        origin=Point(0, 0),
        pointer=pointer,
        window=window,
        windows=(window,),
    )


def step(*, changed: bool = True) -> Step:
    seen = StepEvidence(before=HERE, after=HERE, changed=changed)
    return Step(action=StepAction.model_validate({"action": "press", "key": "enter"}), evidence=seen)


@dataclass
class Watched:
    """An Ahead that is shown one frame after another."""

    ahead: Ahead
    state: Settling = field(default_factory=lambda: Settling(Patience(), BEFORE))
    now: float = 0.0

    def show(self, *frames: Frame, after_s: float) -> list[bool]:
        return anyio.run(self._show, [(one, after_s) for one in frames])

    async def _show(self, frames: list[tuple[Frame, float]]) -> list[bool]:
        """What is said to each, up to the first yes."""
        said: list[bool] = []
        for seen, after_s in frames:
            self.now += after_s
            self.state = self.state.look(seen.pixels, self.now)
            said.append(await self.ahead.ready(seen, self.state))
            if said[-1]:
                break
        return said

    def show_all(self, frames: list[tuple[Frame, float]]) -> list[bool]:
        return anyio.run(self._show, frames)


def watching(*, targets: tuple[Evidence, ...] | None = (EVIDENCE,), changed: bool = True) -> Watched:
    watched: list[Watched] = []
    ahead = Ahead(
        step=step(changed=changed),
        then=step(),
        before=frame(BEFORE),
        left_at=Point(5, 5),
        targets=targets,
        may_begin=lambda _: True,
        keep=None,
        clock=lambda: watched[0].now,
    )
    watched.append(Watched(ahead))
    return watched[0]


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.sampled_from([None, 0, 6, 21]), st.floats(0.005, 0.09)),
        min_size=2,
        max_size=7,
    )
)
def test_a_target_is_taken_only_where_it_was_seen_before_and_long_enough_ago(
    shown: list[tuple[int | None, float]],
) -> None:
    watched = watching()
    frames = [(frame(BEFORE if shift is None else PLACES[shift]), after_s) for shift, after_s in shown]

    said = watched.show_all(frames)

    if not said[-1]:
        assert watched.ahead.aimed is None
        return
    seen = shown[: len(said)]
    last = seen[-1][0]
    rested = [
        after_s for n, (_, after_s) in enumerate(seen) if n and all(one == last for one, _ in seen[n - 1 :])
    ]
    assert last is not None
    assert sum(rested) >= APART_S - 1e-9
    assert watched.ahead.aimed is not None
    where = screens.window(screens.desktop(*SIZE), 40 + last, 30)["Print"]
    assert where.contains(watched.ahead.aimed.aims[0].point)


def test_a_target_that_rests_is_taken_at_the_second_sight() -> None:
    watched = watching()

    said = watched.show(*[frame(PLACES[6])] * 5, after_s=APART_S / 2)

    assert said == [False, False, False, True]


def test_without_the_recorded_effect_nothing_is_taken() -> None:
    watched = watching(targets=None)

    assert not any(watched.show(*[frame(BEFORE)] * 4, after_s=0.05))


def test_what_the_pointer_alone_has_lit_up_is_no_effect() -> None:
    watched, lit = watching(targets=None), PLACES[3]
    watched.ahead.saw_under_pointer(frame(lit))

    assert not any(watched.show(*[frame(lit)] * 4, after_s=0.05))
    assert watched.show(*[frame(PLACES[9])] * 2, after_s=0.05) == [False, True]


@pytest.mark.parametrize(
    "seen",
    [
        frame(PLACES[6], pointer=Point(50, 50)),
        frame(PLACES[6], window=Window(id=2, title="Other", application="Other", box=Box(0, 0, 9, 9))),
    ],
    ids=["somebody at the mouse", "another application"],
)
def test_what_speaks_against_going_on_is_left_to_the_ordinary_wait(seen: Frame) -> None:
    watched = watching()

    assert not any(watched.show(*[seen] * 4, after_s=0.05))


def test_a_caret_beside_the_target_does_not_hold_it_up() -> None:
    blinking = PLACES[6].copy()
    at = EVIDENCE.crop.source
    blinking[at.y + 2 : at.y + 14, at.x + 8 : at.x + 9] = np.uint8(0)
    watched = watching()

    said = watched.show(*map(frame, (PLACES[6], blinking, PLACES[6], blinking)), after_s=APART_S)

    assert said[-1]
