from hypothesis import given
from hypothesis import strategies as st

from ibtr.geometry import Box, Point, Scale, Size, fit, host_to_px, px_to_host, px_to_xy, scale_of, xy_to_px

sizes = st.builds(Size, st.integers(1, 8000), st.integers(1, 8000))


@given(image=sizes, longest=st.integers(1, 3000), at=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_host_point_maps_into_the_image_and_back_to_the_same_host_pixel(
    image: Size, longest: int, at: tuple[float, float]
) -> None:
    shown = fit(image, longest)
    host = Point(int(at[0] * (shown.width - 1)), int(at[1] * (shown.height - 1)))

    px = host_to_px(host, shown, image)

    assert Box(0, 0, *image).contains(px)
    assert px_to_host(px, shown, image) == host


@given(x=st.integers(0, 3000), y=st.integers(0, 3000), scale=st.sampled_from([1.0, 1.25, 1.5, 2.0]))
def test_a_controller_point_survives_the_way_through_pixels(x: int, y: int, scale: float) -> None:
    origin = Point(-1920, 40)
    xy = Point(x + origin.x, y + origin.y)

    assert px_to_xy(xy_to_px(xy, Scale(scale, scale), origin), Scale(scale, scale), origin) == xy


def test_scale_comes_from_what_was_observed() -> None:
    assert scale_of(Size(3840, 2160), Size(1920, 1080)) == Scale(2.0, 2.0)


def test_boxes_that_do_not_touch_have_nothing_in_common() -> None:
    assert Box(0, 0, 10, 10).intersect(Box(20, 20, 5, 5)).area == 0
    assert Box(-5, -5, 10, 10).clip(Size(100, 100)) == Box(0, 0, 5, 5)
