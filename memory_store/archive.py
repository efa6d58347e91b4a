"""A zip file read with distrust: every name, size and kind of entry is checked before a byte is unpacked."""

import hashlib
import io
import os
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_store.errors import BundleRefused
from memory_store.home import open_regular

_ENTRY: Final = re.compile(r"^(manifest\.json|memories/m_[0-9a-f]{16}\.json|blobs/[0-9a-f]{64})$")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_ENCRYPTED: Final = 0x1
_LISTED: Final = b"PK\x01\x02"
_CHANCE: Final = 100
"""How often the mark of an entry may stand in packed bytes by accident."""


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """How much a bundle may be; whatever is more is taken for a bomb."""

    file_bytes: int = 512 * 1024 * 1024
    unpacked_bytes: int = 1024 * 1024 * 1024
    entries: int = 50_000
    record_bytes: int = 16 * 1024 * 1024
    blob_bytes: int = 64 * 1024 * 1024


class Archive:
    """An opened zip whose entries have passed.

    Raises:
        BundleRefused: naming the entry, and what is wrong with it.
    """

    def __init__(self, path: Path, limits: BundleLimits) -> None:
        data = _bytes_of(path, limits)
        self.sha256 = hashlib.sha256(data).hexdigest()
        if (listed := entries_at_most(data)) > limits.entries + _CHANCE:
            raise BundleRefused("entries", f"{listed} are over the limit of {limits.entries}")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError) as exc:
            raise BundleRefused("file", f"is not a bundle: {exc}") from exc
        self.entries = _checked_entries(self._zip.infolist(), limits)

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of one entry, exactly as many as it promises."""
        info = self.entries[name]
        if info.file_size > limit:
            raise BundleRefused(name, f"{info.file_size} bytes are over the limit of {limit}")
        try:
            with self._zip.open(info) as file:
                data = file.read(info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as exc:
            raise BundleRefused(name, f"cannot be unpacked: {exc}") from exc
        if len(data) != info.file_size:
            raise BundleRefused(name, f"is {len(data)} bytes long, not {info.file_size}")
        return data

    def close(self) -> None:
        """Let go of it."""
        self._zip.close()


def pack(archive: zipfile.ZipFile, name: str, data: bytes, *, packed: bool = True) -> None:
    """Add one entry; equal content gives equal bytes, whenever it is written."""
    info = zipfile.ZipInfo(name, date_time=_EPOCH)
    info.external_attr = (stat.S_IFREG | 0o600) << 16
    info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    archive.writestr(info, data)


def entries_at_most(data: bytes) -> int:
    """No less than what a zip file lists, counted before it is parsed: a list of millions is a bomb, too."""
    return data.count(_LISTED)


def _bytes_of(path: Path, limits: BundleLimits) -> bytes:
    """The whole file, if it is one: a device never ends."""
    try:
        with open_regular(path) as file:
            about = os.fstat(file.fileno())
            data = file.read(min(about.st_size, limits.file_bytes) + 1)
    except OSError as exc:
        raise BundleRefused("file", f"cannot be read: {exc.strerror or exc}") from exc
    if len(data) > limits.file_bytes:
        size = max(about.st_size, len(data))
        raise BundleRefused("file", f"{size} bytes are over the limit of {limits.file_bytes}")
    return data


def _checked_entries(infos: list[zipfile.ZipInfo], limits: BundleLimits) -> dict[str, zipfile.ZipInfo]:
    if len(infos) > limits.entries:
        raise BundleRefused("entries", f"{len(infos)} are over the limit of {limits.entries}")
    if (total := sum(info.file_size for info in infos)) > limits.unpacked_bytes:
        raise BundleRefused(
            "entries", f"{total} unpacked bytes are over the limit of {limits.unpacked_bytes}"
        )
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        _check_entry(info)
        if info.filename in entries:
            raise BundleRefused(info.filename, "is there twice")
        entries[info.filename] = info
    return entries


def _check_entry(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    if not _ENTRY.match(name) or name != info.filename:
        raise BundleRefused(name[:200], "is not a name that a bundle may hold")
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG}:
        raise BundleRefused(name, "is a link or another special file")
    if info.flag_bits & _ENCRYPTED:
        raise BundleRefused(name, "is encrypted")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BundleRefused(name, f"is packed in an unknown way ({info.compress_type})")
