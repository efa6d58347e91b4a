"""The gate of the start state, on drawn screens: no desktop."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from actionlens.controller import Frame
from actionlens.frames import Pixels
from actionlens.observation import Popup, Window
from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected, StateMismatch
from ibtr.geometry import Box, Point, Size
from memory_store.models import Memory
from memory_store.repository import Repository
from memory_store.writing import Keeper
from server.diagnostics.drawn import dialog
from server.replay.start_state import StartState, examine
from server.replay.targets import load_targets
from tests.server.libraries import SIZE, Drawn, add, click, typed

Look = Callable[..., StartState]
RNG = np.random.default_rng(5)


def editor(*, twins: int = 1) -> Drawn:
    """A window with menus, a text, and one or more equal buttons."""
    screen = np.full((SIZE.height, SIZE.width, 3), 236, np.uint8)
    for n, word in enumerate(("File", "Edit", "Search", "View", "Document", "Help")):
        write(screen, word, (14 + 96 * n, 24))
    for row in range(14):
        write(screen, f"line {row} of the letter, {row * 37} words", (30, 80 + 24 * row))
    boxes = [Box(560, 100 + 90 * n, 110, 34) for n in range(twins)]
    for box in boxes:
        cv2.rectangle(screen, (box.x, box.y), (box.right, box.bottom), (190, 190, 190), -1)
        write(screen, "Approve", (box.x + 16, box.y + 23))
    return Drawn(screen, boxes[0])


def write(screen: Pixels, text: str, at: tuple[int, int]) -> None:
    cv2.putText(screen, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)


def frame(
    pixels: Pixels, application: str = "Editor", front: Box | None = None, title: str = "letter"
) -> Frame:
    size = Size(pixels.shape[1], pixels.shape[0])
    window = Window(id=1, title=title, application=application, box=front or Box(0, 0, *size))
    return Frame(pixels, datetime(2026, 1, 1, tzinfo=UTC), size, Point(0, 0), None, window, (window,))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "home") as opened:
        yield opened


def memory(store: Repository, drawn: Drawn, *, keys_first: bool) -> Memory:
    def steps(keeper: Keeper) -> tuple[object, ...]:
        aimed, keyed = click(drawn, "Editor", keeper), typed(drawn, "Editor", keeper, "abc")
        return (keyed, keyed) if keys_first else (aimed, keyed)

    with store.writing() as keeper:
        made = steps(keeper)
        return add(store, "approve", made, application="Editor", intent="Approve it", inputs=False)  # type: ignore[arg-type]


def looker(store: Repository, drawn: Drawn, *, keys_first: bool = False) -> Look:
    known = memory(store, drawn, keys_first=keys_first)
    targets = load_targets(known, store.blob)

    def look(seen: Frame, *, thorough: bool = True) -> StartState:
        return examine(known, targets, seen, drawn.screen, thorough=thorough)

    return look


def wiped(drawn: Drawn) -> Pixels:
    image, box = drawn.screen.copy(), drawn.button.grow(2)
    image[box.y : box.bottom, box.x : box.right] = 236
    return image


def test_the_recorded_screen_is_let_in(store: Repository) -> None:
    drawn = editor()

    found = looker(store, drawn)(frame(drawn.screen))

    assert found.first == 0
    assert found.probes["target 1"] == "there"


def test_a_dialog_in_front_is_refused_though_the_target_can_be_seen(store: Repository) -> None:
    drawn, box = editor(), Box(60, 250, 380, 170)
    image = drawn.screen.copy()
    dialog(image, box, RNG)

    with pytest.raises(StateMismatch) as no:
        looker(store, drawn)(frame(image, front=box, title="Question"))

    assert no.value.evidence["window"] == "Question"


@pytest.mark.parametrize(
    ("is_dialog", "said"),
    [
        (True, "the dialog 'Question' of Soffice is in front, the memory starts in Editor: answer or close"),
        (False, "Soffice is in front, the memory starts in Editor"),
    ],
)
def test_what_is_in_front_of_another_application_is_named(
    store: Repository, is_dialog: bool, said: str
) -> None:
    drawn = editor()
    seen = frame(drawn.screen, application="Soffice", title="Question")
    assert seen.window is not None
    seen = replace(seen, window=seen.window.model_copy(update={"dialog": is_dialog}))

    with pytest.raises(StateMismatch) as no:
        looker(store, drawn)(seen)

    assert str(no.value).startswith(said)
    assert no.value.evidence["active"] == "Soffice"


def test_a_target_that_was_wiped_away_is_missing(store: Repository) -> None:
    drawn = editor()

    with pytest.raises(MissingTarget):
        looker(store, drawn)(frame(wiped(drawn)))


def test_a_target_with_twins_is_left_to_the_step_that_aims_at_it(store: Repository) -> None:
    drawn = editor(twins=3)
    look = looker(store, drawn)

    with pytest.raises(AmbiguousTarget):
        look(frame(drawn.screen), thorough=False)
    found = look(frame(drawn.screen))

    assert "ambiguous_target" in str(found.probes["target 1"])


def test_of_twins_the_recorded_one_must_still_be_at_its_place(store: Repository) -> None:
    drawn = editor(twins=3)

    with pytest.raises(Rejected) as no:
        looker(store, drawn)(frame(wiped(drawn)))

    assert no.value.cause in ("ambiguous_target", "missing_target")


def test_a_memory_that_begins_with_keys_knows_its_window_by_landmarks(store: Repository) -> None:
    drawn = editor()

    found = looker(store, drawn, keys_first=True)(frame(drawn.screen))

    assert found.probes["landmarks"] == "they stand where they stood in the window"


def suite(kind: str) -> Drawn:
    """A program of a family: the first half of the menus and of a bar is the same in all of them."""
    screen = np.full((SIZE.height, SIZE.width, 3), 236, np.uint8)
    own = {"Letters": ("Table", "Form", "Tools", "Help"), "Sheets": ("Sheet", "Data", "Macro", "About")}
    for n, word in enumerate(("File", "Edit", "View", "Insert", *own[kind])):
        write(screen, word, (10 + 90 * n, 22))
    for n in range(48):
        other = 0 if n < 10 or kind == "Letters" else 500
        icon = np.random.default_rng(n + other).integers(40, 220, (5, 5), dtype=np.uint8)
        x, y = 10 + 31 * (n % 24), 36 + 32 * (n // 24)
        screen[y : y + 20, x : x + 20] = np.kron(icon, np.ones((4, 4), np.uint8))[..., None]
    for row in range(12):
        line = {"Letters": f"line {row} of the letter", "Sheets": f"{row * 71}    {row * 13}    {row * 7}"}
        write(screen, line[kind], (30, 140 + 30 * row))
    return Drawn(screen, Box(600, 400, 40, 20))


def test_keys_go_into_the_same_program_with_another_text(store: Repository) -> None:
    drawn = suite("Letters")
    image = drawn.screen.copy()
    image[110:] = 236
    write(image, "quite another text, of which nothing was there", (30, 170))

    assert looker(store, drawn, keys_first=True)(frame(image)).first == 0


def test_keys_go_into_no_program_that_has_only_the_first_menus_in_common(store: Repository) -> None:
    look = looker(store, suite("Letters"), keys_first=True)

    with pytest.raises(StateMismatch):
        look(frame(suite("Sheets").screen))


@pytest.mark.parametrize(("width", "scale"), [(1100, 1.0), (620, 1.0), (SIZE.width, 1.3), (SIZE.width, 0.7)])
def test_keys_go_into_the_window_elsewhere_wider_narrower_or_scaled(
    store: Repository, width: int, scale: float
) -> None:
    drawn = editor()
    look = looker(store, drawn, keys_first=True)
    screen, front = np.full((1000, 1300, 3), 90, np.uint8), Box(70, 40, width, SIZE.height)
    image = cv2.resize(drawn.screen, None, fx=scale, fy=scale)[:, :width]
    if scale != 1.0:
        front = Box(front.x, front.y, image.shape[1], image.shape[0])
    screen[front.y : front.bottom, front.x : front.right] = 236
    screen[front.y : front.y + image.shape[0], front.x : front.x + image.shape[1]] = image

    assert look(frame(screen, front=front)).first == 0


def test_a_memory_that_begins_with_keys_types_into_no_other_screen(store: Repository) -> None:
    look = looker(store, editor(), keys_first=True)

    with pytest.raises(StateMismatch) as no:
        look(frame(Drawn.of(3).screen))

    assert str(no.value.evidence["probes"]).count("landmarks") == 1


def test_a_memory_that_begins_with_keys_types_into_no_dialog(store: Repository) -> None:
    drawn, box = editor(), Box(60, 250, 380, 170)
    image = drawn.screen.copy()
    dialog(image, box, RNG)

    with pytest.raises(StateMismatch):
        looker(store, drawn, keys_first=True)(frame(image, front=box))


def test_a_target_that_is_gone_from_a_plain_screen_is_missing(store: Repository) -> None:
    plain = np.full((SIZE.height, SIZE.width, 3), 236, np.uint8)
    drawn = Drawn(plain.copy(), Box(300, 240, 110, 34))
    write(drawn.screen, "Approve", (316, 263))

    with pytest.raises(MissingTarget):
        looker(store, drawn)(frame(plain))


def test_another_application_is_refused_before_anything_is_looked_for(store: Repository) -> None:
    drawn = editor()

    with pytest.raises(StateMismatch) as no:
        looker(store, drawn)(frame(drawn.screen, application="Calculator"))

    assert no.value.evidence["active"] == "Calculator"


def opening(store: Repository, drawn: Drawn) -> Look:
    """A memory that opens a dialog and types into it."""
    with store.writing() as keeper:
        aimed, keyed = click(drawn, "Editor", keeper), typed(drawn, "Editor", keeper, "abc")
        before = keyed.evidence.before.model_copy(update={"window_title": "Replace", "dialog": True})
        inside = keyed.model_copy(update={"evidence": keyed.evidence.model_copy(update={"before": before})})
        known = add(
            store, "replace", (aimed, inside), application="Editor", intent="Replace it", inputs=False
        )
    targets = load_targets(known, store.blob)
    return lambda seen: examine(known, targets, seen, drawn.screen)


@pytest.mark.parametrize(
    ("title", "application", "let_in"),
    [("Replace", "Editor", False), ("Statistics", "Editor", True), ("Replace", "Browser", True)],
)
def test_a_dialog_that_the_memory_opens_must_not_be_open_behind_its_window(
    store: Repository, title: str, application: str, *, let_in: bool
) -> None:
    drawn = editor()
    seen = frame(drawn.screen)
    left = Window(id=2, title=title, application=application, box=Box(40, 40, 200, 90), dialog=True)
    seen = replace(seen, windows=(left, *seen.windows))
    look = opening(store, drawn)

    if let_in:
        assert look(seen).first == 0
    else:
        with pytest.raises(StateMismatch, match="open already") as no:
            look(seen)
        assert no.value.evidence["dialog"] == title


@pytest.mark.parametrize("keys_first", [False, True])
def test_a_menu_that_is_open_is_named_and_refused_before_any_click(
    store: Repository, *, keys_first: bool
) -> None:
    drawn = editor()
    look = looker(store, drawn, keys_first=keys_first)
    menu = Popup(box=Box(20, 200, 160, 120), menu=True)

    with pytest.raises(StateMismatch, match="a menu of Editor is open") as no:
        look(replace(frame(drawn.screen), popups=(menu,)))

    assert no.value.evidence["menu"] == [20, 200, 160, 120]


def test_a_memory_whose_first_target_stands_in_the_open_menu_starts(store: Repository) -> None:
    drawn = editor()
    look = looker(store, drawn)
    menu = Popup(box=drawn.button.grow(20), menu=True)

    assert look(replace(frame(drawn.screen), popups=(menu,))).probes["target 1"] == "there"


def test_a_popup_that_is_no_menu_keeps_nothing_from_starting(store: Repository) -> None:
    drawn = editor()
    look = looker(store, drawn)

    assert look(replace(frame(drawn.screen), popups=(Popup(box=Box(20, 200, 160, 120)),))).first == 0
