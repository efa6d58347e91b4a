import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import reaim, remember, verify
from ibtr.anew import REDRAWN
from ibtr.company import scale_of
from ibtr.emblem import same_pixels
from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.geometry import Box, Point, Size
from ibtr.letters import Word, word_in
from ibtr.marks import marks
from ibtr.pixels import Pixels, cut, size_of
from ibtr.sure import SURE
from ibtr.unchanged import unchanged
from ibtr.view import View
from ibtr.warp import warped
from tests.ibtr.screens import LABELS, middle

LIGHT = ((232, 232, 232), (245, 245, 245), (40, 40, 40))
DARK = ((48, 46, 44), (60, 58, 56), (230, 230, 230))


def form(
    labels: tuple[str, ...] = LABELS,
    scale: float = 1.0,
    colours: tuple[tuple[int, int, int], ...] = LIGHT,
    corners: tuple[tuple[int, int], ...] = ((120, 80),),
    font: int = cv2.FONT_HERSHEY_SIMPLEX,
) -> tuple[Pixels, dict[str, Box]]:
    """Buttons in two columns: letters grow with the scale, the space around them does not."""
    ground, face, ink = colours
    screen = np.full((600, 1000, 3), ground, np.uint8)
    boxes: dict[str, Box] = {}
    width, height = round(100 * scale) + 24, round(14 * scale) + 16
    for x, y in corners:
        for index, label in enumerate(labels):
            box = Box(x + (width + 14) * (index % 2), y + (height + 10) * (index // 2), width, height)
            cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), face, -1)
            cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (128, 128, 128), 1)
            at = (box.x + 12, box.bottom - 10)
            cv2.putText(screen, label, at, font, 0.45 * scale, ink, 1, cv2.LINE_AA)
            boxes.setdefault(label, box)
    return screen, boxes


@pytest.mark.parametrize("label", LABELS[::3])
@pytest.mark.parametrize(
    ("scale", "colours", "font"),
    [
        (1.25, LIGHT, cv2.FONT_HERSHEY_SIMPLEX),
        (1.0, DARK, cv2.FONT_HERSHEY_DUPLEX),
        (1.25, DARK, cv2.FONT_HERSHEY_SIMPLEX),
    ],
)
def test_a_target_drawn_anew_is_found_and_holds_when_looked_at_again(
    label: str, scale: float, colours: tuple[tuple[int, int, int], ...], font: int
) -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes[label]))
    anew, there = form(scale=scale, colours=colours, font=font, corners=((170, 60),))

    aim = reaim(evidence, anew)

    assert there[label].contains(aim.point)
    patch = aim.patch.clip(size_of(anew))
    sight = verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y))
    assert sight.core >= 0.8


def test_a_target_drawn_anew_whose_label_is_another_word_is_refused() -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes["Options"]))
    anew, _ = form(tuple("Outline" if label == "Options" else label for label in LABELS), scale=1.25)

    with pytest.raises(MissingTarget):
        reaim(evidence, anew)


def test_a_target_painted_out_of_what_was_drawn_anew_is_refused() -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes["Print"]))
    anew, there = form(scale=1.25)
    cut(anew, there["Print"].grow(1))[:] = LIGHT[0]

    with pytest.raises(Rejected):
        reaim(evidence, anew)


def test_of_two_windows_drawn_anew_neither_is_clicked() -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes["Replace"]))
    anew, _ = form(scale=1.25, corners=((40, 60), (540, 60)))

    with pytest.raises(AmbiguousTarget):
        reaim(evidence, anew)


def test_what_was_aimed_at_and_is_gone_under_the_pointer_is_refused() -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes["Help"]))
    anew, there = form(scale=1.25, colours=DARK)
    aim = reaim(evidence, anew)
    assert aim.representation == REDRAWN
    cut(anew, there["Help"])[:] = DARK[1]
    patch = aim.patch.clip(size_of(anew))

    with pytest.raises(MissingTarget):
        verify(evidence, aim, cut(anew, patch).copy(), Point(patch.x, patch.y))


def test_the_closing_sign_of_another_window_under_the_same_panel_is_refused() -> None:
    mine, other = titled((48, 48, 48), (190, 190, 190)), titled((235, 235, 235), (30, 30, 30))
    evidence = remember(mine, Point(932, 50))
    for at, sign in ((600, "o"), (650, "="), (700, "S")):
        cv2.putText(mine, sign, (at, 56), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (190, 190, 190), 2, cv2.LINE_AA)
    more = remember(mine, Point(932, 50))

    for one in (evidence, more):
        with pytest.raises(Rejected):
            reaim(one, other)


def test_words_are_marks_and_frames_are_not() -> None:
    screen, boxes = form(("Print",))

    found = [Box(*(int(v) for v in row)) for row in marks(screen[:, :, 0].copy())]

    assert len(found) == 1
    assert found[0].intersect(boxes["Print"]) == found[0]


@pytest.mark.parametrize("ink", [120, 190, 205])
def test_another_pale_icon_has_other_pixels(ink: int) -> None:
    crossed, barred = (np.full((40, 40, 3), 236, np.uint8) for _ in range(2))
    cv2.line(crossed, (12, 12), (27, 27), (ink,) * 3, 2)
    cv2.line(crossed, (27, 12), (12, 27), (ink,) * 3, 2)
    for y in (13, 19, 25):
        cv2.line(barred, (12, y), (27, y), (ink,) * 3, 2)
    box = Box(12, 12, 16, 16)

    assert same_pixels(crossed, box, crossed, box) == 1.0
    assert same_pixels(crossed, box, barred, box) < SURE.pixels


def written(text: str, size: float, thick: int = 1) -> Word:
    screen: Pixels = np.full((60, 400), 240, np.uint8)
    cv2.putText(screen, text, (10, 40), cv2.FONT_HERSHEY_SIMPLEX, size, 30, thick, cv2.LINE_AA)
    ink = screen < 200
    left, right = np.flatnonzero(ink.any(axis=0))[[0, -1]]
    top, bottom = np.flatnonzero(ink.any(axis=1))[[0, -1]]
    return word_in(screen, Box(int(left), int(top), int(right - left) + 1, int(bottom - top) + 1))


@pytest.mark.parametrize(("text", "alike"), [("View", True), ("Views", False), ("Vote", False)])
def test_letters_stand_as_they_did_whatever_the_size_of_a_word(text: str, alike: bool) -> None:
    assert written(text, 0.9).set_alike(written("View", 0.6)) is alike


@pytest.mark.parametrize(("text", "redotted"), [("Vlew", True), ("View", False), ("Vote", False)])
def test_a_dot_over_a_letter_tells_it(text: str, redotted: bool) -> None:
    assert written(text, 0.75).redotted(written("View", 0.6)) is redotted


def test_the_dots_of_letters_that_stand_elsewhere_are_not_compared() -> None:
    apart = Word(((0.0, 0.2), (0.3, 0.5), (0.6, 1.0)), (None, True, False))
    joined = Word(((0.0, 0.5), (0.55, 0.58), (0.6, 1.0)), (True, False, False))

    assert not apart.redotted(
        joined._replace(dots=(None, False, False), ends=((0.0, 0.2), (0.7, 0.9), (0.95, 1.0)))
    )
    assert apart.redotted(joined._replace(dots=(None, False, False), ends=apart.ends))


@pytest.mark.parametrize(
    ("known", "seen", "scale"),
    [(Box(0, 0, 13, 3), Box(0, 0, 17, 5), 4 / 3), (Box(0, 0, 3, 17), Box(0, 0, 3, 21), 1.25)],
)
def test_a_thin_mark_grew_by_as_much_as_its_longer_side(known: Box, seen: Box, scale: float) -> None:
    assert scale_of(known, seen) == pytest.approx(scale)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), width=st.integers(3, 40))
def test_a_picture_laid_onto_itself_stays_as_it_is(seed: int, width: int) -> None:
    picture = np.random.default_rng(seed).random((12, width), np.float32)

    (same,) = warped([picture], [picture])

    assert np.allclose(same, picture, atol=1e-5)


def test_many_pictures_are_warped_as_each_is_alone() -> None:
    rng = np.random.default_rng(7)
    known = [rng.random((10, n), np.float32) for n in (8, 21, 14)]
    seen = [rng.random((10, n), np.float32) for n in (11, 19, 17)]

    together = warped(known, seen)

    for a, b, both in zip(known, seen, together, strict=True):
        assert np.allclose(both, warped([a], [b])[0])


def test_a_screen_of_nothing_has_no_marks() -> None:
    blank = np.full(Size(80, 60)[::-1], 200, np.uint8)

    assert marks(blank).shape == (0, 4)


def test_a_day_that_is_gone_is_not_taken_for_the_same_day_of_the_next_month() -> None:
    screen, days = calendar()
    evidence = remember(screen, middle(days[10]))
    now = screen.copy()
    covered = days[10].grow(14)
    cv2.rectangle(now, (covered.x, covered.y), (covered.right, covered.bottom), (170, 50, 60), -1)

    assert evidence.crop.twin
    with pytest.raises(Rejected):
        reaim(evidence, now)


def test_a_form_drawn_anew_has_few_of_its_pixels() -> None:
    screen, boxes = form()
    evidence = remember(screen, middle(boxes[LABELS[0]]))

    shares = [
        unchanged(evidence.crop, View(form(scale=scale, colours=colours)[0]))
        for scale, colours in ((1.25, LIGHT), (1.0, DARK), (1.5, LIGHT))
    ]

    assert max(shares) < 0.5


def calendar() -> tuple[Pixels, dict[int, Box]]:
    """Two months side by side, in the first of which the boxes are."""
    screen = np.full((500, 900, 3), 250, np.uint8)
    boxes: dict[int, Box] = {}
    for left, shift in ((60, 6), (480, 2)):
        for day in range(1, 32):
            row, column = divmod(day - 1 + shift, 7)
            x, y = left + 52 * column, 90 + 50 * row
            cv2.putText(screen, str(day), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
            boxes.setdefault(day, Box(x - 2, y - 14, 24, 18))
    return screen, boxes


def titled(ground: tuple[int, int, int], ink: tuple[int, int, int]) -> Pixels:
    """A panel with icons, which no window changes, and below it a title bar with its three signs."""
    screen: Pixels = np.full((540, 960, 3), 120, np.uint8)
    screen[:28] = 20
    for at in (860, 890, 920):
        cv2.circle(screen, (at, 14), 6, (220, 220, 220), 2, cv2.LINE_AA)
        cv2.line(screen, (at - 3 + (at // 30) % 4, 10), (at + 3, 18), (220, 220, 220), 1, cv2.LINE_AA)
    screen[28:72] = ground
    cv2.line(screen, (852, 54), (860, 54), ink, 2)
    cv2.rectangle(screen, (888, 46), (896, 54), ink, 1)
    cv2.line(screen, (928, 46), (936, 54), ink, 2, cv2.LINE_AA)
    cv2.line(screen, (936, 46), (928, 54), ink, 2, cv2.LINE_AA)
    return screen


def arrow(screen: Pixels, box: Box, word: str) -> None:
    """A button with an icon on it that keeps its size, and maybe a word beside that."""
    cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), LIGHT[1], -1)
    cv2.rectangle(screen, (box.x, box.y), (box.right - 1, box.bottom - 1), (128, 128, 128), 1)
    for inset in (0, 6):
        tip = (box.x + 8 + inset, box.y + 16)
        cv2.polylines(screen, [np.array([(tip[0] + 8, tip[1] - 8), tip, (tip[0] + 8, tip[1] + 8)], np.int32)],
                      isClosed=False, color=(40, 40, 40), thickness=2)  # fmt: skip
    cv2.putText(
        screen, word, (box.x + 28, box.y + 21), cv2.FONT_HERSHEY_SIMPLEX, 0.56, LIGHT[2], 1, cv2.LINE_AA
    )


@pytest.mark.parametrize("word", ["", "Group"])
def test_an_icon_with_a_word_beside_it_is_another_button(word: str) -> None:
    screen, _ = form()
    arrow(screen, Box(150, 330, 34, 34), "")
    evidence = remember(screen, Point(166, 346))
    anew, _ = form(scale=1.25)
    there = Box(150, 366, 100 if word else 34, 34)
    arrow(anew, there, word)

    if not word:
        assert there.contains(reaim(evidence, anew).point)
    else:
        with pytest.raises(Rejected):
            reaim(evidence, anew)


def barred(width: int, **look: object) -> tuple[Pixels, Box]:
    """The form with a bar of two pixels beside its first row, like the sign that makes a window small."""
    screen, boxes = form(**look)  # type: ignore[arg-type]
    beside = boxes[LABELS[1]]
    bar = Box(beside.right + 24, beside.y + beside.height // 2, width, 2)
    cut(screen, bar)[:] = 255 - int(screen[0, 0].mean())
    return screen, bar


@pytest.mark.parametrize("width", [9, 11, 22])
def test_a_bare_bar_drawn_anew_is_known_by_its_length(width: int) -> None:
    screen, bar = barred(14)
    evidence = remember(screen, middle(bar))
    anew, _ = barred(width, scale=1.25, colours=DARK, font=cv2.FONT_HERSHEY_DUPLEX)

    with pytest.raises(Rejected):
        reaim(evidence, anew)
