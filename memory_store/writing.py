"""One write: blobs first, then the row that refers to them, with the store's lock held over both."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from memory_store.blobs import Blobs, blob_id
from memory_store.errors import EvidenceCorrupt, EvidenceMissing, StoreUnusable
from memory_store.home import StoreLock
from memory_store.images import PNG, encode_png, image_size
from memory_store.memory_rows import MemoryRows, blob_rows
from memory_store.models import BlobId, BlobRef, Memory

if TYPE_CHECKING:
    from ibtr.pixels import Pixels


_PATIENCE_S: Final = 2.0


class Shelf(Protocol):
    """Where blobs are put: the store's folder, or a dictionary."""

    def __contains__(self, name: BlobId, /) -> bool: ...

    def put(self, data: bytes) -> BlobId:
        """Keep these bytes under their hash."""
        ...


class Held:
    """Blobs of this process only: for a look at once, before there is a memory to keep them."""

    def __init__(self) -> None:
        self._data: dict[BlobId, bytes] = {}

    def __contains__(self, name: BlobId, /) -> bool:
        return name in self._data

    def put(self, data: bytes) -> BlobId:
        """Keep these bytes under their hash."""
        name = blob_id(data)
        self._data[name] = data
        return name

    def get(self, name: BlobId) -> bytes:
        """The bytes.

        Raises:
            EvidenceMissing: nobody has put them here.
        """
        if name not in self._data:
            raise EvidenceMissing(name)
        return self._data[name]


class Keeper:
    """Takes evidence in during one write, and remembers what was new."""

    def __init__(self, blobs: Shelf) -> None:
        self._blobs = blobs
        self.fresh: set[BlobId] = set()

    def keep(self, data: bytes) -> BlobId:
        """Store bytes; they are safe on the disk on return."""
        if blob_id(data) not in self._blobs:
            self.fresh.add(blob_id(data))
        return self._blobs.put(data)

    def keep_picture(self, data: bytes, media_type: str = PNG) -> BlobRef:
        """Store an encoded picture.

        Raises:
            BadImage: it is none of this type.
        """
        width, height = image_size(data, media_type)
        name = self.keep(data)
        return BlobRef(sha256=name, size=len(data), media_type=media_type, width=width, height=height)

    def keep_frame(self, image: "Pixels") -> BlobRef:
        """Store a whole screenshot, lossless, for the audit; quick rather than small."""
        return self.keep_picture(encode_png(image, level=3))


@contextmanager
def writing(blobs: Blobs, lock: StoreLock, rows: MemoryRows) -> Generator[Keeper]:
    """Hold the store for one write. If the body fails, new blobs that nothing uses are removed."""
    keeper = Keeper(blobs)
    try:
        with lock.shared():
            yield keeper
    except BaseException:
        _discard(keeper.fresh, blobs, lock, rows)
        raise


def check_evidence(memory: Memory, blobs: Blobs) -> None:
    """Let a memory pass whose every blob is on disk, whole.

    Raises:
        EvidenceMissing: a blob is not there.
        EvidenceCorrupt: a blob has changed, or is not as long as the memory says.
    """
    for sha256, size, _ in sorted(blob_rows(memory)):
        if (found := len(blobs.get(BlobId(sha256)))) != size:
            raise EvidenceCorrupt(sha256, found=f"{found} bytes instead of {size}")


def collect(blobs: Blobs, lock: StoreLock, rows: MemoryRows) -> tuple[int, int]:
    """Remove every blob that neither a record nor a reference names; returns how many, and how many bytes.

    Raises:
        StoreBusy: somebody is writing all the time.
    """
    with lock.alone():
        used = rows.referenced() | rows.mentioned()
        unused = [name for name in blobs if name not in used]
        freed = sum(blobs.size(name) for name in unused)
        for name in unused:
            blobs.remove(name)
        blobs.sweep_incoming()
    return len(unused), freed


def _discard(fresh: set[BlobId], blobs: Blobs, lock: StoreLock, rows: MemoryRows) -> None:
    if not fresh:
        return
    try:
        with lock.alone(timeout_s=_PATIENCE_S):
            for name in fresh - rows.referenced():
                blobs.remove(name)
    except StoreUnusable:
        return  # the first error is the one to report; garbage collection finds what is left
