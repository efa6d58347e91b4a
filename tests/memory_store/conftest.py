from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_store.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "home") as opened:
        yield opened
