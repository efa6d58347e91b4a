from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from memory_store.repository import Repository

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "home") as opened:
        yield opened
