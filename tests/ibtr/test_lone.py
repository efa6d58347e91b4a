"""A list of one row when it was recorded: another entry in its place is another row; a form is none."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from ibtr import reaim, remember
from ibtr.errors import MissingTarget, Rejected
from ibtr.geometry import Box
from ibtr.pixels import Pixels
from tests.ibtr.screens import button, middle

GLOBEX, INITECH, HOOLI = ("Globex", "455.00"), ("Initech", "120.00"), ("Globey", "455.00")
Entry = tuple[str, str]
Scene = Callable[[Sequence[Entry]], Pixels]
INK, LINE = (40, 40, 40), (210, 210, 210)


def write(screen: Pixels, text: str, x: int, y: int, ink: tuple[int, int, int] = INK) -> None:
    cv2.putText(screen, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)


def page(title: str = "Clients") -> Pixels:
    screen: Pixels = np.full((540, 960, 3), 255, np.uint8)
    write(screen, title, 40, 50)
    write(screen, "Ask the office where something is missing.", 40, 520)
    return screen


def edit(at: int) -> Box:
    return Box(780, 150 + 46 * at, 64, 26)


def entries(screen: Pixels, rows: Sequence[Entry]) -> Pixels:
    for at, (name, amount) in enumerate(rows):
        write(screen, name, 70, edit(at).y + 17)
        write(screen, amount, 420, edit(at).y + 17)
        button(screen, edit(at), "Edit")
    return screen


def headed(rows: Sequence[Entry]) -> Pixels:
    """Under a heading with a line below it, in a window whose whole width it has."""
    screen = page()
    for text, x in (("Client", 70), ("Amount", 420)):
        write(screen, text, x, 120, (120, 120, 120))
    cv2.line(screen, (0, 134), (960, 134), LINE, 1)
    return entries(screen, rows)


def ruled(rows: Sequence[Entry]) -> Pixels:
    """Between lines that end on the page."""
    screen = page()
    for at in range(len(rows) + 1):
        cv2.line(screen, (60, 140 + 46 * at), (860, 140 + 46 * at), LINE, 1)
    return entries(screen, rows)


def cards(rows: Sequence[Entry]) -> Pixels:
    """Each in a frame of its own, with nothing but a name in it."""
    screen = page()
    for at in range(len(rows)):
        box = edit(at)
        cv2.rectangle(screen, (56, box.y - 8), (864, box.bottom + 7), LINE, 1)
    return entries(screen, [(name, "") for name, _ in rows])


def pane(rows: Sequence[Entry]) -> Pixels:
    """At the top of an empty list in a gray window, 12 px from its border."""
    screen: Pixels = np.full((540, 960, 3), 30, np.uint8)
    cv2.rectangle(screen, (44, 40), (876, 510), (236, 238, 240), -1)
    write(screen, "Clients", 60, 70)
    cv2.rectangle(screen, (56, 140), (864, 460), (255, 255, 255), -1)
    cv2.rectangle(screen, (56, 140), (864, 460), (150, 150, 150), 1)
    button(screen, Box(780, 472, 64, 26), "Close")
    return entries(screen, rows)


LISTS = (headed, ruled, cards, pane)


@pytest.mark.parametrize("now", [INITECH, HOOLI], ids=lambda entry: entry[0])
@pytest.mark.parametrize("scene", LISTS)
def test_another_entry_in_the_place_of_the_only_one_is_refused(scene: Scene, now: Entry) -> None:
    evidence = remember(scene([GLOBEX]), middle(edit(0)))

    with pytest.raises(MissingTarget) as no:
        reaim(evidence, scene([now]))

    assert "row" in no.value.evidence


@pytest.mark.parametrize("scene", LISTS)
def test_the_only_entry_is_found_where_it_was_and_where_its_window_was_moved_to(scene: Scene) -> None:
    screen = scene([GLOBEX])
    evidence = remember(screen, middle(edit(0)))
    desktop: Pixels = np.full((720, 1280, 3), 90, np.uint8)
    desktop[120:660, 200:1160] = screen

    for now, (dx, dy) in ((screen, (0, 0)), (desktop, (200, 120))):
        there = edit(0)._replace(x=edit(0).x + dx, y=edit(0).y + dy)
        assert reaim(evidence, now).point == pytest.approx(middle(there), abs=1)


@pytest.mark.parametrize("rows", [(GLOBEX, INITECH), (INITECH, GLOBEX)], ids=["below", "above"])
@pytest.mark.parametrize("scene", LISTS)
def test_of_two_entries_only_the_recorded_one_is_clicked(scene: Scene, rows: Sequence[Entry]) -> None:
    evidence = remember(scene([GLOBEX]), middle(edit(0)))

    try:
        aim = reaim(evidence, scene(rows))
    except Rejected:
        return

    assert edit(rows.index(GLOBEX)).contains(aim.point)


@pytest.mark.parametrize("by", [0.75, 1.25, 1.5])
def test_the_only_entry_is_found_at_another_scale(by: float) -> None:
    screen = ruled([GLOBEX])
    evidence = remember(screen, middle(edit(0)))
    how = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR

    aim = reaim(evidence, np.asarray(cv2.resize(screen, None, fx=by, fy=by, interpolation=how), np.uint8))

    assert aim.point == pytest.approx((middle(edit(0)).x * by, middle(edit(0)).y * by), abs=2)


def test_what_varies_in_the_only_row_is_not_read() -> None:
    amount = Box(415, edit(0).y, 70, 26)
    evidence = remember(ruled([GLOBEX]), middle(edit(0)), vary=[amount])

    assert reaim(evidence, ruled([("Globex", "17.25")])).point == pytest.approx(middle(edit(0)), abs=1)
    with pytest.raises(MissingTarget):
        reaim(evidence, ruled([("Initech", "455.00")]))


def framed_field(value: str) -> Pixels:
    """A field and a button in a frame."""
    screen = page("Export")
    cv2.rectangle(screen, (56, 140), (864, 186), LINE, 1)
    write(screen, "Folder", 70, edit(0).y + 17)
    cv2.rectangle(screen, (140, edit(0).y), (600, edit(0).bottom), (150, 150, 150), 1)
    write(screen, value, 146, edit(0).y + 17)
    button(screen, edit(0), "Edit")
    return screen


def headed_fields(value: str) -> Pixels:
    """Fields with their labels above them, and a button beside them."""
    screen = page("Client")
    for text, x in (("Name", 70), ("City", 420)):
        write(screen, text, x, 136, (120, 120, 120))
        cv2.rectangle(screen, (x - 6, edit(0).y), (x + 280, edit(0).bottom), (150, 150, 150), 1)
        write(screen, value, x, edit(0).y + 17)
    button(screen, edit(0), "Edit")
    return screen


def underlined_fields(value: str) -> Pixels:
    screen = page("Client")
    for text, x in (("Name", 70), ("City", 420)):
        write(screen, text, x, 136, (120, 120, 120))
        cv2.line(screen, (x, edit(0).y + 24), (x + 280, edit(0).y + 24), (150, 150, 150), 1)
        write(screen, value, x, edit(0).y + 17)
    button(screen, edit(0), "Edit")
    return screen


def title_bar(value: str) -> Pixels:
    """A bar along the window, with other grounds above and below."""
    screen = page()
    screen[:60] = 90
    cv2.rectangle(screen, (0, 140), (960, 186), (225, 225, 225), -1)
    write(screen, value, 420, edit(0).y + 17)
    button(screen, edit(0), "Edit")
    return screen


def total(value: str) -> Pixels:
    """The last line of a table that has other lines above it."""
    screen = page("Cart")
    for at, (name, amount) in enumerate((("Item", "Price"), ("Desk lamp", "12.00"), ("Total", value))):
        write(screen, name, 70, edit(at - 2).y + 17)
        write(screen, amount, 420, edit(at - 2).y + 17)
        cv2.line(screen, (60, 140 + 46 * (at - 1)), (860, 140 + 46 * (at - 1)), LINE, 1)
    button(screen, edit(0), "Edit")
    return screen


@pytest.mark.parametrize(
    "scene",
    [framed_field, headed_fields, underlined_fields, title_bar, total],
    ids=lambda scene: scene.__name__,
)
def test_a_value_in_a_form_or_a_bar_may_be_another_one(scene: Callable[[str], Pixels]) -> None:
    evidence = remember(scene("Globex"), middle(edit(0)))

    assert evidence.crop.row is None
    assert reaim(evidence, scene("Initech")).point == pytest.approx(middle(edit(0)), abs=1)


def asked(names: Sequence[str]) -> Pixels:
    """Requests without a frame: each with a name far from its button, and a note right below that."""
    screen = page("Requests")
    write(screen, "Now", 790, 128)
    for at, name in enumerate(names):
        y = 150 + 110 * at
        write(screen, name, 70, y + 17)
        button(screen, Box(780, y, 64, 26), "Allow")
        write(screen, "for a week, then ask", 700, y + 48)
        write(screen, "once more", 760, y + 70)
    return screen


def test_the_only_one_of_its_kind_is_not_clicked_once_another_stands_in_line_with_it() -> None:
    own = Box(780, 150, 64, 26)
    evidence = remember(asked(["Globex"]), middle(own))

    assert reaim(evidence, asked(["Globex"])).point == pytest.approx(middle(own), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, asked(["Initech", "Globex"]))


def bare(names: Sequence[str]) -> Pixels:
    """Rows right below a heading that ends before them: a name far from its button, and a line below."""
    screen = page("Requests")
    for at, name in enumerate(names):
        y = 112 + 38 * at
        write(screen, name, 70, y + 17)
        button(screen, Box(560, y, 64, 26), "Accept")
        cv2.line(screen, (60, y + 31), (900, y + 31), (200, 200, 200), 1)
    return screen


def test_nor_once_another_stands_right_above_or_below_it_whatever_is_around_either() -> None:
    own = Box(560, 112, 64, 26)
    evidence = remember(bare(["Globex"]), middle(own))

    assert reaim(evidence, bare(["Globex"])).point == pytest.approx(middle(own), abs=1)
    for names in (["Initech", "Globex"], ["Globex", "Initech"]):
        with pytest.raises(Rejected):
            reaim(evidence, bare(names))


def test_nor_once_the_same_words_stand_further_below() -> None:
    """Of cards with much room each has its button far from the next one's."""
    own = Box(90, 190, 64, 26)

    def tasks(names: Sequence[str]) -> Pixels:
        screen = page("Tasks")
        for at, name in enumerate(names):
            write(screen, name, 90, 120 + 200 * at)
            button(screen, own._replace(y=own.y + 200 * at), "Close")
        return screen

    evidence = remember(tasks(["Clean up"]), middle(own))

    assert reaim(evidence, tasks(["Clean up"])).point == pytest.approx(middle(own), abs=1)
    with pytest.raises(Rejected):
        reaim(evidence, tasks(["Book", "Clean up"]))
