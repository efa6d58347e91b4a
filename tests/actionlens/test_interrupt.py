"""What was asked for and must not happen any more: a cancel is never lost."""

import os
import signal
import threading
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from actionlens.actions import Click, Type
from actionlens.controller import Frame
from actionlens.desk import Desktop
from actionlens.errors import ActionFailed, DesktopLost, Sent
from actionlens.level import Level, open_level
from actionlens.looks import Looks
from actionlens.recorder import ActionLens
from actionlens.records import Request, StepStatus
from actionlens.run_reader import read_run
from tests.conftest import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


def test_a_level_is_seen_at_the_other_end_and_never_falls() -> None:
    fd = open_level()
    one, other = Level(os.dup(fd)), Level(fd)

    one.rise(7)
    one.rise(3)

    assert (one.value, other.value) == (7, 7)
    one.close()
    other.close()


async def test_an_interruption_reaches_an_action_that_is_still_on_its_way(
    screen: Screen, virtual: Desktop
) -> None:
    probe = await screen.show()
    os.kill(screen.desktop.pid, signal.SIGSTOP)  # it cannot have begun when it is told to stop

    async with anyio.create_task_group() as group:

        async def type_much() -> None:
            with pytest.raises(ActionFailed) as told:
                await screen.desktop.perform(Type(text="abcd" * 200))
            assert told.value.sent is Sent.NOTHING

        group.start_soon(type_much)
        await anyio.wait_all_tasks_blocked()
        screen.desktop.interrupt()
        os.kill(screen.desktop.pid, signal.SIGCONT)
    await screen.desktop.perform(Type(text="next"))

    await probe.until(lambda events: any(one.get("char") == "x" for one in events))
    assert "".join(one["char"] for one in probe.of("down")).startswith("ne")


async def test_an_act_does_not_begin_with_its_events_once_the_recorder_closes(
    virtual: Desktop, tmp_path: Path
) -> None:
    (folder := tmp_path / "screen").mkdir()
    probe = await Screen(virtual, folder).show()
    lens = ActionLens(virtual, tmp_path / "runs", agent="test")
    log = await lens.start_run("to be closed")
    there, go_on = anyio.Event(), threading.Event()

    def hover(_: Frame) -> None:
        anyio.from_thread.run_sync(there.set)
        assert go_on.wait(20)

    async with anyio.create_task_group() as group:

        async def act() -> None:
            with suppress(DesktopLost):
                await lens.act(Request(action=Click(x=120, y=150)), Looks(hover=hover))

        group.start_soon(act)
        await there.wait()
        group.start_soon(lens.close)
        await anyio.wait_all_tasks_blocked()
        go_on.set()

    assert probe.of("press") == []
    (step,) = read_run(log.path).steps
    assert step.ended is not None
    assert (step.status, step.ended.sent) == (StepStatus.ERROR, Sent.NOTHING)
