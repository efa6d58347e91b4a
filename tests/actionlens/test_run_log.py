import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actionlens.actions import Click, Type
from actionlens.errors import RunUnreadable, Sent
from actionlens.frames import Pixels, changed_box
from actionlens.observation import Observation
from actionlens.records import Looked, Request, RunStatus, StepEnded, StepId, StepStarted, StepStatus
from actionlens.run_log import RunLog
from actionlens.run_reader import read_run, verify_run
from ibtr.geometry import Box, Point, Scale, Size

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def seen(frame: str) -> Observation:
    size = Size(64, 48)
    return Observation(at=AT, image=size, screen=size, origin=Point(0, 0), scale=Scale(), frame=frame)


def picture(value: int = 0) -> Pixels:
    pixels = np.full((48, 64, 3), 200, np.uint8)
    pixels[10:14, 20 : 21 + value] = value
    return pixels


def record_one(log: RunLog, *, end: bool = True) -> None:
    step = log.allocate_step()
    before = seen(log.keep(picture(step)))
    log.step(StepStarted(step=step, at=AT, request=Request(action=Click(x=1, y=2)), before=before))
    if end:
        after = seen(log.keep(picture(step + 1)))
        log.step(StepEnded(step=step, at=AT, status=StepStatus.OK, duration_s=0.1, after=after))


def new_log(root: Path) -> RunLog:
    return RunLog.create(root, source_agent="test", task_goal="try", controller="none", at=AT)


def test_a_sealed_run_reads_back_whole_and_verifies(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    record_one(log)
    log.observation(Looked(seen=seen(log.keep(picture(9)))))

    manifest = log.seal(RunStatus.FINISHED, at=AT, outputs=("a.txt",))
    run = read_run(log.path)

    assert run.status is RunStatus.FINISHED
    assert manifest.counts["actions"] == 1
    assert [step.status for step in run.steps] == [StepStatus.OK]
    assert run.steps[0].action == Click(x=1, y=2)
    assert np.array_equal(run.frame(run.steps[0].before), picture(1))
    assert np.array_equal(run.frame(run.observations[0].seen), picture(9))
    assert run.missing == ()
    assert verify_run(log.path) == []


def test_a_step_without_an_end_reads_as_outcome_unknown(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    record_one(log, end=False)
    (log.path / "writer.pid").write_text("999999999:1")

    run = read_run(log.path)

    assert run.status is RunStatus.INTERRUPTED
    assert run.steps[0].status is StepStatus.OUTCOME_UNKNOWN
    assert any("step 1 (click) has no end" in line for line in run.missing)


def test_a_half_written_line_costs_that_line_only(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    record_one(log)
    record_one(log)
    steps = log.path / "steps.jsonl"
    steps.write_bytes(steps.read_bytes()[:-40])

    run = read_run(log.path)

    assert [step.status for step in run.steps] == [StepStatus.OK, StepStatus.OUTCOME_UNKNOWN]
    assert any("cut short" in line for line in run.missing)


def test_a_frame_is_stored_once_and_the_next_as_a_patch(tmp_path: Path) -> None:
    log = new_log(tmp_path)

    first, again, second, back = (log.keep(picture(value)) for value in (1, 1, 2, 1))

    assert first == again == back != second
    assert sorted(file.name for file in (log.path / "frames").iterdir()) == ["00000.png", "00001.patch.png"]


def test_many_small_changes_are_read_back_exactly(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    rng = np.random.default_rng(7)
    pixels = rng.integers(0, 255, (90, 120, 3), dtype=np.uint8)
    kept: dict[str, Pixels] = {}
    for _ in range(40):
        pixels = pixels.copy()
        x, y = rng.integers(0, 80, 2)
        pixels[y : y + 9, x : x + 30] = rng.integers(0, 255, 3)
        kept[log.keep(pixels)] = pixels

    run = read_run(log.path)

    assert all(np.array_equal(run.frame(name), value) for name, value in kept.items())


@given(
    box=st.tuples(st.integers(0, 63), st.integers(0, 47), st.integers(1, 64), st.integers(1, 48)),
)
def test_the_changed_box_holds_exactly_what_changed(box: tuple[int, int, int, int]) -> None:
    area = Box(*box).clip(Size(64, 48))
    one, other = picture(), picture()
    other[area.y : area.bottom, area.x : area.right, 1] ^= 255

    assert changed_box(one, other) == area
    assert changed_box(one, one.copy()) is None


@given(x=st.integers(0, 62), y=st.integers(0, 46))
def test_a_single_changed_pixel_is_found_in_a_frame_of_odd_size(x: int, y: int) -> None:
    one = np.ascontiguousarray(picture()[:47, :63])
    other = one.copy()
    other[y, x, 2] ^= 1

    assert changed_box(one, other) == Box(x, y, 1, 1)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_verify_finds_any_changed_byte(tmp_path: Path, data: st.DataObject) -> None:
    log = new_log(tmp_path)
    record_one(log)
    log.seal(RunStatus.FINISHED, at=AT)
    files = sorted(file for file in log.path.rglob("*") if file.is_file())
    file = data.draw(st.sampled_from(files))
    content = bytearray(file.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1)) if content else 0
    if content:
        content[at] ^= data.draw(st.integers(1, 255))
    else:
        content = bytearray(b"x")

    file.write_bytes(content)

    try:
        assert verify_run(log.path) != []
    except RunUnreadable as exc:
        assert "manifest.json" in str(exc)


def test_a_removed_or_added_file_is_named(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    record_one(log)
    log.seal(RunStatus.FINISHED, at=AT)
    (log.path / "frames/00000.png").unlink()
    (log.path / "extra.txt").write_text("x")

    problems = verify_run(log.path)

    assert any("00000.png" in line for line in problems)
    assert any("extra.txt" in line for line in problems)


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunUnreadable, match=r"manifest\.json"):
        read_run(tmp_path)


def test_the_json_of_a_record_is_stable(tmp_path: Path) -> None:
    log = new_log(tmp_path)
    step = log.allocate_step()
    action = Type(text="Größe €")
    log.step(StepStarted(step=step, at=AT, request=Request(action=action), before=seen(log.keep(picture()))))

    line = json.loads((log.path / "steps.jsonl").read_text())

    assert line["record"] == "step_started"
    assert line["request"]["action"] == {"action": "type", "text": "Größe €", "text_ref": None}


def test_the_end_of_a_step_of_an_older_run_reads_without_how_much_was_sent() -> None:
    end = StepEnded(step=StepId(1), at=AT, status=StepStatus.OK, duration_s=0.1, sent=Sent.ALL)
    older = end.model_dump(mode="json", exclude={"sent"})

    assert StepEnded.model_validate(older) == end.model_copy(update={"sent": None})
