import numpy as np

from ibtr.as_it_was import as_it_was
from ibtr.crops import remember
from ibtr.geometry import Box, Point

BOX = Box(60, 40, 80, 20)


def _screen(seed: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, (120, 200, 3), np.uint8)


def test_a_piece_is_seen_where_it_stands_whatever_stands_around_it() -> None:
    recorded, now = _screen(), _screen(2)
    now[90:110, 100:180] = recorded[40:60, 60:140]

    found = as_it_was(remember(recorded, BOX.center, BOX).crop, now)

    assert found is not None
    assert found.contains(Point(140, 100))


def test_a_piece_that_differs_by_a_few_pixels_is_not_as_it_was() -> None:
    recorded, now = _screen(), _screen()
    now[50, 100:103] ^= 128

    assert as_it_was(remember(recorded, BOX.center, BOX).crop, now) is None


def test_what_is_known_to_vary_does_not_count() -> None:
    recorded, now = _screen(), _screen()
    now[45:55, 90:110] = 7

    varying = remember(recorded, BOX.center, BOX, vary=[Box(85, 42, 30, 15)])

    assert as_it_was(varying.crop, now) is not None
