"""Where evidence cannot be written, the advice fits what the disk said."""

import errno
import os
from pathlib import Path

import pytest

from actionlens.book import Disk
from actionlens.errors import EvidenceUnwritable


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("number", "helps"),
    [
        (errno.ENOSPC, "runs purge"),
        (errno.ENOTDIR, "a file where a folder should be"),
        (errno.EROFS, "writable"),
        (errno.EIO, "Look at"),
    ],
)
async def test_what_helps_depends_on_what_is_wrong(number: int, helps: str) -> None:
    def write() -> None:
        raise OSError(number, os.strerror(number))

    with pytest.raises(EvidenceUnwritable) as refused:
        await Disk(Path("/runs"))(write)

    said = str(refused.value)
    assert helps in said
    assert "ECHOPATH_HOME" in said
    assert ("purge" in said) is (number == errno.ENOSPC)
