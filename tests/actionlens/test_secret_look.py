"""A secret is known by its look, wherever it is drawn; what only changed beside it is not taken for it."""

import cv2
import numpy as np
import pytest

from actionlens.frames import Pixels
from actionlens.mask import Masks

SECRET = "hunter2Zebra"
AT = (60, 100)


def _screen(*texts: tuple[str, tuple[int, int], float], ground: int = 245, ink: int = 30) -> Pixels:
    pixels = np.full((400, 640, 3), ground, np.uint8)
    for text, at, size in texts:
        _draw(pixels, text, at, size, ink)
    return pixels


def _draw(pixels: Pixels, text: str, at: tuple[int, int], size: float, ink: int) -> None:
    cv2.putText(pixels, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (ink, ink, ink), 1, cv2.LINE_AA)


def _typed(*beside: tuple[str, tuple[int, int], float]) -> Masks:
    masks = Masks()
    masks.hide(_screen(*beside), _screen(*beside, (SECRET, AT, 0.5)))
    later = Masks()
    later.take(masks, _screen(*beside))  # the field is empty again
    return later


def _ink(pixels: Pixels) -> int:
    return int((pixels.max(axis=2) < 90).sum())


@pytest.mark.parametrize("size", [0.5, 0.47, 0.53, 0.6])
def test_it_is_hidden_where_it_is_drawn_again_a_little_larger_or_smaller(size: float) -> None:
    masks = _typed()

    seen = masks.over(_screen((SECRET, (331, 253), size)))

    assert _ink(_screen((SECRET, (331, 253), size))) > 100
    assert not _ink(seen)


def test_it_is_hidden_light_on_dark() -> None:
    masks = _typed()
    screen = _screen((SECRET, (331, 253), 0.5), ground=40, ink=240)

    assert not (masks.over(screen) > 200).any()


def test_other_words_stay_to_be_seen() -> None:
    masks = _typed(("Save as", (300, 40), 0.5))
    others = _screen(
        ("Save as", (300, 40), 0.5), ("correct horse", (60, 100), 0.5), ("staple", (60, 200), 0.6)
    )

    assert masks.over(others) is others


def test_a_title_that_changes_with_the_typing_is_not_looked_for() -> None:
    masks, title = Masks(), ("Untitled - Editor", (200, 20), 0.5)
    masks.hide(_screen(title), _screen(("*Untitled - Editor", (195, 20), 0.5), (SECRET, AT, 0.5)))
    later = Masks()
    later.take(masks, _screen())
    moved = _screen(("*Untitled - Editor", (95, 300), 0.5), (SECRET, (300, 350), 0.5))

    assert [box.y > 320 for box in later.covers(moved)].count(False) == 0
    assert later.covers(moved)


def test_it_is_followed_from_frame_to_frame() -> None:
    """Only what changed is searched again; what left its place, or came anew, is known all the same."""
    masks = _typed()
    frames = [
        _screen((SECRET, (60, 100), 0.5)),
        _screen((SECRET, (60, 100), 0.5), (SECRET, (300, 300), 0.5)),
        _screen((SECRET, (300, 300), 0.5), ("another", (60, 100), 0.5)),
        _screen((SECRET, (303, 301), 0.5), ("another", (60, 100), 0.5)),
    ]

    left = [_ink(masks.over(frame)) for frame in frames]

    another = _ink(_screen(("another", (60, 100), 0.5)))
    assert left == [0, 0, another, another]


def test_what_is_painted_over_is_told_for_the_frame_and_for_its_painted_copy() -> None:
    masks, screen = _typed(), _screen((SECRET, (300, 300), 0.5))

    painted = masks.over(screen)

    assert masks.covers(screen) == masks.covers(painted) != ()
    assert masks.over(painted) is painted
