import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember
from ibtr.errors import AmbiguousTarget, MissingTarget
from ibtr.geometry import Box, Point
from ibtr.ground import inside_borders
from ibtr.pixels import Pixels
from tests.ibtr.screens import LABELS, button, desktop, middle, window


@given(
    label=st.sampled_from(LABELS),
    x=st.integers(4, 600),
    y=st.integers(4, 270),
    contrast=st.floats(0.6, 1.0),
    seed=st.integers(0, 50),
)
@settings(max_examples=25, deadline=None)
def test_a_moved_window_is_found_wherever_it_is(
    label: str, x: int, y: int, contrast: float, seed: int
) -> None:
    before, after = desktop(), desktop(seed=seed)
    evidence = remember(before, middle(window(before)[label]))
    goal = middle(window(after, x, y)[label])
    after = (after * contrast).astype(np.uint8)

    aim = reaim(evidence, after)

    assert abs(aim.point.x - goal.x) <= 2
    assert abs(aim.point.y - goal.y) <= 2


@given(label=st.sampled_from(LABELS), scale=st.one_of(st.floats(0.6, 0.985), st.floats(1.015, 1.6)))
@settings(max_examples=15, deadline=None)
def test_a_scaled_screen_is_found_at_its_scale(label: str, scale: float) -> None:
    before = desktop()
    box = window(before)[label]
    evidence = remember(before, middle(box))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    after = np.asarray(cv2.resize(before, None, fx=scale, fy=scale, interpolation=how), np.uint8)

    aim = reaim(evidence, after)

    assert abs(aim.point.x - middle(box).x * scale) <= 2
    assert abs(aim.point.y - middle(box).y * scale) <= 2


@pytest.mark.parametrize("label", ["Quit", "Help", "Find next"])
@pytest.mark.parametrize("scale", [0.975, 0.985, 1.0125, 1.02, 1.035])
def test_a_scale_close_to_the_recorded_one_is_not_taken_for_it(label: str, scale: float) -> None:
    before = desktop()
    box = window(before)[label]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    after = np.asarray(cv2.resize(before, None, fx=scale, fy=scale, interpolation=how), np.uint8)

    aim = reaim(remember(before, middle(box)), after)

    assert aim.scale.x == pytest.approx(scale, abs=0.002)
    assert aim.point == pytest.approx((middle(box).x * scale, middle(box).y * scale), abs=2)


@pytest.mark.parametrize("less", [(0, 6), (8, 0), (3, 5)], ids=str)
def test_a_screen_that_is_a_little_smaller_shows_things_in_their_size(less: tuple[int, int]) -> None:
    before = desktop()
    box = window(before)["Print"]
    after = np.ascontiguousarray(before[: len(before) - less[0], : before.shape[1] - less[1]])

    aim = reaim(remember(before, middle(box)), after)

    assert aim.scale == (1.0, 1.0)
    assert aim.point == pytest.approx(middle(box), abs=0.1)


def test_a_target_that_was_painted_out_is_missing_although_its_surroundings_are_there() -> None:
    before = desktop()
    box = window(before)["Print"]
    evidence = remember(before, middle(box))
    after = before.copy()
    after[box.y - 1 : box.bottom + 1, box.x - 1 : box.right + 1] = (222, 220, 218)

    with pytest.raises(MissingTarget) as refusal:
        reaim(evidence, after)

    assert refusal.value.evidence["weakest"] < 0.62  # type: ignore[operator]


def test_another_button_in_its_place_is_not_clicked() -> None:
    before = desktop()
    box = window(before)["Print"]
    evidence = remember(before, middle(box))
    after = before.copy()
    button(after, box, "Delete")

    with pytest.raises(MissingTarget):
        reaim(evidence, after)


def test_the_same_window_twice_is_ambiguous() -> None:
    before, after = desktop(), desktop()
    evidence = remember(before, middle(window(before)["Undo"]))
    window(after, 20, 40)
    window(after, 500, 200)

    with pytest.raises(AmbiguousTarget) as refusal:
        reaim(evidence, after)

    assert refusal.value.evidence["margin"] < 0.02  # type: ignore[operator]


def test_a_copy_of_the_button_elsewhere_is_told_apart_by_its_surroundings() -> None:
    before = desktop()
    box = window(before)["Quit"]
    evidence = remember(before, middle(box))
    after = before.copy()
    button(after, Box(700, 400, box.width, box.height), "Quit")

    aim = reaim(evidence, after)

    assert aim.point == pytest.approx(middle(box), abs=1)


def _glyphs(scale: float, *around: str) -> tuple[Pixels, Point]:
    """A plain page of large letters around an "R", at any size; and where that is."""
    page = np.full((360, 640, 3), 240, np.uint8)
    for word, at in zip(("R", *around), ((320, 180), (290, 200), (350, 160)), strict=False):
        cv2.putText(page, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2, cv2.LINE_AA)
    size = (round(640 * scale), round(360 * scale))
    screen = np.full((720, 1280, 3), 240, np.uint8)
    screen[100 : 100 + size[1], 200 : 200 + size[0]] = cv2.resize(page, size, interpolation=cv2.INTER_AREA)
    return screen, Point(200 + 328 * scale, 100 + 171 * scale)


def test_a_lone_glyph_in_another_size_is_refused_since_nothing_around_it_tells_the_size() -> None:
    recorded, point = _glyphs(1.0)
    now, _ = _glyphs(0.62)

    with pytest.raises(MissingTarget):
        reaim(remember(recorded, point), now)


def test_a_glyph_in_another_size_is_found_where_its_neighbours_have_that_size_too() -> None:
    recorded, point = _glyphs(1.0, "B", "K")
    now, there = _glyphs(0.7, "B", "K")

    aim = reaim(remember(recorded, point), now)

    assert np.hypot(aim.point.x - there.x, aim.point.y - there.y) <= 2


def _large_window(screen: Pixels, x: int, y: int) -> dict[str, Point]:
    """A window with a menu close to its border; where its words are."""
    cv2.rectangle(screen, (x, y), (x + 760, y + 480), (225, 225, 225), -1)
    cv2.rectangle(screen, (x, y), (x + 760, y + 22), (150, 90, 40), -1)
    cv2.rectangle(screen, (x, y), (x + 760, y + 480), (120, 120, 120), 1)
    words = {"File": Point(x + 30, y + 36), "Edit": Point(x + 76, y + 36), "View": Point(x + 122, y + 36)}
    for word, at in words.items():
        where = (round(at.x) - 16, round(at.y) + 5)
        cv2.putText(screen, word, where, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    return words


@pytest.mark.parametrize("word", ["File", "Edit", "View"])
def test_a_target_at_the_border_of_its_window_is_found_on_another_ground(word: str) -> None:
    before = np.zeros((720, 1280, 3), np.uint8)
    after = desktop(1280, 720)
    window(after, 60, 40)
    window(after, 240, 60, LABELS[::-1])
    point, there = _large_window(before, 100, 60)[word], _large_window(after, 300, 140)[word]

    aim = reaim(remember(before, point), after)

    assert np.hypot(aim.point.x - there.x, aim.point.y - there.y) <= 1


def test_a_widget_on_a_plain_page_is_not_taken_for_a_window() -> None:
    page = np.full((360, 600), 240, np.uint8)
    page[150:190, 200:400] = 90

    assert inside_borders(page) == Box(0, 0, 600, 360)
    page[150:, 200:] = 90
    assert inside_borders(page) == Box(204, 154, 396, 206)


def _folder(screen: Pixels, x: int, y: int, name: str) -> Point:
    """An icon with its name below it; where it is."""
    cv2.rectangle(screen, (x, y), (x + 40, y + 12), (180, 90, 20), -1)
    cv2.rectangle(screen, (x, y + 8), (x + 44, y + 44), (230, 160, 60), -1)
    (width, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
    where = (x + 22 - width // 2, y + 62)
    cv2.putText(screen, name, where, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (20, 20, 20), 1, cv2.LINE_AA)
    return Point(x + 22, y + 26)


def _shelf(*names: str) -> tuple[Pixels, dict[str, Point]]:
    """A window with folders side by side; where each of them is."""
    screen = np.full((480, 800, 3), 250, np.uint8)
    cv2.rectangle(screen, (0, 0), (800, 96), (220, 220, 215), -1)
    cv2.rectangle(screen, (0, 96), (150, 480), (235, 235, 230), -1)
    for word, at in (("Home", (20, 130)), ("Places", (20, 110)), ("papers", (180, 60)), ("Go", (20, 60))):
        cv2.putText(screen, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (20, 20, 20), 1, cv2.LINE_AA)
    return screen, {name: _folder(screen, 180 + 94 * i, 112, name) for i, name in enumerate(names)}


def test_an_icon_that_was_alone_is_not_another_one_in_its_place_with_another_name() -> None:
    before, recorded = _shelf("letters")
    after, _ = _shelf("archive")

    with pytest.raises(MissingTarget):
        reaim(remember(before, recorded["letters"]), after)


def test_an_icon_with_its_name_below_is_found_where_it_has_moved() -> None:
    before, after = np.full((480, 800, 3), 250, np.uint8), np.full((480, 800, 3), 250, np.uint8)
    point, there = _folder(before, 200, 120, "letters"), _folder(after, 350, 230, "letters")

    aim = reaim(remember(before, point), after)

    assert np.hypot(aim.point.x - there.x, aim.point.y - there.y) <= 1
