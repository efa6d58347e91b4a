import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actionlens.frames import Pixels
from actionlens.settle import Patience, Settling

PATIENCE = Patience(quiet_s=0.1, cap_s=1.0)


def blank() -> Pixels:
    return np.zeros((400, 600, 3), np.uint8)


def with_caret() -> Pixels:
    pixels = blank()
    pixels[100:118, 50:52] = 255
    return pixels


def test_a_quiet_screen_is_still_after_the_window() -> None:
    state = Settling(PATIENCE, blank())
    for n in range(1, 7):
        state = state.look(blank(), n * 0.02)

    assert state.still
    assert state.settled().waited_s == 0.12


def test_a_blinking_caret_is_tolerated_and_named() -> None:
    state = Settling(PATIENCE, blank())
    for n in range(1, 10):
        state = state.look(with_caret() if n % 2 else blank(), n * 0.02)

    assert state.still
    assert state.settled().ignored[0][:2] == (50, 100)


def test_a_moving_screen_is_given_up_at_the_cap() -> None:
    state = Settling(PATIENCE, blank())
    for n in range(1, 60):
        state = state.look(np.full((400, 600, 3), n, np.uint8), n * 0.02)

    assert not state.still
    assert state.over
    assert state.settled().still is False


def test_a_resize_counts_as_movement() -> None:
    state = Settling(PATIENCE, blank()).look(np.zeros((300, 600, 3), np.uint8), 0.5)

    assert state.quiet_since_s == 0.5


@given(st.lists(st.booleans(), min_size=2, max_size=60))
def test_it_is_over_only_when_quiet_long_enough_or_at_the_cap(moves: list[bool]) -> None:
    state, moved_at = Settling(PATIENCE, blank()), 0.0
    value = 0
    for n, moves_now in enumerate(moves, start=1):
        value += 40 if moves_now else 0
        moved_at = n * 0.02 if moves_now else moved_at
        state = state.look(np.full((400, 600, 3), value % 256, np.uint8), n * 0.02)
        if state.over:
            break

    assert not state.still or state.now_s - moved_at >= PATIENCE.quiet_s - 1e-9
    assert not state.over or state.still or state.now_s >= PATIENCE.cap_s
