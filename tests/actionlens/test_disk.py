"""A full disk under the evidence: nothing is sent that is not told, nothing is torn, and it goes on later."""

import os
from pathlib import Path

import numpy as np
import pytest

from actionlens.chain import ChainWriter, read_chain
from actionlens.commit import Commit
from actionlens.records import Happened, RunStatus
from actionlens.run_log import RunLog
from actionlens.run_reader import read_run, verify_run
from tests.actionlens.test_run_log import AT, new_log, picture, record_one
from tests.memory_store.test_disk import in_own_mounts


@pytest.mark.desktop
def test_on_a_disk_that_fills_up_every_key_that_was_sent_is_in_the_run(
    x_server: None, tmp_path: Path
) -> None:
    (disk := tmp_path / "disk").mkdir()
    (place := tmp_path / "place").mkdir()
    us = f"unshare --map-user={os.geteuid()} --map-group={os.getegid()}" if os.geteuid() else ""
    script = (
        f'mount -t tmpfs -o size=600k tmpfs "$2"; exec {us} "$1" -m tests.actionlens.disk_worker "$2" "$3"'
    )

    told = in_own_mounts(script, str(disk), str(place))  # as ourselves: root has another folder of locks

    assert told["problems"] == []
    assert told["keys"] == told["recorded"]
    assert int(str(told["refused"])) >= 8
    assert (told["names_folder"], told["sealed"]) == (True, True)
    assert (told["still"], told["begun"], told["held"], told["left"]) == (True, False, False, True)


def test_a_line_that_fits_only_in_part_is_cut_off_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = ChainWriter(tmp_path / "lines", Commit())
    chain.append(Happened(at=AT, event="one"))
    write = os.write
    room = [20]

    def short(fd: int, data: bytes) -> int:
        if not (n := room[0]):
            raise OSError(28, "No space left on device")
        room[0] = 0
        return write(fd, bytes(data)[:n])

    with monkeypatch.context() as full:
        full.setattr(os, "write", short)
        with pytest.raises(OSError, match="No space"):
            chain.append(Happened(at=AT, event="two"))
    chain.append(Happened(at=AT, event="three"))
    chain.close()

    lines = list(read_chain(tmp_path / "lines"))
    assert [line.problem for line in lines] == [None, None]
    assert '"three"' in str(lines[1].body)


def test_a_record_that_cannot_be_synced_is_taken_back_with_what_it_relied_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = new_log(tmp_path)
    record_one(log)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fdatasync", full)
        with pytest.raises(OSError, match="No space"):
            record_one(log)
    record_one(log)
    manifest = log.seal(RunStatus.FINISHED, at=AT)

    run = read_run(log.path)
    assert [step.id for step in run.steps] == [1, 3]
    assert manifest.counts["actions"] == 2
    assert np.array_equal(run.frame(run.steps[1].before), picture(3))
    assert verify_run(log.path) == []


def test_a_seal_that_fails_leaves_the_run_open_and_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = new_log(tmp_path)
    record_one(log)
    sync = os.fsync
    calls = [0]

    def second_fails(fd: int) -> None:
        calls[0] += 1
        if calls[0] == 2:
            raise OSError(28, "No space left on device")
        sync(fd)

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", second_fails)
        with pytest.raises(OSError, match="No space"):
            log.seal(RunStatus.FINISHED, at=AT)
    assert read_run(log.path).status is RunStatus.RUNNING
    record_one(log)
    log.seal(RunStatus.FINISHED, at=AT)

    assert [event.event for event in read_run(log.path).events] == ["run_started", "run_sealed"]
    assert len(read_run(log.path).steps) == 2
    assert verify_run(log.path) == []


def test_a_run_that_cannot_be_begun_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    for call in ("fsync", "fdatasync"):
        with monkeypatch.context() as disk:
            disk.setattr(os, call, full)
            with pytest.raises(OSError, match="No space"):
                RunLog.create(tmp_path, source_agent="test", task_goal="try", controller="none", at=AT)

    assert list(tmp_path.iterdir()) == []
