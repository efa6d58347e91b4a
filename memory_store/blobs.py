"""Evidence by SHA-256: written once, atomically; verified on read; shared by all that refer to it."""

import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memory_store.errors import EvidenceCorrupt, EvidenceMissing
from memory_store.home import FILE_MODE, FOLDER_MODE, disk_errors, open_regular, private_folder
from memory_store.models import BlobId

_NAME: Final = re.compile(r"^[0-9a-f]{64}$")
_LARGEST: Final = 1 << 28
"""More than any picture that is kept: whatever is longer is not what its name promises."""


def blob_id(data: bytes) -> BlobId:
    """The name that these bytes will have."""
    return BlobId(hashlib.sha256(data).hexdigest())


class Blobs:
    """A folder of blobs, sharded by the first two digits of their name."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._incoming = private_folder(folder / "incoming")

    def put(self, data: bytes) -> BlobId:
        """Keep these bytes. On return they are on the disk, whole; a damaged copy is replaced.

        Raises:
            StoreFull: no space is left.
            StoreReadOnly: the folder cannot be written.
        """
        name = blob_id(data)
        path = self._path(name)
        if not self._is_whole(path, name):
            with disk_errors(path):
                self._write(path, data)
        return name

    def get(self, name: BlobId) -> bytes:
        """The bytes, checked against their name.

        Raises:
            EvidenceMissing: there is no such blob.
            EvidenceCorrupt: its bytes have changed.
        """
        try:
            data = _read(self._path(name))
        except FileNotFoundError as exc:
            raise EvidenceMissing(name) from exc
        except OSError as exc:
            raise EvidenceCorrupt(name, found=exc.strerror or "unreadable") from exc
        if (found := blob_id(data)) != name:
            raise EvidenceCorrupt(name, found=found)
        return data

    def __contains__(self, name: BlobId) -> bool:
        return self._path(name).is_file()

    def __iter__(self) -> Iterator[BlobId]:
        """Every blob on disk, whether or not anything refers to it."""
        for path in sorted(self._folder.glob("[0-9a-f][0-9a-f]/*")):
            if _NAME.match(path.name) and not (path.is_dir() and not path.is_symlink()):
                yield BlobId(path.name)

    def size(self, name: BlobId) -> int:
        """Bytes on disk; 0 if absent."""
        path = self._path(name)
        return path.stat().st_size if path.is_file() else 0

    def remove(self, name: BlobId) -> None:
        """Delete one blob. Only garbage collection may call this, alone in the store."""
        with disk_errors(self._folder):
            self._path(name).unlink(missing_ok=True)

    def sweep_incoming(self, *, older_than_s: float = 0.0) -> int:
        """Delete what writers that died have left half-written; returns how many."""
        newest = time.time() - older_than_s
        with disk_errors(self._incoming):
            found = {path: path.lstat() for path in private_folder(self._incoming).iterdir()}
            ours = [path for path, about in found.items() if not stat.S_ISDIR(about.st_mode)]
            left = [path for path in ours if found[path].st_mtime <= newest]
            for path in left:
                path.unlink(missing_ok=True)
        return len(left)

    def _path(self, name: BlobId) -> Path:
        return self._folder / name[:2] / name

    def _is_whole(self, path: Path, name: BlobId) -> bool:
        try:
            return blob_id(_read(path)) == name
        except OSError:
            return False

    def _write(self, path: Path, data: bytes) -> None:
        partial = self._incoming / f"{path.name}.{secrets.token_hex(4)}"
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh = not path.parent.is_dir()
            path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
        if fresh:
            _sync_folder(path.parent.parent)


def _read(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(_LARGEST + 1)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
