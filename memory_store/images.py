"""PNG in and out: how arrays become blobs. No other file of the store touches cv2 for that."""

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from ibtr.errors import BadImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">8sI4sII")
MAX_PIXELS: Final = 64_000_000


class PngSize(NamedTuple):
    """What a PNG's header says."""

    width: int
    height: int


def png_size(data: bytes) -> PngSize:
    """Width and height from the header alone, so that a bomb is seen before it is decoded.

    Raises:
        BadImage: not a PNG, or larger than any screen.
    """
    if len(data) < _HEADER.size:
        raise BadImage("not a PNG: too short")
    signature, _, kind, width, height = _HEADER.unpack_from(data)
    if signature != _SIGNATURE or kind != b"IHDR":
        raise BadImage("not a PNG: wrong signature")
    if not 0 < width * height <= MAX_PIXELS:
        raise BadImage(f"a PNG of {width}x{height} pixels is out of bounds")
    return PngSize(width, height)


def encode_png(image: "NDArray[np.uint8]") -> bytes:
    """Lossless, small: crops are written once and read often.

    Raises:
        BadImage: not a gray, BGR or BGRA array of uint8.
    """
    import cv2

    try:
        done, buffer = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    except cv2.error as exc:
        raise BadImage("these pixels cannot be written as PNG") from exc
    if not done:
        raise BadImage("these pixels cannot be written as PNG")
    return buffer.tobytes()


def decode_png(data: bytes) -> "NDArray[np.uint8]":
    """The array as it was handed in.

    Raises:
        BadImage: not a PNG, too large, or damaged.
    """
    import cv2
    import numpy as np

    png_size(data)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise BadImage("a damaged PNG")
    return image.astype(np.uint8, copy=False)
