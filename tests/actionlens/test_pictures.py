from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actionlens.controller import Frame
from actionlens.errors import OffScreen, StaleFrame
from actionlens.pictures import LONG_SIDE, Pictures
from ibtr.geometry import Point, Size


def frame(image: Size, screen: Size | None = None, origin: Point = Point(0, 0)) -> Frame:  # noqa: B008
    pixels = np.zeros((image.height, image.width, 3), np.uint8)
    return Frame(pixels, datetime(2026, 1, 1, tzinfo=UTC), screen or image, origin, None, None, ())


def test_a_picture_is_small_enough_for_every_host() -> None:
    picture = Pictures().show(frame(Size(3840, 2160)))

    shown = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1::-1] == picture.size == (LONG_SIDE, 720)


def test_a_noisy_picture_is_sent_as_jpeg() -> None:
    noisy = frame(Size(1920, 1080))
    pixels = np.random.default_rng(1).integers(0, 255, noisy.pixels.shape, dtype=np.uint8)
    shown = Pictures().show(Frame(pixels, noisy.at, noisy.screen, noisy.origin, None, None, ()))

    assert shown.mime == "image/jpeg"


@settings(deadline=None, max_examples=40)
@given(
    hidpi=st.sampled_from([1, 2]),
    x=st.integers(0, LONG_SIDE - 1),
    y=st.integers(0, 719),
    origin=st.sampled_from([Point(0, 0), Point(-1920, 0)]),
)
def test_a_point_in_the_picture_lands_on_the_same_place_of_the_screen(
    hidpi: int, x: int, y: int, origin: Point
) -> None:
    pictures = Pictures()
    now = frame(Size(1920 * hidpi, 1080 * hidpi), Size(1920, 1080), origin)
    picture = pictures.show(now)

    xy = pictures.locate(picture.frame_id, Point(x, y), now)

    assert abs((xy.x - origin.x) / 1920 - (x + 0.5) / picture.size.width) <= 1 / 1920
    assert abs((xy.y - origin.y) / 1080 - (y + 0.5) / picture.size.height) <= 1 / 1080


def test_an_unknown_picture_one_from_before_a_resize_and_a_point_outside_are_refused() -> None:
    pictures = Pictures()
    before, after = frame(Size(1920, 1080)), frame(Size(1600, 900))
    picture = pictures.show(before)

    with pytest.raises(StaleFrame, match="unknown"):
        pictures.locate("f0", Point(1, 1), before)
    with pytest.raises(StaleFrame, match="1920x1080 to 1600x900"):
        pictures.locate(picture.frame_id, Point(1, 1), after)
    with pytest.raises(OffScreen):
        pictures.locate(picture.frame_id, Point(LONG_SIDE, 1), before)
