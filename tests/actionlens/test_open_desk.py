"""A desk that cannot even be started leaves nothing behind."""

import tempfile
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from actionlens.desk import open_virtual
from actionlens.errors import DesktopUnusable


def test_a_desk_whose_process_cannot_be_started_leaves_no_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-such-python"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    before = _ours_open()
    for _ in range(3):
        with pytest.raises(DesktopUnusable):
            anyio.run(open_virtual)

    assert _ours_open() == before
    assert list(tmp_path.iterdir()) == []


def _ours_open() -> int:
    """Files in memory that are shared with a desk."""
    found = 0
    for place in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += "memfd:echopath-" in str(place.readlink())
    return found
