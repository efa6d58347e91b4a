from dataclasses import replace
from pathlib import Path

import pytest

from actionlens.actions import Click, Type
from actionlens.controller import Frame
from actionlens.frames import Pixels
from actionlens.run_reader import Run
from ibtr.geometry import Point, Size
from memory_store.consolidate import consolidate
from memory_store.models import Memory
from memory_store.repository import Repository
from memory_store.transfer import new_memory_id
from server.preview import draw, sight
from server.tools import consolidate as tool
from tests.memory_store.recording import AT, SIZE, Recording, all_of, blank, box, words

SAVE = all_of(
    box(300, 200, 90, 26, 200), words("Save", 318, 218), words("Name", 40, 60), box(120, 44, 150, 22, 220)
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    recording = Recording(tmp_path / "runs", goal="Save it")
    SAVE(recording.pixels)
    recording.do(Click(x=345, y=213), words("Saved", 450, 238), target="Save", expect="it says Saved")
    recording.do(Type(text="done"), words("done", 130, 60))
    return recording.read()


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> tuple[Memory, Repository]:
    store = Repository(tmp_path / "home")
    chosen = {
        "selected_step_ids": [1, 2],
        "task_intent": "Save it",
        "query_phrases": ["save"],
        "viable": True,
        "recommendation": "promote",
    }
    with store.writing() as keeper:
        made = consolidate(run, chosen, memory_id=new_memory_id(), keep=keeper, at=AT)
        return store.add(made.memory, at=AT), store


def _frame(pixels: Pixels) -> Frame:
    return Frame(pixels, AT, SIZE, Point(0, 0), None, None, ())


def test_a_visible_target_is_found_and_drawn_and_keys_have_none(
    run: Run, kept: tuple[Memory, Repository]
) -> None:
    memory, store = kept
    screen = run.frame(run.steps[0].before)

    click, keys = sight(memory, store.blob, screen)
    drawn = draw(_frame(screen), [click, keys])

    assert max(abs(click.points_px[0].x - 345), abs(click.points_px[0].y - 213)) <= 1
    assert click.line(SIZE, SIZE).startswith('1. click on "Save": at 345,213 (score ')
    assert keys.line(SIZE, SIZE) == "2. type 'done': no target"
    assert (drawn.pixels != screen).any()
    assert (screen == run.frame(run.steps[0].before)).all()


def test_a_target_that_is_not_there_is_named_with_its_cause(kept: tuple[Memory, Repository]) -> None:
    memory, store = kept

    click, _ = sight(memory, store.blob, blank())

    assert click.points_px == ()
    assert "missing_target" in click.line(SIZE, SIZE)


def test_a_preview_is_told_in_the_shown_picture_s_pixels(run: Run, kept: tuple[Memory, Repository]) -> None:
    memory, store = kept
    click, _ = sight(memory, store.blob, run.frame(run.steps[0].before))

    moved = replace(click, points_px=(Point(344, 212),))

    assert "at 172,106" in moved.line(Size(320, 180), SIZE)


def test_a_long_run_is_read_in_bounds(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tool._reading(run)
    monkeypatch.setattr(tool, "_LONGEST", 300)

    short = tool._reading(run)

    assert "left_out" not in whole
    assert whole["steps"][0]["expect"] == "it says Saved"
    assert "echopath://runs/" in short["left_out"]
    assert "expect" not in str(short["steps"])
