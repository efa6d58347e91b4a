"""Where files that a person asked for are put."""

import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from memory_store.errors import StoreUnusable
from memory_store.transfer import write_file


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    """As root, a device would be put aside as well: nothing on the machine can do without /dev/null."""
    pipe, heard = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    listener = Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    listener.start()

    write_file(pipe, b"a bundle")
    listener.join(10)

    assert heard == [b"a bundle"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_and_the_file_behind_it_is_written(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    link.symlink_to(file)

    write_file(link, b"new")

    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_folder_is_refused_and_nothing_is_left_behind(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    with pytest.raises(StoreUnusable):
        write_file(folder, b"a bundle")

    assert list(tmp_path.iterdir()) == [folder]
    assert list(folder.iterdir()) == []
