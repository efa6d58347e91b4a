"""The user's stop in the middle of an action: the rest of its events is not sent, and the record says so."""

import re
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from actionlens.actions import Drag, Move, Press, Type
from actionlens.desk import Desktop
from actionlens.errors import Sent, UserStopped
from actionlens.recorder import ActionLens, Done
from actionlens.records import Request, StepStatus
from actionlens.run_reader import read_run
from tests.conftest import Probe, Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
LONG = Request(action=Type(text="abcde" * 3000))


@dataclass
class Sign:
    words: str | None = None
    corner: bool = True

    async def said(self) -> str | None:
        return self.words

    async def heeds_corner(self) -> bool:
        return self.corner


@pytest.fixture
async def probe(virtual: Desktop, tmp_path: Path) -> Probe:
    (folder := tmp_path / "place").mkdir()
    return await Screen(virtual, folder).show()


async def test_a_text_is_broken_off_when_the_user_stops_and_the_record_tells_what_was_sent(
    virtual: Desktop, tmp_path: Path, probe: Probe
) -> None:
    sign = Sign()
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", sign=sign)
    log = await lens.start_run("type for long")

    async def stop() -> None:
        sign.words = "the user stopped everything"

    done = await _meanwhile(lens, LONG, probe, stop)
    await lens.finish_run()

    (step,) = read_run(log.path).steps
    assert (done.status, step.status) == (StepStatus.ERROR, StepStatus.ERROR)
    assert isinstance(done.failure, UserStopped)
    assert step.ended is not None
    assert "the user stopped everything" in str(step.ended.error)
    assert (done.sent, step.ended.sent) == (Sent.SOME, Sent.SOME)
    assert _told(done) == await _arrived(probe) < 15_000


async def test_a_pointer_thrown_into_a_corner_breaks_a_text_off(
    both: tuple[Desktop, Desktop], virtual: Desktop, tmp_path: Path, probe: Probe
) -> None:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", sign=Sign())

    async def throw() -> None:
        await both[1].perform(Move(x=0, y=0))

    done = await _meanwhile(lens, LONG, probe, throw)

    assert "corner" in str(done.error)
    assert _told(done) == await _arrived(probe) < 15_000


async def test_a_corner_to_which_we_went_ourselves_breaks_nothing_off(
    virtual: Desktop, tmp_path: Path, probe: Probe
) -> None:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", sign=Sign())

    dragged = await lens.act(Request(action=Drag(x=600, y=600, to_x=1279, to_y=799)))
    pressed = await lens.act(Request(action=Press(key="a", presses=100)))

    assert (dragged.status, pressed.status) == (StepStatus.OK, StepStatus.OK)


async def test_a_corner_that_the_policy_does_not_heed_breaks_nothing_off(
    both: tuple[Desktop, Desktop], virtual: Desktop, tmp_path: Path, probe: Probe
) -> None:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", sign=Sign(corner=False))

    async def throw() -> None:
        await both[1].perform(Move(x=0, y=0))

    done = await _meanwhile(lens, Request(action=Type(text="abcde" * 400)), probe, throw)

    assert done.status is StepStatus.OK


async def _meanwhile(lens: ActionLens, request: Request, probe: Probe, stop: object) -> Done:
    """Act, and stop it once the first keys have arrived."""
    assert callable(stop)
    done: list[Done] = []
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:

            async def act() -> None:
                done.append(await lens.act(request))

            group.start_soon(act)
            await probe.until(lambda events: sum(one["event"] == "down" for one in events) > 50)
            await stop()
    return done[0]


def _told(done: Done) -> int:
    found = re.search(r"\((\d+) of 15000 characters were sent\)", str(done.error))
    assert found, done.error
    return int(found[1])


async def _arrived(probe: Probe) -> int:
    """Keys that came, once no more do."""
    seen = -1
    while seen != (seen := len(probe.of("up"))):
        await anyio.sleep(0.3)
    return seen
