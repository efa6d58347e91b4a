"""The peers' harness, with the one peer that our own venv holds: pyscreeze comes with PyAutoGUI."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.peers.child import Child, Told
from bench.peers.tally import Tally, by_condition, outcome, summary
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from server.diagnostics.scenes import Scene

BOX = Box(60, 30, 20, 10)


@pytest.fixture
def screen() -> Pixels:
    return np.random.default_rng(1).integers(0, 255, (90, 160, 3), np.uint8)


def test_a_peer_is_asked_in_its_own_process_and_answers_with_a_point_or_a_refusal(
    tmp_path: Path, screen: Pixels
) -> None:
    crop, here, gone = tmp_path / "crop.png", tmp_path / "here.bmp", tmp_path / "gone.bmp"
    cv2.imwrite(str(crop), screen[30:40, 60:80])
    cv2.imwrite(str(here), screen)
    cv2.imwrite(str(gone), 255 - screen)

    with Child(Path(sys.executable), "pyautogui-confidence", tmp_path / "log") as peer:
        found = peer.ask(crop, here, (160, 90), Point(70, 35))
        refused = peer.ask(crop, gone, (160, 90), Point(70, 35))

    assert found.point == Point(70, 35)
    assert refused.point is None
    assert refused.says == ""


def test_a_peer_that_dies_has_not_found_it_and_is_there_for_the_next_question(
    tmp_path: Path, screen: Pixels
) -> None:
    crop, here = tmp_path / "crop.png", tmp_path / "here.bmp"
    cv2.imwrite(str(crop), screen[30:40, 60:80])
    cv2.imwrite(str(here), screen)

    with Child(Path(sys.executable), "pyautogui", tmp_path / "log") as peer:
        died = peer.ask(tmp_path / "none.png", Path("\0"), (160, 90), Point(70, 35))
        found = peer.ask(crop, here, (160, 90), Point(70, 35))

    assert died.point is None
    assert died.says
    assert found.point == Point(70, 35)


@pytest.mark.parametrize(
    ("point", "came"),
    [
        (Point(71, 36), "right"),
        (Point(61, 31), "off"),
        (Point(11, 31), "copy"),
        (Point(140, 80), "wrong"),
        (None, "refused"),
    ],
)
def test_where_a_searcher_would_click_is_judged_by_the_true_box(
    screen: Pixels, point: Point | None, came: str
) -> None:
    scene = Scene(screen, Point(70, 35), BOX, (Box(10, 30, 20, 10),))

    assert outcome(Told(point, 1.0), scene) == came


def test_a_click_where_nothing_is_left_to_click_is_an_accepted_one(screen: Pixels) -> None:
    assert outcome(Told(Point(70, 35), 1.0), Scene(screen, None, None)) == "accepted"


def test_a_peer_that_could_not_be_installed_is_in_the_table(screen: Pixels) -> None:
    ours = Tally("EchoPath")
    ours.add("original", Told(Point(70, 35), 12.0), Scene(screen, Point(70, 35), BOX))

    table = summary([ours], {"Airtest": "no wheel"})

    assert "| EchoPath | 100.0 % |" in table[2]
    assert table[3].startswith("| Airtest | could not be installed: no wheel |")
    assert len({line.count("|") for line in table}) == 1
    assert "100.0 % / 0.0 %" in by_condition([ours])[2]
