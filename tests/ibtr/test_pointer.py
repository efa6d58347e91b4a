import cv2
import numpy as np
import pytest

from ibtr.pixels import Pixels
from ibtr.pointer import pointer_mask
from tests.ibtr.screens import desktop, window
from tests.ibtr.test_retries import ARROW


def ground() -> Pixels:
    screen = desktop()
    window(screen)
    return screen[80:280, 120:420].copy()


@pytest.mark.parametrize("scale", [1.0, 1.5, 1.9])
@pytest.mark.parametrize("dark", [True, False])
def test_an_arrow_is_known_by_its_shape_in_any_size(scale: float, dark: bool) -> None:
    known = cv2.cvtColor(ground(), cv2.COLOR_BGR2GRAY)
    seen = known.copy()
    outline = (ARROW * scale).astype(np.int32) + np.array([180, 60], np.int32)
    cv2.fillPoly(seen, [outline], 0 if dark else 255)
    cv2.polylines(seen, [outline], isClosed=True, color=255 if dark else 0, thickness=1)

    mask = pointer_mask(np.asarray(known, np.uint8), np.asarray(seen, np.uint8))

    assert mask is not None
    assert mask[seen != known].all()


def test_a_block_that_ends_flat_above_is_no_pointer() -> None:
    known = np.full((60, 90), 120, np.uint8)
    seen = known.copy()
    seen[20:42, 30:37] = 240
    seen[27:40, 33:42] = 240
    seen[30:34, 34:40] = 20
    seen[36:39, 34:40] = 20

    assert pointer_mask(known, seen) is None
