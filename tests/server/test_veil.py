"""A target that a modal dialog has dimmed is there to be seen, not to be clicked."""

import numpy as np
import pytest

from actionlens.frames import Pixels
from ibtr.crops import remember
from ibtr.errors import MissingTarget
from ibtr.geometry import Point
from server.replay.aiming import find_all
from server.replay.veil import veiled
from tests.memory_store.recording import all_of, blank, box, words

BUTTON = Point(145, 132)


def _page() -> Pixels:
    pixels = blank()
    all_of(box(100, 118, 90, 28, 200), words("Save", 122, 137), words("Name of the client", 100, 90))(pixels)
    return pixels


def _dimmed(share: float) -> Pixels:
    return np.asarray(_page() * share, np.uint8)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_page_that_a_backdrop_has_dimmed_is_refused(share: float) -> None:
    with pytest.raises(MissingTarget):
        find_all((remember(_page(), BUTTON),), _dimmed(share))


def test_a_page_as_it_was_is_not_veiled_and_a_dark_theme_is_no_veil() -> None:
    anchor = remember(_page(), BUTTON).crop
    dark_theme = np.asarray(255 - _page(), np.uint8)

    assert veiled(anchor, _page(), BUTTON) is None
    assert veiled(anchor, dark_theme, BUTTON) is None
    assert veiled(anchor, _dimmed(0.5), BUTTON) == pytest.approx(0.5, abs=0.02)
