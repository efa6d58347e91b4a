"""The downscaled pictures that a host was shown, and the way back from a point in one to the screen."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass

import cv2
import numpy as np

from actionlens.controller import Frame
from actionlens.errors import OffScreen, StaleFrame
from actionlens.frames import Pixels, digest_of, encode_png
from actionlens.observation import Window
from ibtr.geometry import Box, Point, Scale, Size, fit, host_to_px, host_to_px_box, px_to_xy

LONG_SIDE = 1280  # hosts shrink larger pictures themselves, one of them without a word
_HEAVY = 500_000  # bytes from which JPEG is sent instead
_KEPT = 64


@dataclass(frozen=True, slots=True)
class Picture:
    """What the host gets to see."""

    frame_id: str
    size: Size
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class _Shown:
    shown: Size
    image: Size
    scale: Scale
    bounds: Box
    digest: str
    windows: tuple[Window, ...]


class Pictures:
    """Remembers how the last pictures map to the screen."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Shown] = OrderedDict()

    def show(self, frame: Frame) -> Picture:
        """Downscale a frame and remember its mapping."""
        size = fit(frame.image, LONG_SIDE)
        mime, data = _encode(frame.pixels, size)
        frame_id = f"f{secrets.token_hex(4)}"
        self._known[frame_id] = _Shown(
            size, frame.image, frame.scale, frame.bounds, digest_of(frame.pixels), frame.windows
        )
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return Picture(frame_id, size, mime, data)

    def locate(self, frame_id: str, host: Point, now: Frame) -> Point:
        """Controller coordinate of a point in a picture.

        Raises:
            StaleFrame: we never showed that picture, the screen has another size now, or another window
                or none lies at that place.
            OffScreen: the point is not in the picture.
        """
        shown = self._find(frame_id)
        if shown.bounds != now.bounds or shown.image != now.image:
            raise StaleFrame(
                f"frame_id {frame_id!r} is from before the screen changed from {shown.image.width}x"
                f"{shown.image.height} to {now.image.width}x{now.image.height}: call observe again"
            )
        picture = Box(0, 0, *shown.shown)
        if not picture.contains(host):
            raise OffScreen(host, picture)
        origin = Point(shown.bounds.x, shown.bounds.y)
        xy = px_to_xy(host_to_px(host, shown.shown, shown.image), shown.scale, origin)
        then, there = _top(shown.windows, xy), _top(now.windows, xy)
        if (then and then.id) != (there and there.id):
            what = f"the window {there.title[:80]!r} ({there.application})" if there else "no window"
            raise StaleFrame(
                f"{what} lies at {host.x:g},{host.y:g} now, unlike in frame_id {frame_id!r}: "
                "call observe again"
            )
        return xy

    def piece(self, frame_id: str | None, host: Box) -> tuple[str, Box]:
        """The frame of a picture, by its digest, and a box of the picture in the pixels of that frame.

        Without a `frame_id` it is the picture that was shown last.

        Raises:
            StaleFrame: we never showed that picture.
            OffScreen: the box is not in the picture.
        """
        shown = self._find(frame_id if frame_id is not None else next(reversed(self._known), ""))
        picture = Box(0, 0, *shown.shown)
        near, far = Point(host.x, host.y), Point(host.right, host.bottom)
        if not host.area or host.intersect(picture) != host:
            raise OffScreen(far if picture.contains(near) else near, picture)
        return shown.digest, host_to_px_box(host, shown.shown, shown.image)

    def _find(self, frame_id: str) -> _Shown:
        shown = self._known.get(frame_id)
        if shown is None:
            raise StaleFrame(
                f"frame_id {frame_id!r} is unknown: call observe, and use the frame_id it returns"
            )
        return shown


def _top(windows: tuple[Window, ...], xy: Point) -> Window | None:
    """The uppermost window at a place; the last one listed lies on top."""
    return next((one for one in reversed(windows) if one.box.contains(xy)), None)


def _encode(pixels: Pixels, size: Size) -> tuple[str, bytes]:
    small = pixels if size == pixels.shape[1::-1] else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    data = encode_png(np.asarray(small, np.uint8))
    if len(data) <= _HEAVY:
        return "image/png", data
    return "image/jpeg", cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
