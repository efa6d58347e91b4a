import json
import os
import resource
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import numpy as np
import pytest

from actionlens import lock
from actionlens.actions import Click, Hotkey, Move, Paste, Press, Type, Wait
from actionlens.desk import Desktop
from actionlens.errors import DesktopBusy, EvidenceUnwritable, OffScreen, SecretMissing, Sent
from actionlens.lock import DesktopLock
from actionlens.mask import changed_places
from actionlens.process import identity, is_alive
from actionlens.recorder import ActionLens
from actionlens.records import Request, RunStatus, StepStatus
from actionlens.run_reader import read_run, verify_run
from ibtr.geometry import Point
from tests.conftest import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture
def lens(virtual: Desktop, tmp_path: Path) -> ActionLens:
    return ActionLens(virtual, tmp_path / "runs", agent="test", secret=lambda name: {"env:PIN": "qkvz"}[name])


@pytest.fixture
def place(virtual: Desktop, tmp_path: Path) -> Screen:
    folder = tmp_path / "place"
    folder.mkdir()
    return Screen(virtual, folder)


async def test_a_recorded_run_tells_everything_about_each_step(lens: ActionLens, place: Screen) -> None:
    probe = await place.show()
    log = await lens.start_run("click and type", agent="claude")

    await lens.observe("before all")
    clicked = await lens.act(Request(action=Click(x=222, y=187), target="square 1", expect="nothing"))
    typed = await lens.act(Request(action=Type(text="hi")))
    manifest = await lens.finish_run(outputs=("out.txt",))

    run = read_run(log.path)
    assert manifest is not None
    assert (manifest.status, manifest.source_agent, manifest.task_goal) == (
        "finished",
        "claude",
        "click and type",
    )
    assert manifest.controller == lens.desktop.name
    assert manifest.counts["actions"] == 2
    assert [step.id for step in run.steps] == [clicked.step, typed.step] == [1, 2]
    first = run.steps[0]
    assert (first.request.target, first.request.expect) == ("square 1", "nothing")
    assert first.before.window is not None
    assert first.before.window.title == "one"
    assert (first.before.screen, first.before.image, first.before.scale) == (
        (1280, 800),
        (1280, 800),
        (1.0, 1.0),
    )
    assert first.after is not None
    assert first.after.pointer == Point(222, 187)
    assert first.ended is not None
    assert first.ended.sent is Sent.ALL
    assert first.ended.settled is not None
    assert first.ended.settled.still
    assert {"capture_before", "record_started", "perform", "settle"} <= first.ended.timings_s.keys()
    assert np.array_equal(run.frame(first.before), clicked.before.pixels)
    assert len(run.observations) == 1
    assert verify_run(log.path) == []
    assert len(probe.of("press")) == 1


async def test_recording_never_blocks_the_event_loop(
    virtual: Desktop, place: Screen, tmp_path: Path, nothing_blocks_the_loop: None
) -> None:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test")

    await lens.start_run("on the loop")
    await lens.observe()
    done = await lens.act(Request(action=Move(x=5, y=5)))
    await lens.close()

    assert done.status is StepStatus.OK


async def test_a_failed_action_is_recorded_with_the_state_after_it(lens: ActionLens, place: Screen) -> None:
    await place.show()
    log = await lens.start_run("paste into nothing")

    done = await lens.act(Request(action=Paste(text="lost")))
    await lens.finish_run(RunStatus.FAILED)

    step = read_run(log.path).steps[0]
    assert done.status is step.status is StepStatus.ERROR
    assert "nothing took the text" in (done.error or "")
    assert done.sent is Sent.SOME
    assert step.after is not None


async def test_what_is_refused_before_the_input_event_leaves_no_step(lens: ActionLens, place: Screen) -> None:
    probe = await place.show()
    log = await lens.start_run("refusals")

    with pytest.raises(OffScreen):
        await lens.act(Request(action=Click(x=5000, y=5)))
    with pytest.raises(KeyError):
        await lens.act(Request(action=Type(text_ref="env:NOBODY")))
    await lens.finish_run()

    assert read_run(log.path).steps == ()
    assert probe.of("press", "down") == []


async def test_a_secret_is_typed_but_stands_nowhere_in_the_run(lens: ActionLens, place: Screen) -> None:
    probe = await place.show()
    log = await lens.start_run("log in")

    await lens.act(Request(action=Type(text_ref="env:PIN")))
    await lens.finish_run()

    await probe.until(lambda events: sum(one["event"] == "up" for one in events) == 4)
    assert "".join(one["char"] for one in probe.of("down")) == "qkvz"
    assert not any(b"qkvz" in file.read_bytes() for file in log.path.rglob("*.json*"))


async def test_the_field_of_a_secret_is_masked_in_every_frame_that_is_kept_or_shown(
    lens: ActionLens, place: Screen
) -> None:
    await place.mousepad()
    log = await lens.start_run("type a secret where it can be read")

    done = await lens.act(Request(action=Type(text_ref="env:PIN")))
    plain = (await lens.desktop.capture()).pixels
    seen = await lens.observe()
    await lens.finish_run()

    run = read_run(log.path)
    window = run.steps[0].before.window
    assert window is not None
    changed = changed_places(run.frame(run.steps[0].before), plain)
    (box,) = [
        box for box in changed if box.height < 60 and box.y > window.box.y
    ]  # its title has changed, too
    assert done.after is not None
    kept = run.steps[0].after
    assert kept is not None
    for pixels in (run.frame(kept), run.frame(run.observations[0].seen), done.after.pixels, seen.pixels):
        assert np.ptp(pixels[box.y : box.bottom, box.x : box.right]) == 0


async def test_actions_without_a_run_are_kept_all_the_same(
    lens: ActionLens, place: Screen, tmp_path: Path
) -> None:
    await place.show()

    await lens.act(Request(action=Move(x=5, y=5)))
    await lens.act(Request(action=Move(x=50, y=50)))
    await lens.close()

    (path,) = (tmp_path / "runs").iterdir()
    run = read_run(path)
    assert run.manifest.detail == {"ambient": True}
    assert len(run.steps) == 2


async def test_cancelling_a_wait_ends_it_at_once_and_records_it(lens: ActionLens, place: Screen) -> None:
    await place.show()
    log = await lens.start_run("wait")

    with anyio.move_on_after(0.3) as scope:
        await lens.act(Request(action=Wait(seconds=60)))
    await lens.finish_run(RunStatus.CANCELLED)

    assert scope.cancelled_caught
    assert [step.status for step in read_run(log.path).steps] == [StepStatus.CANCELLED]


async def test_cancelling_an_input_event_never_hides_it(lens: ActionLens, place: Screen) -> None:
    probe = await place.show()
    log = await lens.start_run("type and cancel")
    text = "abcdefgh" * 20

    for _ in range(5):
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(lens.act, Request(action=Type(text=text)))
                await anyio.sleep(0.01)
                scope.cancel()
    await lens.finish_run(RunStatus.CANCELLED)

    steps = read_run(log.path).steps
    assert all(step.status is StepStatus.OK for step in steps)
    sent = len(text) * len(steps)
    await probe.until(lambda events: sum(one["event"] == "up" for one in events) >= sent)
    assert len(probe.of("down")) == len(probe.of("up")) == sent


async def test_settling_waits_for_a_window_and_not_for_a_caret(lens: ActionLens, place: Screen) -> None:
    await place.mousepad()
    log = await lens.start_run("open a menu")

    done = await lens.act(Request(action=Hotkey(keys=("alt", "f"))))
    await lens.act(Request(action=Press(key="escape")))
    await lens.finish_run()

    step = read_run(log.path).steps[0]
    assert done.settled is not None
    assert done.settled.still
    assert step.after is not None
    assert step.after.frame != step.before.frame


async def test_a_second_driver_is_told_who_drives(lens: ActionLens, virtual: Desktop, place: Screen) -> None:
    probe = await place.show()
    second = ActionLens(virtual, place.folder / "runs", agent="codex")
    await lens.start_run("a long recording")

    with pytest.raises(DesktopBusy) as busy:
        await second.act(Request(action=Click(x=222, y=187)))
    seen = await second.observe()
    await lens.finish_run()
    done = await second.act(Request(action=Click(x=222, y=187)))
    await second.close()

    assert (busy.value.who, busy.value.doing) == ("test", "recording: a long recording")
    assert seen.window is not None
    assert done.status is StepStatus.OK
    assert len(probe.of("press")) == 1


async def test_without_room_for_evidence_nothing_is_touched(
    lens: ActionLens, place: Screen, tmp_path: Path
) -> None:
    probe = await place.show()
    await lens.start_run("full disk")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, hard))
    try:
        with pytest.raises(EvidenceUnwritable, match="runs purge"):
            await lens.act(Request(action=Click(x=222, y=187)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert probe.of("press") == []
    await lens.finish_run(RunStatus.FAILED)


async def test_a_missing_secret_names_the_variable(virtual: Desktop, place: Screen) -> None:
    lens = ActionLens(virtual, place.folder / "runs", agent="test")

    with pytest.raises(SecretMissing, match=r"ECHOPATH_NO_SUCH_SECRET.* env_vars"):
        await lens.act(Request(action=Type(text_ref="env:ECHOPATH_NO_SUCH_SECRET")))


async def test_a_lost_display_is_said_and_the_step_is_kept(fresh: Desktop, tmp_path: Path) -> None:
    lens = ActionLens(fresh, tmp_path / "runs", agent="test")
    log = await lens.start_run("the display goes away")
    await lens.act(Request(action=Move(x=5, y=5)))
    os.kill(fresh.pid, 9)

    from actionlens.errors import DesktopLost

    with pytest.raises(DesktopLost):
        await lens.act(Request(action=Click(x=222, y=187)))
    await lens.close()

    run = read_run(log.path)
    assert [step.status for step in run.steps] == [StepStatus.OK]
    assert verify_run(log.path) == []


def test_a_lease_ends_with_idleness_and_with_its_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lock, "SESSIONS", tmp_path / "none")
    monkeypatch.setattr(lock, "SHARED", tmp_path)
    clock = [datetime(2026, 1, 1, tzinfo=UTC)]
    one = DesktopLock(":77", "one", lambda: clock[0])
    two = DesktopLock(":77", "two", lambda: clock[0])

    one.take("recording")
    clock[0] += timedelta(seconds=119)
    with pytest.raises(DesktopBusy):
        two.take("click")
    one.take("still there")
    clock[0] += timedelta(seconds=119)
    with pytest.raises(DesktopBusy):
        two.take("click")
    clock[0] += timedelta(seconds=2)
    two.take("click")
    with pytest.raises(DesktopBusy) as busy:
        one.take("back again")
    assert busy.value.who == "two"

    (file,) = (tmp_path / f"echopath-{os.getuid()}").iterdir()
    held = json.loads(file.read_text())
    file.write_text(json.dumps({**held, "process": "999999999:5"}))
    one.take("its holder is dead")
    holder = two.holder()
    assert holder is not None
    assert holder.who == "one"


def test_a_process_is_told_from_a_later_one_with_its_number() -> None:
    me = identity()

    assert is_alive(me)
    assert not is_alive(f"{os.getpid()}:1")
    assert not is_alive("nonsense")
    assert sys.platform != "linux" or not me.endswith(":0")
