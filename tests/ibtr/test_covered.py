"""A window that something lies over: what it hides does not read otherwise; what is left must still tell."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels, cut
from ibtr.severed import grown
from tests.ibtr.screens import button, desktop, middle

NAMES = ("Initech Holding", "Globex Limited", "Hooli Services", "Stark Industries", "Wayne Enterprises")
AMOUNTS = ("EUR 120.00", "EUR 455.10", "EUR 99.50", "EUR 18.75", "EUR 61.25")
STREETS = ("12 Harbour Street", "7 Mill Lane", "31 Station Road", "4 Church Square", "58 Garden Avenue")


def write(screen: Pixels, text: str, x: int, y: int) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


def pay(at: int) -> Box:
    return Box(560, 150 + 34 * at, 70, 24)


def table(
    names: Sequence[str] = NAMES, amounts: Sequence[str] = AMOUNTS, streets: Sequence[str] = STREETS
) -> Pixels:
    """Names, amounts and streets with a button in each row; a title, a heading and a line of help around."""
    screen: Pixels = np.full((540, 960, 3), 250, np.uint8)
    cv2.rectangle(screen, (200, 60), (700, 90), (150, 90, 40), -1)
    write(screen, "Invoices that are due this week, by client", 220, 80)
    write(screen, "Client, sum and street of everyone who owes us", 220, 125)
    for at, (name, amount, street) in enumerate(zip(names, amounts, streets, strict=True)):
        y = pay(at).y + 17
        write(screen, name, 60, y)
        write(screen, amount, 290, y)
        write(screen, street, 400, y)
        button(screen, pay(at), "Pay")
    write(screen, "Paid ones are moved to the archive at the end of the day", 150, 360)
    return screen


def covered(screen: Pixels, right: int) -> Pixels:
    """The same with another window on its left side."""
    other = desktop(seed=9)
    for at in range(14):
        write(other, f"something else {at * 37}", 20 + 11 * (at % 5), 30 + 36 * at)
    screen[:, :right] = other[: len(screen), :right]
    return screen


@pytest.mark.parametrize("right", [322, 350, 385], ids=lambda right: f"up to {right}")
@pytest.mark.parametrize("at", range(5))
def test_a_row_is_found_by_what_something_else_leaves_of_it(at: int, right: int) -> None:
    evidence = remember(table(), middle(pay(at)))

    aim = reaim(evidence, covered(table(), right))

    assert aim.representation == "cut off"
    assert aim.point == pytest.approx(middle(pay(at)), abs=1)


def test_a_row_of_which_nothing_is_left_that_tells_it_is_not_clicked() -> None:
    screen = table(amounts=AMOUNTS[:1] * 5, streets=STREETS[:1] * 5)
    evidence = remember(screen, middle(pay(1)))

    with pytest.raises(Rejected):
        reaim(evidence, covered(screen, 322))


@pytest.mark.parametrize("by", [-1, 1, 2])
def test_another_row_in_its_place_is_not_clicked(by: int) -> None:
    names, amounts, streets = ((*texts[by:], *texts[:by]) for texts in (NAMES, AMOUNTS, STREETS))
    evidence = remember(table(), middle(pay(2)))
    now = covered(table(names, amounts, streets), 322)

    try:
        aim = reaim(evidence, now)
    except Rejected:
        return
    assert aim.point == pytest.approx(middle(pay(2 - by)), abs=1), "at most where its own row stands now"


@pytest.mark.parametrize("now", ["EUR 99.60", "EUR 99.5", "EUR 199.50"])
def test_another_text_in_what_is_left_is_not_clicked(now: str) -> None:
    evidence = remember(table(), middle(pay(2)))

    with pytest.raises(Rejected):
        reaim(evidence, covered(table(amounts=(*AMOUNTS[:2], now, *AMOUNTS[3:])), 280))


def test_other_names_are_no_edge_of_something_else() -> None:
    """All that stands left of the sums is another text, but nothing was cut through."""
    evidence = remember(table(), middle(pay(2)))
    names = ("Cyberdyne Systems", "Tyrell Corporation", "Umbrella Pharma", "Soylent Foods", "Aperture Labs")

    with pytest.raises(Rejected):
        reaim(evidence, table(names))


@pytest.mark.parametrize("at", range(5))
def test_a_row_that_is_cut_off_beyond_the_picture_is_found_by_the_rest(at: int) -> None:
    evidence = remember(table(), middle(pay(at)))

    aim = reaim(evidence, covered(table(), 110))

    assert evidence.crop.source.x > 200
    assert aim.representation == "cut off"
    assert aim.point == pytest.approx(middle(pay(at)), abs=1)


def test_another_name_beyond_the_picture_is_not_clicked() -> None:
    evidence = remember(table(), middle(pay(2)))

    with pytest.raises(Rejected):
        reaim(evidence, table((*NAMES[1:], NAMES[0])))


def test_something_else_may_lie_over_a_corner_and_a_side() -> None:
    """A box that grows to all sides alike is stopped by the corner before it comes to the side."""
    evidence = remember(table(), middle(pay(2)))
    now = covered(table(), 322)
    cut(now, Box(0, 0, 520, 150))[:] = cut(desktop(seed=9), Box(0, 0, 520, 150))

    assert reaim(evidence, now).point == pytest.approx(middle(pay(2)), abs=1)


def test_letters_that_are_cut_a_little_before_others_are_one_line() -> None:
    """Dark letters differ some pixels earlier than light ones once they are blurred."""
    apart = np.zeros((100, 200), np.uint8)
    apart[40:60, 150:] = 1
    apart[:40, 147:] = 1
    apart[60:, 146:] = 1

    assert grown(apart, Box(80, 45, 20, 10)) == Box(0, 0, 150, 100)


def written(screen: Pixels) -> Box:
    """A long text, and the end of it."""
    write(screen, "Print all invoices of the week", 420, 400)
    return Box(560, 385, 60, 20)


def test_a_text_that_goes_on_behind_something_else_is_clicked() -> None:
    screen = table()
    end = written(screen)
    evidence = remember(screen, middle(end))

    assert reaim(evidence, covered(screen, 440)).point == pytest.approx(middle(end), abs=1)


def test_a_text_that_is_cut_close_to_the_click_is_not_clicked() -> None:
    screen = table()
    evidence = remember(screen, middle(written(screen)))

    with pytest.raises(Rejected):
        reaim(evidence, covered(screen, 505))


def test_a_window_that_leaves_the_screen_is_read_as_far_as_it_goes() -> None:
    evidence = remember(table(), middle(pay(1)))
    now = np.zeros_like(table())
    cut(now, Box(0, 0, 640, 540))[:] = cut(table(), Box(320, 0, 640, 540))

    aim = reaim(evidence, now)

    assert aim.point == pytest.approx((middle(pay(1)).x - 320, middle(pay(1)).y), abs=1)


def without(screen: Pixels, left: int, width: int) -> Pixels:
    """The same with a strip cut out of it: what stood further to the left stands right beside the rest."""
    rest = np.delete(screen, slice(left, left + width), axis=1)
    return np.pad(rest, ((0, 0), (0, width), (0, 0)), constant_values=250)


@pytest.mark.parametrize("left", [255, 262], ids=lambda left: f"from {left} on")
@pytest.mark.parametrize("at", [1, 2])
def test_a_letter_behind_the_line_that_is_alike_by_chance_does_not_go_on(at: int, left: int) -> None:
    evidence = remember(table(), middle(pay(at)))

    aim = reaim(evidence, without(table(), left, 105))

    assert aim.representation == "cut off"
    assert aim.point == pytest.approx((middle(pay(at)).x - 105, middle(pay(at)).y), abs=1)


def test_a_line_that_cuts_through_things_is_one_though_something_beyond_it_is_still_alike() -> None:
    """A strip of the heading above the list is gone: the title is further down, and partly where it was."""
    evidence, now = remember(table(), middle(pay(3))), covered(table(), 350)
    now[12:118] = now[:106].copy()

    assert reaim(evidence, now).point == pytest.approx(middle(pay(3)), abs=1)


def ending(names: Sequence[str], streets: Sequence[str] = STREETS) -> Pixels:
    """A list whose names all end at one edge, and in one word."""
    screen = table(("",) * 5, ("",) * 5, streets)
    for at, name in enumerate(f"{name} Limited" for name in names):
        (width, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        write(screen, name, 380 - width, pay(at).y + 17)
    return screen


@pytest.mark.parametrize("at", range(1, 4))
def test_other_names_that_end_in_one_word_are_no_edge_of_something_else(at: int) -> None:
    evidence = remember(ending(("Initech", "Globex", "Hooli", "Stark", "Wayne")), middle(pay(at)))

    with pytest.raises(Rejected):
        reaim(evidence, ending(("Cyberdyne", "Tyrell", "Umbrella", "Soylent", "Aperture")))


@pytest.mark.parametrize("left", [330, 372], ids=lambda left: f"up to {left}")
def test_a_row_is_not_clicked_where_another_list_lies_over_all_that_tells_it(left: int) -> None:
    """The other list has its rows at the same height, and ends in the same word."""
    names, same = ("Initech", "Globex", "Hooli", "Stark", "Wayne"), STREETS[:1] * 5
    evidence, now = remember(ending(names, same), middle(pay(2))), ending((*names[1:], names[0]), same)
    now[:, :left] = ending(("Cyberdyne", "Tyrell", "Umbrella", "Soylent", "Aperture"))[:, :left]

    with pytest.raises(Rejected):
        reaim(evidence, now)
