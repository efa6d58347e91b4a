"""A cover gives way to the ground of its field, and another value's room around it varies."""

import numpy as np

from ibtr.geometry import Box
from memory_store.consolidation.covers import covered, uncovered

FIELD = Box(50, 40, 200, 30)
COVER = Box(55, 48, 60, 14)


def _form() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    pixels = np.full((120, 300, 3), 240, np.uint8)
    pixels[FIELD.y - 1 : FIELD.bottom + 1, FIELD.x - 1 : FIELD.right + 1] = 50
    pixels[FIELD.y : FIELD.bottom, FIELD.x : FIELD.right] = 255
    pixels[COVER.y : COVER.bottom, COVER.x : COVER.right] = 128
    return pixels


def test_the_paint_is_replaced_by_the_ground_also_where_covers_overlap() -> None:
    within = Box(COVER.x + 5, COVER.y + 3, 20, 6)

    bare = uncovered(_form(), [COVER, within])

    assert (bare[FIELD.y : FIELD.bottom, FIELD.x : FIELD.right] == 255).all()


def test_a_screen_without_covers_is_itself() -> None:
    screen = _form()

    assert uncovered(screen, ()) is screen
    assert covered(screen, ()) == []


def test_the_room_of_another_value_ends_at_the_border_of_the_field() -> None:
    (room,) = covered(uncovered(_form(), [COVER]), [COVER])

    assert (room.x, room.right) == (COVER.x, COVER.x + 3 * COVER.width)
    assert FIELD.y <= room.y <= COVER.y - 6
    assert COVER.bottom + 6 <= room.bottom <= FIELD.bottom
