from collections.abc import Iterator
from pathlib import Path

import pytest

from actionlens.run_reader import Run
from memory_store.repository import Repository
from tests.memory_store.consolidating import Shelf, recorded_run
from tests.memory_store.making import AT, add_active


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Two active memories, exported from a store of their own."""
    with Repository(tmp_path / "source") as source:
        add_active(source, "first", seed=1)
        add_active(source, "second", seed=2)
        source.export(["first", "second"], tmp_path / "bundle.zip", at=AT)
    return tmp_path / "bundle.zip"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A client was looked up and got another phone number."""
    return recorded_run(tmp_path)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "blobs")
