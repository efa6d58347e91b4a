from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actionlens.controller import Frame
from actionlens.errors import OffScreen, StaleFrame
from actionlens.observation import Window
from actionlens.pictures import LONG_SIDE, Pictures
from ibtr.geometry import Box, Point, Size


def frame(
    image: Size,
    screen: Size | None = None,
    origin: Point = Point(0, 0),  # noqa: B008
    windows: tuple[Window, ...] = (),
) -> Frame:
    pixels = np.zeros((image.height, image.width, 3), np.uint8)
    return Frame(pixels, datetime(2026, 1, 1, tzinfo=UTC), screen or image, origin, None, None, windows)


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


SIZE = Size(1280, 800)
EDITOR = Window(id=1, title="letter.txt", application="Mousepad", box=Box(300, 100, 640, 480))
DIALOG = Window(id=2, title="Find and Replace", application="Mousepad", box=Box(424, 289, 433, 276))


def test_a_place_over_which_a_window_has_come_since_is_refused_and_one_beside_it_is_not() -> None:
    pictures, now = Pictures(), frame(SIZE, windows=(EDITOR, DIALOG))
    picture = pictures.show(frame(SIZE, windows=(EDITOR,)))

    with pytest.raises(StaleFrame, match="'Find and Replace'"):
        pictures.locate(picture.frame_id, Point(700, 545), now)
    assert pictures.locate(picture.frame_id, Point(340, 120), now) == Point(340, 120)


def test_a_window_that_came_to_lie_above_another_is_not_clicked_by_a_picture_of_the_other() -> None:
    pictures = Pictures()
    picture = pictures.show(frame(SIZE, windows=(EDITOR, DIALOG)))

    with pytest.raises(StaleFrame):
        pictures.locate(picture.frame_id, Point(700, 545), frame(SIZE, windows=(DIALOG, EDITOR)))


def test_a_picture_serves_on_while_its_window_is_there_and_no_longer() -> None:
    pictures = Pictures()
    picture = pictures.show(frame(SIZE, windows=(EDITOR,)))
    changed = EDITOR.model_copy(update={"title": "*letter.txt", "box": Box(310, 100, 640, 480)})

    assert pictures.locate(picture.frame_id, Point(700, 545), frame(SIZE, windows=(changed,)))
    with pytest.raises(StaleFrame, match="no window lies at 700,545"):
        pictures.locate(picture.frame_id, Point(700, 545), frame(SIZE))
