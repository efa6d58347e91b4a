"""A target that reads what this replay has typed, on pictures of a page."""

from pathlib import Path

import pytest

from actionlens.frames import Pixels
from actionlens.recorder import Done
from actionlens.records import StepId, StepStatus
from ibtr.crops import remember
from ibtr.errors import MissingTarget
from ibtr.geometry import Box, Point
from memory_store.bindings import bind
from memory_store.echo import Echo, learn, letters_of
from memory_store.models import ReplayId
from memory_store.repository import Repository
from server.replay.aiming import find_all
from server.replay.echoing import Echoed, Typed, hear
from server.replay.session import Session
from server.replay.targets import load_targets
from tests.memory_store.making import AT
from tests.memory_store.recording import all_of, blank, box, words
from tests.server.libraries import Drawn, add, click, typed
from tests.server.test_start_state import frame

FIELD = all_of(box(100, 40, 300, 1), box(100, 66, 300, 1), box(100, 40, 1, 27), box(399, 40, 1, 27))
FOCUS, ROW = Point(280, 52), Point(120, 136)


def _page(typed: str, row: str) -> Pixels:
    pixels = blank()
    all_of(FIELD, words(typed, 105, 58), words(row, 104, 140, 90))(pixels)
    return pixels


def _echo() -> Echo:
    letters = letters_of(_page("", "Globex"), _page("Globex", "Globex"), FOCUS, "Globex")
    assert letters is not None
    echo = learn(letters, _page("Globex", "Globex"), ROW, "client", 1)
    assert echo is not None
    return echo


def _echoed(after: Pixels, *, at_once: bool) -> Echoed:
    evidence = remember(_page("Globex", "Globex"), ROW)
    return Echoed(evidence, _echo(), Typed("Initech", _page("", "Hooli"), after, FOCUS), at_once=at_once)


def test_the_row_that_reads_the_new_value_is_the_target() -> None:
    screen = _page("Initech", "Initech")

    (aim,) = find_all((_echoed(screen, at_once=False),), screen)

    assert aim.box.contains(aim.point)
    assert aim.box.contains(ROW)
    assert aim.representation == "typed"


def test_a_row_that_reads_another_value_is_not() -> None:
    screen = _page("Initech", "Globex")

    with pytest.raises(MissingTarget, match="no place reads 'Initech', the client"):
        find_all((_echoed(screen, at_once=False),), screen)


def test_until_its_value_is_typed_the_target_is_nowhere_however_the_recorded_one_stands_there() -> None:
    screen = _page("Globex", "Globex")

    with pytest.raises(MissingTarget) as no:
        find_all((Echoed(remember(screen, ROW), _echo()),), screen)

    assert no.value.evidence["text"] == "client"


def test_a_replay_that_has_typed_the_value_looks_for_it(tmp_path: Path) -> None:
    recorded = Drawn(_page("Globex", "Globex"), Box(round(ROW.x) - 10, round(ROW.y) - 6, 20, 12))
    with Repository(tmp_path / "home") as store:
        with store.writing() as keeper:
            aimed = click(recorded, "Clients", keeper)
            anchors = (*aimed.evidence.anchors, _echo().anchor())
            row = aimed.model_copy(
                update={"evidence": aimed.evidence.model_copy(update={"anchors": anchors})}
            )
            keys = typed(recorded, "Clients", keeper, "Globex")
            memory = add(store, "show", (keys, keys, row), application="Clients", intent="Show a client")
        session = Session(ReplayId("one"), memory, bind(memory, {"text": "Initech"}), AT)
        session.targets = load_targets(memory, store.blob)
    empty, screen = _page("", "Hooli"), _page("Initech", "Initech")
    done = Done(StepId(2), StepStatus.OK, None, frame(empty), frame(screen), None, {}, {})

    with pytest.raises(MissingTarget):
        find_all(session.targets[2], recorded.screen)
    hear(session, 1, session.bound.actions[0], done, FOCUS)

    (aim,) = find_all(session.targets[2], screen)
    assert aim.representation == "typed"


def test_a_text_that_was_painted_late_is_read_on_the_screen_of_now_if_nothing_was_done_since() -> None:
    not_yet, screen = _page("", "Hooli"), _page("Initech", "Initech")

    (aim,) = find_all((_echoed(not_yet, at_once=True),), screen)

    assert aim.box.contains(ROW)
    with pytest.raises(MissingTarget):
        find_all((_echoed(not_yet, at_once=False),), screen)
