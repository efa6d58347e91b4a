import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Point
from ibtr.reference import crops_of, reference
from tests.ibtr.screens import LABELS, desktop, middle, window

FEW = (0.8, 0.9, 1.0, 1.1, 1.25)


@pytest.mark.parametrize("label", np.random.default_rng(5).choice(LABELS, 4, replace=False).tolist())
def test_both_searches_agree_within_a_pixel_where_both_accept(label: str) -> None:
    before, after = desktop(), desktop(seed=9)
    click = middle(window(before)[label])
    there = window(after, 333, 77)[label]
    found = reference(crops_of(before, click), after, scales=FEW)

    aim = reaim(remember(before, click), after)

    assert there.contains(found.point)
    assert aim.point == pytest.approx(found.point, abs=1)


def test_the_literal_reading_makes_a_target_its_own_rival() -> None:
    """Around the target a little has changed, so its own crop is the best one, and not by rounding alone."""
    screen = desktop()
    click = middle(window(screen)["Find next"])
    crops = crops_of(screen, click)
    beside = (
        slice(round(click.y) + 30, round(click.y) + 33),
        slice(round(click.x) - 90, round(click.x) - 60),
    )
    screen[beside] = 255 - screen[beside]

    assert reference(crops, screen, scales=(1.0,)).point == pytest.approx(click, abs=1)
    with pytest.raises(AmbiguousTarget):
        reference(crops, screen, reading="literal", scales=(1.0,))


def test_a_flat_crop_is_scored_by_difference_and_refused_where_everything_is_flat() -> None:
    flat = np.full((500, 800, 3), 120, np.uint8)

    with pytest.raises(AmbiguousTarget):
        reference(crops_of(flat, Point(400, 250)), flat, scales=(1.0,))


def test_the_reference_misses_what_is_not_there() -> None:
    before, after = desktop(), desktop(seed=8)
    crops = crops_of(before, middle(window(before)["Quit"]))

    with pytest.raises(MissingTarget):
        reference(crops, after, scales=(1.0,))
