import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from ibtr import remember
from ibtr.geometry import Point
from memory_store.repository import Repository
from server.cli import cli, main
from server.commands.bench import NAMES, command
from server.diagnostics.cases import shows
from server.diagnostics.storage import line
from tests.memory_store.making import AT, make_memory
from tests.server.libraries import make_library

Run = Callable[..., Result]
QUICK = ("--most", "2")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("library") / "home", most=4)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("small") / "home", most=1)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))

    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(cli, ["bench", *map(str, arguments)])

    return invoke


def answer(result: Result) -> dict[str, Any]:
    assert result.exception is None, result.exception
    return dict(json.loads(result.stdout))


def figures(result: Result) -> dict[str, dict[str, Any]]:
    (found,) = answer(result)["diagnostics"]
    return {figure["what"]: figure for figure in found["figures"]}


def test_there_is_a_command_for_every_diagnostic_and_one_for_all() -> None:
    assert set(command.commands) == {*NAMES, "all"}


@pytest.mark.parametrize(
    ("name", "title", "figure"),
    [
        ("retrieval", "Retrieval stress test", "right memory first, 500 distractors"),
        ("reaim", "Target re-aiming", "scale 0.6-1.6: within 2 px"),
        ("storage", "Local storage footprint", "of each step"),
        ("gate", "State-gate calibration", "incompatible: refused"),
        ("rebind", "Flexible-input rebinding", "change to something fixed refused"),
    ],
)
def test_each_prints_our_figure_the_papers_and_n(
    run: Run, small: Path, name: str, title: str, figure: str
) -> None:
    done = run(name, "--library", small, *QUICK)

    lines = done.output.splitlines()
    assert done.exception is None, done.exception
    assert lines[0] == title
    assert lines[1].split()[:4] == ["ours", "paper", "goal", "n"]
    assert any(line.strip().startswith(figure) for line in lines)
    assert any(line.startswith("  · ") for line in lines)


def test_retrieval_finds_every_memory_among_the_distractors(run: Run, library: Path) -> None:
    found = figures(run("retrieval", "--library", library, "--json"))

    recalled = [found[f"right memory first, {count} distractors"] for count in (0, 50, 100, 200, 500)]
    assert [(one["ours"], one["paper"], one["n"]) for one in recalled] == [(100.0, 100.0, 4)] * 5
    assert found["accepted, and wrong"]["ours"] == 0


def test_reaiming_never_hits_a_wrong_place(run: Run, library: Path) -> None:
    found = figures(run("reaim", "--library", library, "--json", "--most", 4))

    assert found["original: accepted"]["n"] == 4
    assert found["original: accepted"]["paper"] == 95.5
    assert found["wrong place, of all that was accepted"]["ours"] == 0
    assert found["erased: refused"]["ours"] == 100


def test_storage_is_a_line_over_the_steps(run: Run, library: Path) -> None:
    found = figures(run("storage", "--library", library, "--json"))

    assert found["of each step"]["paper"] == 0.019
    assert 0 < found["of each step"]["ours"] < 0.019
    assert found["largest memory"]["ours"] < 1


@pytest.mark.parametrize("points", [[(1, 0.01), (2, 0.02), (3, 0.1)], [(2, 0.01), (2, 0.02)]])
def test_too_few_lengths_or_a_line_that_begins_below_nothing_give_no_figure(
    points: list[tuple[float, float]],
) -> None:
    assert line(points) is None
    assert line([(1, 0.03), (2, 0.04), (3, 0.05)]) == pytest.approx((0.02, 0.01))


def test_rebinding_does_what_was_declared_and_nothing_else(run: Run, library: Path) -> None:
    found = figures(run("rebind", "--library", library, "--json"))

    assert {(one["ours"], one["n"]) for one in found.values()} == {(100.0, 50)}


def test_the_gate_refuses_every_wrong_start_of_the_library(run: Run, small: Path) -> None:
    found = figures(run("gate", "--library", small, "--json", "--most", 7))

    assert found["incompatible: refused"]["ours"] == 100
    assert found["incompatible: refused"]["n"] == 7
    assert found["compatible: let in"]["paper"] == 98
    assert found["  as recorded"]["ours"] == 100


def test_charts_are_written_into_a_folder(run: Run, small: Path, tmp_path: Path) -> None:
    done = run("all", "--library", small, "--plot", tmp_path / "charts", "--json", "--most", 1)

    assert [one["name"] for one in answer(done)["diagnostics"]] == list(NAMES)
    for name in NAMES:
        chart = cv2.imread(str(tmp_path / "charts" / f"{name}.png"))
        assert chart is not None
        assert chart.shape == (760, 1280, 3)
        assert chart.std() > 5


def test_a_chart_is_written_into_a_file(run: Run, library: Path, tmp_path: Path) -> None:
    done = run("storage", "--library", library, "--plot", tmp_path / "deep" / "storage.png")

    assert f"chart: {tmp_path / 'deep' / 'storage.png'}" in done.output
    assert cv2.imread(str(tmp_path / "deep" / "storage.png")) is not None


def test_a_chart_that_cannot_be_written_is_told_in_a_line(run: Run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")

    blocked = run("storage", "--library", small, "--plot", tmp_path / "taken" / "chart.png")
    other = run("storage", "--library", small, "--plot", tmp_path / "chart.jpg")

    assert (blocked.exit_code, other.exit_code) == (1, 2)
    assert "Error: " in blocked.output
    assert ".png" in other.output


def test_the_users_own_library_is_measured_unless_another_is_named(run: Run, tmp_path: Path) -> None:
    make_library(tmp_path / "home", most=1)

    assert answer(run("storage", "--json"))["library"] == str(tmp_path / "home")


def test_what_the_demo_leaves_can_be_named_by_its_folder(run: Run, small: Path) -> None:
    done = run("storage", "--library", small.parent, "--json")

    assert answer(done)["library"] == str(small)


def test_one_memory_is_enough_for_a_line_through_its_beginnings(run: Run, tmp_path: Path) -> None:
    make_library(tmp_path / "home", most=1)

    (found,) = answer(run("storage", "--json"))["diagnostics"]

    assert "beginnings" in " ".join(found["conditions"])
    assert [point[0] for point in found["series"]["ours"]] == [1, 2, 3]


@pytest.mark.parametrize("name", [*NAMES, "all"])
def test_without_a_library_it_says_how_to_get_one(run: Run, tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bench", name, "--library", str(tmp_path / "nowhere")])

    assert left.value.code == 1
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_library_says_what_is_missing(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Repository(tmp_path / "home") as store:
        store.add(make_memory("only_a_candidate"), at=AT)

    with pytest.raises(SystemExit):
        main(["bench", "all"])

    said = capsys.readouterr().err
    assert "no active memory" in said
    assert "1 in all" in said
    assert "echopath demo" in said


def test_an_empty_library_answers_in_json_when_asked(run: Run, tmp_path: Path) -> None:
    with Repository(tmp_path / "home"):
        pass

    done = run("all", "--json")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"] == "LibraryTooSmall"


def test_a_broken_library_is_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "memories.db").write_bytes(b"this is no database" * 500)

    with pytest.raises(SystemExit) as left:
        main(["bench", "storage", "--library", str(folder)])

    assert left.value.code == 1
    assert capsys.readouterr().err.startswith("echopath: ")


def test_evidence_that_is_gone_is_left_out_and_named(run: Run, tmp_path: Path) -> None:
    make_library(tmp_path / "home", most=2)
    with Repository(tmp_path / "home") as store:
        gone = store.get("note_phone").steps[0].evidence.anchors[0].blobs["target"].sha256
    next((tmp_path / "home" / "blobs").rglob(gone)).unlink()

    (found,) = answer(run("reaim", "--json", *QUICK))["diagnostics"]

    assert list(found["left_out"]) == ["note_phone"]
    assert {f["n"] for f in found["figures"] if f["what"] == "original: accepted"} == {2}


def test_a_target_that_its_recorded_screen_does_not_show_is_no_case() -> None:
    """Under a tooltip it was cut from an earlier screen: not to find it there is right."""
    screen = np.full((300, 400, 3), 230, np.uint8)
    cv2.putText(screen, "Save", (150, 150), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1)
    evidence = remember(screen, Point(170, 145))
    covered = screen.copy()
    covered[120:170, 120:260] = 0

    assert shows(screen, evidence)
    assert not shows(covered, evidence)


def test_without_frames_reaiming_and_gate_say_what_is_missing(run: Run, tmp_path: Path) -> None:
    make_library(tmp_path / "home", most=2, frames=False)

    found = answer(run("all", "--json"))

    assert set(found["not_measured"]) == {"reaim", "gate"}
    assert "keep_frames" in found["not_measured"]["gate"]


def test_without_inputs_rebinding_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    make_library(tmp_path / "home", most=1, inputs=False)

    done = run("rebind")

    assert done.exit_code == 1
    assert "flexible_inputs" in done.output
