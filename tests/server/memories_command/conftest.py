"""A store with a few memories, and the command line over it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.cli import cli
from tests.memory_store.making import AT, add_active, add_memory, later, make_memory, replay
from tests.server.memories_command.told import Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(cli, ["memories", *(str(each) for each in arguments)])

    return invoke


@pytest.fixture
def store(home: Path) -> None:
    with Repository(home) as repository:
        active = add_active(repository, "update_phone", seed=1)
        add_memory(repository, "other", seed=2)
        repository.add(make_memory("unproven"), at=AT)
        repository.record_replay(replay(active.id, 1, Ending.VERIFIED), at=later(3))
        repository.record_replay(replay(active.id, 2, Ending.REJECTED, "missing_target", sent=0), at=later(4))
