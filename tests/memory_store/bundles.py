"""Bundles for tests: what is in one, and packing it anew."""

import zipfile
from pathlib import Path

from memory_store.repository import Repository

Entries = dict[str, bytes]


def entries_of(path: Path) -> Entries:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repack(path: Path, entries: Entries) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name), data)


def nothing_was_kept(repository: Repository) -> bool:
    files = [path for path in (repository.folder / "blobs").rglob("*") if path.is_file()]
    return not files and not repository.memories() and not repository.log()
