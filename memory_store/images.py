"""Pictures in and out: how arrays become blobs. No other file of the store encodes or decodes one.

PNG for what people open, WebP for evidence: lossless where pixels are verified, lossy where they only locate.
"""

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from ibtr.errors import BadImage

if TYPE_CHECKING:
    from ibtr.pixels import Pixels

PNG: Final = "image/png"
WEBP: Final = "image/webp"
LOSSLESS: Final = 101
MAX_PIXELS: Final = 64_000_000

_PNG_HEADER: Final = struct.Struct(">8sI4sII")
_PNG_START: Final = b"\x89PNG\r\n\x1a\n"
_WEBP_HEAD: Final = 30


class ImageSize(NamedTuple):
    """What a picture's header says."""

    width: int
    height: int


def image_size(data: bytes, media_type: str) -> ImageSize:
    """Width and height from the header alone, so that a bomb is seen before it is decoded.

    Raises:
        BadImage: not a picture of this type, or larger than any screen.
    """
    size = _READERS[media_type](data) if media_type in _READERS else None
    if size is None:
        raise BadImage(f"not a picture of the type {media_type}")
    if not 0 < size.width * size.height <= MAX_PIXELS:
        raise BadImage(f"a picture of {size.width}x{size.height} pixels is out of bounds")
    return size


def encode_png(image: "Pixels", level: int = 9) -> bytes:
    """Lossless and readable everywhere.

    Raises:
        BadImage: not a gray, BGR or BGRA array of uint8.
    """
    import cv2

    return _encode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, level])


def encode_webp(image: "Pixels", quality: int = LOSSLESS) -> bytes:
    """Smaller than PNG; exact at the quality `LOSSLESS`.

    Raises:
        BadImage: not a gray or BGR array of uint8.
    """
    import cv2

    return _encode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, quality])


def decode(data: bytes, media_type: str) -> "Pixels":
    """The pixels of a stored picture.

    Raises:
        BadImage: not a picture of this type, too large, or damaged.
    """
    import cv2
    import numpy as np

    image_size(data, media_type)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise BadImage("a damaged picture")
    return image.astype(np.uint8, copy=False)


def _encode(suffix: str, image: "Pixels", options: list[int]) -> bytes:
    import cv2

    try:
        done, buffer = cv2.imencode(suffix, image, options)
    except cv2.error as exc:
        raise BadImage("these pixels cannot be written as a picture") from exc
    if not done:
        raise BadImage("these pixels cannot be written as a picture")
    return buffer.tobytes()


def _png_size(data: bytes) -> ImageSize | None:
    if len(data) < _PNG_HEADER.size or not data.startswith(_PNG_START):
        return None
    _, _, kind, width, height = _PNG_HEADER.unpack_from(data)
    return ImageSize(width, height) if kind == b"IHDR" else None


def _webp_size(data: bytes) -> ImageSize | None:
    if len(data) < _WEBP_HEAD or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    if data[12:16] == b"VP8 ":
        return ImageSize(
            int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
        )
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return ImageSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if data[12:16] == b"VP8X":
        return ImageSize(int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1)
    return None


_READERS: Final = {PNG: _png_size, WEBP: _webp_size}
