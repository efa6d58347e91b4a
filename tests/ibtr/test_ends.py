"""A field that is longer than the kept picture is known by its two ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ibtr import Evidence, reaim, remember, verify
from ibtr.ends import ENDS
from ibtr.errors import AmbiguousTarget, Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, cut, size_of
from tests.ibtr.screens import button
from tests.ibtr.test_reflow import in_field, letter, write


def frame(screen: Pixels, box: Box) -> None:
    cv2.rectangle(screen, box[:2], (box.right - 1, box.bottom - 1), (255, 255, 255), -1)
    cv2.rectangle(screen, box[:2], (box.right - 1, box.bottom - 1), (130, 130, 130), 1)


def browser(
    width: int = 1600, *, text: str = "example.org/clients", tools: int = 3, bars: int = 1
) -> tuple[Pixels, Box]:
    """A window as wide as its screen: some tools, an address bar, a menu; a page below."""
    screen: Pixels = np.full((600, width, 3), 236, np.uint8)
    for n in range(tools):
        button(screen, Box(12 + 44 * n, 40, 36, 30), "<>x+"[n])
    left = 24 + 44 * tools
    space = (width - 130 - left - 20 * (bars - 1)) // bars
    for n in range(bars):
        frame(screen, Box(left + n * (space + 20), 42, space, 26))
    button(screen, Box(width - 100, 40, 80, 30), "Menu")
    screen[84:] = 255
    for n, word in enumerate(("Clients", "Orders", "Reports")):
        write(screen, word, 40 + 300 * n, 130)
    write(screen, text, left + 12, 60)
    return screen, Box(left, 42, space, 26)


def middle(box: Box) -> Point:
    return Point(box.x + box.width // 2, box.y + box.height // 2)


def test_the_middle_of_an_address_bar_is_found_on_its_own_screen() -> None:
    screen, bar = browser()

    aim = reaim(remember(screen, middle(bar), content=True), screen)

    assert aim.representation == ENDS
    assert aim.point == pytest.approx(middle(bar), abs=1)


def test_it_is_found_with_another_text_in_it() -> None:
    screen, bar = browser()

    aim = reaim(remember(screen, middle(bar), content=True), browser(text="wiki.example.org")[0])

    assert aim.point == pytest.approx(middle(bar), abs=1)


@pytest.mark.parametrize("width", [1280, 1366, 1900])
def test_in_a_window_of_another_width_it_is_clicked_at_the_same_share(width: int) -> None:
    screen, bar = browser()
    other, there = browser(width)

    aim = reaim(remember(screen, middle(bar), content=True), other)

    assert aim.point == pytest.approx(middle(there), abs=2)


def test_it_is_found_where_the_screen_is_shown_smaller() -> None:
    screen, bar = browser()
    smaller: Pixels = np.asarray(cv2.resize(screen, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA))

    aim = reaim(remember(screen, middle(bar), content=True), smaller)

    assert aim.point == pytest.approx((middle(bar).x * 0.8, middle(bar).y * 0.8), abs=2)


def test_the_evidence_keeps_its_ends() -> None:
    screen, bar = browser()
    evidence = Evidence.from_parts(*remember(screen, middle(bar), content=True).to_parts())

    assert reaim(evidence, screen).representation == ENDS


def test_the_pixels_under_the_pointer_are_verified_once_more() -> None:
    screen, bar = browser()
    evidence = remember(screen, middle(bar), content=True)
    aim = reaim(evidence, screen)
    patch = aim.patch.clip(size_of(screen))
    covered = cut(screen, patch).copy()
    button(covered, Box(round(aim.point.x) - patch.x - 40, 10, 80, 30), "Cancel")

    assert verify(evidence, aim, cut(screen, patch).copy(), Point(patch.x, patch.y)).core > 0.99
    with pytest.raises(Rejected):
        verify(evidence, aim, covered, Point(patch.x, patch.y))


@pytest.mark.parametrize("what", ["erased", "a button over it", "two bars instead", "without its tools"])
def test_a_bar_that_is_not_there_is_refused(what: str) -> None:
    screen, bar = browser()
    evidence = remember(screen, middle(bar), content=True)
    now = browser(bars=2)[0] if what == "two bars instead" else screen.copy()
    if what == "erased":
        cut(now, bar)[:] = 236
    if what == "a button over it":
        button(now, Box(round(middle(bar).x) - 50, bar.y, 100, bar.height), "Open")
    if what == "without its tools":
        now[:84] = 236
        frame(now, Box(24, 42, 1500, 26))

    with pytest.raises(Rejected):
        reaim(evidence, now)


def test_of_two_such_windows_none_is_clicked() -> None:
    screen, bar = browser()
    twice = np.vstack([screen, screen])

    with pytest.raises(Rejected):
        reaim(remember(screen, middle(bar), content=True), twice)


@pytest.mark.parametrize("width", [1500, 1300, 1100])
@pytest.mark.parametrize("share", [0.15, 0.5, 0.8])
def test_one_of_several_long_fields_is_found_by_its_name(share: float, width: int) -> None:
    screen, boxes = letter("To", "Cc", "Bcc", "Subject")
    evidence = remember(screen, in_field(boxes["Cc"], share), content=True)
    other, there = letter("To", "Cc", "Bcc", "Subject", width=width, text="Hello Anna")

    aim = reaim(evidence, other)

    assert there["Cc"].contains(aim.point)


def test_a_field_with_another_name_is_not_filled() -> None:
    screen, boxes = letter("Street", "Town")
    evidence = remember(screen, in_field(boxes["Street"], 0.5), content=True)

    with pytest.raises(Rejected):
        reaim(evidence, letter("Strand", "Town")[0])


def test_a_bar_at_the_very_top_of_the_screen_is_found_at_another_width() -> None:
    (screen, bar), (other, there) = browser(), browser(1366)
    above = bar.y - 2

    aim = reaim(
        remember(screen[above:].copy(), Point(middle(bar).x, middle(bar).y - above), content=True),
        other[above:].copy(),
    )

    assert aim.point == pytest.approx((middle(there).x, middle(there).y - above), abs=2)


def card(text: str, at: int = 700) -> Pixels:
    """A button as wide as its page, with its name in it."""
    screen: Pixels = np.full((420, 1500, 3), 240, np.uint8)
    write(screen, "Settings", 40, 60)
    frame(screen, Box(300, 120, 900, 40))
    write(screen, text, at, 146)
    write(screen, "Version 2", 300, 220)
    return screen


@pytest.mark.parametrize("at", [320, 700])
def test_a_wide_button_with_another_name_is_not_clicked(at: int) -> None:
    evidence = remember(card("Save changes", at), Point(1000, 140))

    with pytest.raises(Rejected):
        reaim(evidence, card("Delete all", at))


def test_an_empty_bar_that_is_only_clicked_is_found() -> None:
    evidence = remember(card(""), Point(750, 140))

    assert reaim(evidence, card("")).representation == ENDS


@pytest.mark.parametrize("hidden", [Box(0, 600, 300, 100), Box(1300, 600, 300, 100), Box(1300, 0, 300, 100)])
def test_of_two_such_windows_none_is_clicked_though_an_end_of_one_is_hidden(hidden: Box) -> None:
    screen, bar = browser()
    twice = np.vstack([screen, screen])
    cut(twice, hidden)[:] = 90

    with pytest.raises(AmbiguousTarget):
        reaim(remember(screen, middle(bar), content=True), twice)


@pytest.mark.parametrize("scale", [1.0, 0.8, 0.5])
@pytest.mark.parametrize("own", [Box(200, 0, 1100, 12), Box(0, 374, 1500, 26), Box(0, 0, 1500, 26)])
def test_a_field_at_the_edge_of_the_screen_is_found_or_refused(own: Box, scale: float) -> None:
    screen: Pixels = np.full((400, 1500, 3), 240, np.uint8)
    frame(screen, own)
    write(screen, "Papers", 60, 200)
    shown: Pixels = np.asarray(cv2.resize(screen, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))

    try:
        aim = reaim(remember(screen, middle(own), content=True), shown)
    except Rejected:
        return
    assert aim.point.y == pytest.approx(middle(own).y * scale, abs=3)


LONG = "example.org/clients/globex/orders/2026/november/" + "x" * 20


def narrowed(what: str = "") -> tuple[Evidence, Pixels, Box]:
    """A bar clicked behind its text, and one so much shorter that the text goes on below the click."""
    screen, bar = browser(1900, text=LONG)
    evidence = remember(screen, Point(bar.x + 900, middle(bar).y), content=True)
    now, there = browser(1100, text=LONG if not what else "example.org")
    at = there.x + round(900 * there.width / bar.width)
    if what == "a sign":
        cv2.drawMarker(now, (at, round(middle(there).y)), (60, 60, 60), cv2.MARKER_TILTED_CROSS, 9, 1)
    if what == "a sign behind the text":
        cv2.putText(now, "x" * 36, (there.x + 120, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1)
        cut(now, Box(at - 26, there.y + 2, there.right - at + 20, there.height - 4))[:] = 255
        cv2.circle(now, (at, round(middle(there).y)), 8, (60, 60, 60), 1)
    if what == "a word of its own":
        write(now, "Search", at - 20, 60)
    if what == "framed":
        write(now, LONG[11:], there.x + 12 + 96, 60)
        cv2.rectangle(now, (at - 40, there.y + 3), (at + 40, there.bottom - 4), (150, 150, 150), 1)
    if what == "on another ground":
        cut(now, Box(at - 60, there.y + 3, 120, there.height - 6))[:] = 215
        write(now, "Anna Smith", at - 50, 60)
    return evidence, now, Box(at - 20, there.y, 40, there.height)


def test_the_text_of_a_bar_may_go_on_below_the_click() -> None:
    evidence, now, there = narrowed()

    aim = reaim(evidence, now)
    patch = aim.patch.clip(size_of(now))

    assert aim.representation == ENDS
    assert there.contains(aim.point)
    assert verify(evidence, aim, cut(now, patch).copy(), Point(patch.x, patch.y)).core > 0.9


@pytest.mark.parametrize(
    "what", ["a sign", "a sign behind the text", "a word of its own", "framed", "on another ground"]
)
def test_what_is_not_the_text_of_a_bar_is_not_clicked(what: str) -> None:
    evidence, now, _ = narrowed(what)

    with pytest.raises(Rejected):
        reaim(evidence, now)


def test_a_bar_that_was_empty_is_not_clicked_on_a_text() -> None:
    screen, bar = browser(1900, text="")
    evidence = remember(screen, Point(bar.x + 900, middle(bar).y), content=True)

    with pytest.raises(Rejected):
        reaim(evidence, browser(1100, text=LONG)[0])


ADDRESS = "example.org/clients/list"


def on_its_text() -> tuple[Evidence, Pixels, Box]:
    """An address bar that was clicked on the address in it."""
    screen, bar = browser(text=ADDRESS)
    return remember(screen, Point(bar.x + 100, middle(bar).y), content=True), screen, bar


@pytest.mark.parametrize("width", [1600, 1366])
@pytest.mark.parametrize("text", ["wiki.example.org/Main_Page/and/more", "a.de", ""])
def test_a_bar_that_was_clicked_on_its_text_is_found_with_another(text: str, width: int) -> None:
    evidence, _, bar = on_its_text()
    now, there = browser(width, text=text)

    aim = reaim(evidence, now)
    patch = aim.patch.clip(size_of(now))

    assert aim.representation == ENDS
    assert aim.point == pytest.approx((there.x + 100 * there.width / bar.width, middle(there).y), abs=2)
    assert verify(evidence, aim, cut(now, patch).copy(), Point(patch.x, patch.y)).core > 0.9


@pytest.mark.parametrize(
    "what",
    [
        "erased",
        "a button over it",
        "a sign in it",
        "a chip in it",
        "two bars",
        "without its tools",
        "another bar",
    ],
)
def test_a_bar_that_was_clicked_on_its_text_and_is_gone_is_refused(what: str) -> None:
    evidence, _, bar = on_its_text()
    now = browser(text="a.de", bars=2 if what == "two bars" else 1)[0]
    at = bar.x + 100
    if what == "erased":
        cut(now, bar)[:] = 236
    if what == "a button over it":
        button(now, Box(at - 50, bar.y, 100, bar.height), "Open")
    if what == "a sign in it":
        cv2.circle(now, (at, round(middle(bar).y)), 8, (60, 60, 60), 1)
    if what == "a chip in it":
        cut(now, Box(at - 40, bar.y + 3, 80, bar.height - 6))[:] = 215
        write(now, "Anna", at - 18, 60)
    if what == "without its tools":
        now[:84] = 236
        frame(now, Box(24, 42, 1500, 26))
    if what == "another bar":
        now[:84] = 236
        frame(now, bar)
        write(now, "a.de", bar.x + 12, 60)

    with pytest.raises(Rejected):
        reaim(evidence, now)
