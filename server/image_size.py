"""Pure: the size of a PNG or JPEG by its header, without decoding it."""

from ibtr.geometry import Size

_PNG = b"\x89PNG\r\n\x1a\n"
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # frames; the others are tables
_BARE = frozenset({0x01, *range(0xD0, 0xDA)})  # segments without a length


def image_size(data: bytes) -> Size | None:
    """Width and height; None for anything that is neither."""
    if data.startswith(_PNG) and len(data) >= 24:
        return Size(int.from_bytes(data[16:20]), int.from_bytes(data[20:24]))
    return _jpeg_size(data) if data.startswith(b"\xff\xd8") else None


def _jpeg_size(data: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind in _SOF:
            return Size(int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7]))
        at += 2 if kind in _BARE else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
