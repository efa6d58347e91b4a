"""Bundles, distrustful: a zip of a manifest, records and blobs, every one of them listed, sized and hashed.

manifest.json            format, version, and the size and SHA-256 of everything else
memories/<id>.json       one record each
blobs/<sha256>           evidence
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Literal, Self, cast

from pydantic import Field, ValidationError

from ibtr.errors import BadImage
from memory_store.archive import Archive, BundleLimits, pack
from memory_store.canonical import canonical, document
from memory_store.documents import blob_refs, read_export
from memory_store.errors import BundleRefused, InvalidMemory
from memory_store.images import image_size
from memory_store.models import BlobId, BlobRef, JsonObject, Memory, Record
from memory_store.models.base import AnyMemoryId, Digest, Moment, ToolName

BUNDLE_VERSION: Final = 1
_MANIFEST: Final = "manifest.json"


class ListedMemory(Record):
    """A record as the manifest promises it."""

    id: AnyMemoryId
    tool_name: ToolName
    size: Annotated[int, Field(ge=0)]
    sha256: Digest


class ListedBlob(Record):
    """A blob as the manifest promises it."""

    sha256: Digest
    size: Annotated[int, Field(ge=0)]


class BundleManifest(Record):
    """What a bundle says that it holds."""

    format: Literal["echopath-bundle"] = "echopath-bundle"
    version: Literal[1] = BUNDLE_VERSION
    created_at: Moment
    memories: Annotated[tuple[ListedMemory, ...], Field(min_length=1)]
    blobs: tuple[ListedBlob, ...]


def write_bundle(memories: Iterable[Memory], read_blob: Callable[[BlobId], bytes], *, at: datetime) -> bytes:
    """One bundle with these memories and all evidence they refer to; equal memories give equal bytes."""
    records = [(memory, canonical(document(memory)).encode()) for memory in memories]
    refs = {ref.sha256: ref.size for memory, _ in records for ref in blob_refs(memory)}
    manifest = BundleManifest(
        created_at=at,
        memories=tuple(
            ListedMemory(id=m.id, tool_name=m.tool_name, size=len(data), sha256=_sha256(data))
            for m, data in records
        ),
        blobs=tuple(ListedBlob(sha256=sha256, size=size) for sha256, size in sorted(refs.items())),
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        pack(archive, _MANIFEST, canonical(document(manifest)).encode())
        for memory, data in records:
            pack(archive, f"memories/{memory.id}.json", data)
        for sha256 in sorted(refs):
            pack(archive, f"blobs/{sha256}", read_blob(sha256), packed=False)
    return file.getvalue()


class Bundle:
    """An opened bundle. Opening checks all but the bytes of the blobs; `check_blobs` and `blob` do that."""

    def __init__(self, path: Path, limits: BundleLimits | None = None) -> None:
        self._limits = limits or BundleLimits()
        self._archive = Archive(path, self._limits)
        self.sha256 = BlobId(self._archive.sha256)
        try:
            self.manifest = self._read_manifest()
            self._check_listing()
            self.memories = tuple(self._memory(index) for index in range(len(self.manifest.memories)))
            self._check_references()
        except BaseException:
            self._archive.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def blob(self, sha256: BlobId) -> bytes:
        """One blob, checked against the manifest and the records that refer to it."""
        field = f"blobs/{sha256}"
        data = self._archive.read(field, self._limits.blob_bytes)
        if _sha256(data) != sha256:
            raise BundleRefused(field, "its bytes do not have this hash", found=_sha256(data))
        for ref in self._refs[sha256]:
            _check_media(field, data, ref)
        return data

    def check_blobs(self) -> None:
        """Read and check every blob once, before anything is written."""
        for listed in self.manifest.blobs:
            self.blob(listed.sha256)

    def _read_manifest(self) -> BundleManifest:
        if _MANIFEST not in self._archive.entries:
            raise BundleRefused(_MANIFEST, "is missing")
        plain = _plain_object(self._archive.read(_MANIFEST, self._limits.record_bytes))
        for name, wanted in (("format", "echopath-bundle"), ("version", BUNDLE_VERSION)):
            if plain.get(name) != wanted:
                raise BundleRefused(name, f"{plain.get(name)!r} is not known here (wanted: {wanted!r})")
        try:
            return BundleManifest.model_validate(plain)
        except ValidationError as exc:
            first = exc.errors(include_url=False)[0]
            raise BundleRefused(f"manifest.{'.'.join(map(str, first['loc']))}", first["msg"]) from exc

    def _check_listing(self) -> None:
        promised = [f"memories/{memory.id}.json" for memory in self.manifest.memories]
        promised += [f"blobs/{blob.sha256}" for blob in self.manifest.blobs]
        if len(set(promised)) != len(promised):
            raise BundleRefused("manifest", "lists something twice")
        if missing := sorted(set(promised) - set(self._archive.entries)):
            raise BundleRefused(missing[0], "is listed but missing")
        if unlisted := sorted(set(self._archive.entries) - {*promised, _MANIFEST}):
            raise BundleRefused(unlisted[0], "is not listed in the manifest")

    def _memory(self, index: int) -> Memory:
        listed = self.manifest.memories[index]
        field = f"memories/{listed.id}.json"
        data = self._archive.read(field, self._limits.record_bytes)
        if len(data) != listed.size or _sha256(data) != listed.sha256:
            raise BundleRefused(field, "its bytes do not have the listed hash", found=_sha256(data))
        try:
            memory = read_export(data)
        except InvalidMemory as exc:
            raise BundleRefused(f"{field}: {exc.field}", str(exc.evidence["problem"])) from exc
        if (memory.id, memory.tool_name) != (listed.id, listed.tool_name):
            raise BundleRefused(field, "its id or tool name differs from the listed one")
        return memory

    def _check_references(self) -> None:
        listed = {blob.sha256: blob.size for blob in self.manifest.blobs}
        self._refs: dict[BlobId, list[BlobRef]] = {sha256: [] for sha256 in listed}
        for memory in self.memories:
            for ref in blob_refs(memory):
                if listed.get(ref.sha256) != ref.size:
                    raise BundleRefused(
                        f"memories/{memory.id}.json", f"refers to {ref.sha256[:12]}, which is not here"
                    )
                self._refs[ref.sha256].append(ref)
        if stray := [sha256 for sha256, refs in self._refs.items() if not refs]:
            raise BundleRefused(f"blobs/{stray[0]}", "nothing refers to it")


def _check_media(field: str, data: bytes, ref: BlobRef) -> None:
    try:
        size = image_size(data, ref.media_type)
    except BadImage as exc:
        raise BundleRefused(field, str(exc)) from exc
    if (ref.width, ref.height) not in {(None, None), tuple(size)}:
        raise BundleRefused(field, f"is {size.width}x{size.height} pixels, not {ref.width}x{ref.height}")


def _plain_object(data: bytes) -> JsonObject:
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise BundleRefused(_MANIFEST, "is not JSON") from exc
    if not isinstance(loaded, dict):
        raise BundleRefused(_MANIFEST, "is not a JSON object")
    return cast("JsonObject", loaded)


def _sha256(data: bytes) -> BlobId:
    return BlobId(hashlib.sha256(data).hexdigest())
