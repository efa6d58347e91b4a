"""Screenshots, lossless, each distinct one once: whole, or as the patch by which it differs from the last."""

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from actionlens.commit import Commit, write_whole
from actionlens.errors import RunUnreadable
from actionlens.records import StoredFrame
from ibtr.geometry import Box, Size

Pixels = NDArray[np.uint8]

_DEPTH = 16  # patches that may lie on each other before a whole frame is written again
_BAND = 64  # rows that are hashed together
_WHOLE = 0.5  # share of the screen from which a patch is no gain


def digest_of(pixels: Pixels) -> str:
    """Name of a frame: the hash of its shape and of the hashes of its bands."""
    return _name(pixels, _bands(pixels, range(-(-pixels.shape[0] // _BAND))))


def _bands(pixels: Pixels, which: range) -> dict[int, bytes]:
    """Hashes of bands of rows; only those where something has changed need to be hashed anew."""
    whole = np.ascontiguousarray(pixels)
    return {n: hashlib.sha256(whole[n * _BAND : (n + 1) * _BAND].data).digest() for n in which}


def _name(pixels: Pixels, bands: Mapping[int, bytes]) -> str:
    return hashlib.sha256(f"{pixels.shape}\0".encode() + b"".join(bands.values())).hexdigest()


def size_of(pixels: Pixels) -> Size:
    """Width and height of an image."""
    return Size(pixels.shape[1], pixels.shape[0])


def changed_box(one: Pixels, other: Pixels) -> Box | None:
    """Smallest box that holds every differing pixel of two frames of one size."""
    if one.shape != other.shape:
        return Box(0, 0, *size_of(other))
    differ = np.flatnonzero(_words(one) != _words(other))
    if not differ.size:
        return None
    word, row = one.size // _words(one).size, one.size // one.shape[0]
    top, bottom = int(differ[0]) * word // row, (int(differ[-1]) * word + word - 1) // row + 1
    lines = cv2.absdiff(one[top:bottom], other[top:bottom]).reshape(bottom - top, -1)
    rows, columns = np.flatnonzero(lines.any(axis=1)), np.flatnonzero(lines.any(axis=0)) // 3
    left, right = int(columns[0]), int(columns[-1]) + 1
    return Box(left, top + int(rows[0]), right - left, int(rows[-1]) - int(rows[0]) + 1)


def _words(pixels: Pixels) -> NDArray[Any]:
    """The same bytes, eight at a time where they come out even: compared in a quarter of the time."""
    flat = np.ascontiguousarray(pixels).reshape(-1)
    return flat.view(np.uint64) if flat.size % 8 == 0 else flat


def crop(pixels: Pixels, box: Box) -> Pixels:
    """The part of an image that lies in `box`."""
    return pixels[box.y : box.bottom, box.x : box.right]


def encode_png(pixels: Pixels, level: int = 3) -> bytes:
    """PNG of an image."""
    done, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, level])
    if not done:
        raise ValueError(f"an image of shape {pixels.shape} cannot be written as PNG")
    return data.tobytes()


class FrameStore:
    """Writes frames into a folder and tells the index about each new one."""

    def __init__(self, folder: Path, index: Callable[[StoredFrame], None], commit: Commit) -> None:
        folder.mkdir(mode=0o700)
        self._folder, self._index, self._commit = folder, index, commit
        self._depth: dict[str, int] = {}
        self._last: tuple[str, Pixels] | None = None
        self._bands: dict[int, bytes] = {}
        self._files = 0

    def add(self, pixels: Pixels) -> str:
        """Digest of a frame that is on the disk after the next `commit.sync()`."""
        if self._last is not None and self._last[1] is pixels:
            return self._last[0]
        box: Box | None = Box(0, 0, *size_of(pixels))
        if self._last is not None and (box := changed_box(self._last[1], pixels)) is None:
            return self._last[0]
        assert box is not None
        known = self._bands if self._last is not None and self._last[1].shape == pixels.shape else {}
        bands = known | _bands(pixels, range(box.y // _BAND, -(-box.bottom // _BAND)))
        frame = _name(pixels, bands)
        if frame not in self._depth:
            self._store(frame, pixels, box)
        self._last, self._bands = (frame, pixels), bands
        return frame

    def forget(self) -> None:
        """Nothing that was stored is relied on: the disk did not take it all."""
        self._depth.clear()
        self._bands, self._last = {}, None

    def _store(self, frame: str, pixels: Pixels, box: Box) -> None:
        image, base = size_of(pixels), self._last[0] if self._last else None
        depth = self._depth[base] + 1 if base else 0
        if box.area > _WHOLE * image.width * image.height or depth > _DEPTH:
            base = None
        part = crop(pixels, box) if base else pixels
        name = f"{self._files:05d}{'.patch' if base else ''}.png"
        data = encode_png(np.ascontiguousarray(part))
        entry = StoredFrame(
            frame=frame,
            file=f"{self._folder.name}/{name}",
            sha256=hashlib.sha256(data).hexdigest(),
            image=image,
            base=base,
            at_px=box if base else None,
        )
        self._write(self._folder / name, data, entry)
        self._depth[frame] = depth if base else 0

    def _write(self, path: Path, data: bytes, entry: StoredFrame) -> None:
        """The file and its entry, or neither."""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            write_whole(fd, data)
            self._index(entry)
        except BaseException:
            os.close(fd)
            path.unlink()
            raise
        self._files += 1
        self._commit.wrote(fd, last=True)


def load_frame(root: Path, index: Mapping[str, StoredFrame], frame: str) -> Pixels:
    """Pixels of a frame, put together and checked against its name.

    Raises:
        RunUnreadable: a file is missing or altered, or the frame was never stored.
    """
    patches: list[StoredFrame] = []
    wanted: str | None = frame
    while wanted is not None:
        if (entry := index.get(wanted)) is None or len(patches) > _DEPTH:
            raise RunUnreadable(f"frame {frame[:12]}: {wanted[:12]} is not in the index")
        patches.append(entry)
        wanted = entry.base
    pixels = _read_png(root, patches.pop())
    while patches:
        entry = patches.pop()
        assert entry.at_px is not None
        part = _read_png(root, entry)
        if size_of(part) != Size(entry.at_px.width, entry.at_px.height):
            raise RunUnreadable(f"{entry.file}: is {size_of(part)}, the index says {entry.at_px}")
        crop(pixels, entry.at_px)[:] = part
    if digest_of(pixels) != frame:
        raise RunUnreadable(f"frame {frame[:12]}: the pixels do not fit its digest")
    return pixels


def _read_png(root: Path, entry: StoredFrame) -> Pixels:
    try:
        data = (root / entry.file).read_bytes()
    except OSError as exc:
        raise RunUnreadable(f"{entry.file}: {exc.strerror}") from exc
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise RunUnreadable(f"{entry.file}: was altered")
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise RunUnreadable(f"{entry.file}: is not an image")
    return np.asarray(pixels, dtype=np.uint8)
