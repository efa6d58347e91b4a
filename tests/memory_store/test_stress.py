"""Two writers at once, kill -9 at any moment. `ECHOPATH_STRESS=full` (make stress) runs the whole numbers."""

import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from memory_store.models import Lifecycle
from memory_store.repository import Repository
from tests.memory_store.making import AT, add_active, add_memory

FULL = os.environ.get("ECHOPATH_STRESS") == "full"
OPERATIONS = 5_000 if FULL else 150
KILLS = 100 if FULL else 4


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.memory_store.workers", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> dict[str, int]:
    out, err = process.communicate(timeout=3600 if FULL else 120)
    assert process.returncode == 0, err
    return dict(json.loads(out))


@pytest.mark.timeout(3600 if FULL else 180)
def test_two_processes_lose_no_update_and_meet_no_lock(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Repository(home) as repository:
        add_active(repository, "shared")
        for actor in ("left", "right"):
            add_memory(repository, f"own_{actor}")

    processes = {actor: start("churn", str(home), actor, str(OPERATIONS)) for actor in ("left", "right")}
    done = {actor: finish(process) for actor, process in processes.items()}

    with Repository(home) as repository:
        assert repository.verify().problems == ()
        events = repository.log()
        for actor, counts in done.items():
            assert sum(counts.values()) == OPERATIONS
            logged = Counter(event.event.value for event in events if event.body.actor == actor)
            assert logged["added"] == counts["add"]
            assert logged["branched"] == counts["branch"]
            assert logged["renamed"] == counts["rename"]
            assert logged["promoted"] + logged["quarantined"] == counts["toggle"]
        toggles = [event for event in reversed(events) if event.body.tool_name == "shared"][1:]
        states = [event.body.target for event in toggles]
        assert all(first is not second for first, second in itertools.pairwise(states))
        assert len(repository.replays("shared", limit=-1)) == sum(
            counts["replay"] for counts in done.values()
        )


@pytest.mark.timeout(3600 if FULL else 180)
@pytest.mark.parametrize("job", ["promote_forever", "import_forever", "add_forever"])
def test_a_store_survives_kill_9_at_any_moment(tmp_path: Path, job: str) -> None:
    home = tmp_path / "home"
    delays = random.Random(job)
    with Repository(home) as repository:
        add_active(repository, "shared")
        for index in range(3):
            add_memory(repository, f"export_{index}", seed=100 * index)
        repository.export([f"export_{i}" for i in range(3)], tmp_path / "three.zip", at=AT)

    for _ in range(KILLS):
        kill_after(start(job, str(home)), delays.uniform(0.0, 0.15))

        with Repository(home) as repository:
            assert repository.verify().problems == ()
            assert repository.get("shared").lifecycle in {Lifecycle.ACTIVE, Lifecycle.QUARANTINED}
            arrived = Counter(
                m.tool_name[:11] for m in repository.memories() if m.tool_name.startswith("in_")
            )
            assert set(arrived.values()) <= {3}

    with Repository(home) as repository:
        repository.collect_garbage()
        assert repository.verify().unused_blobs == 0
        assert not [*(home / "blobs" / "incoming").iterdir()]


def kill_after(process: subprocess.Popen[str], delay_s: float) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        ready = process.stdout.readline()
        assert ready == "ready\n", process.stderr.read()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(delay_s)
        process.kill()
        process.wait()
