import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ibtr import Aim
from ibtr.errors import RejectCause
from memory_store.models import JsonObject, MemoryId, ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.cli import cli, main
from server.fallback import StopCause
from server.next_command import next_command
from server.replay.aiming import Aimed, find_all
from server.replay.placing import report_of
from server.report import Report
from server.report_page import report_page
from tests.memory_store.making import add_active, later, replay
from tests.server.processes import run_cli
from tests.server.test_ahead import EVIDENCE, PLACES, frame


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return tmp_path / "home"


@pytest.fixture
def ledger(home: Path) -> None:
    with Repository(home) as store:
        phone, mail = (add_active(store, name, seed=n) for n, name in enumerate(("phone", "mail"), 1))
        store.record_replay(replay(phone.id, 1, Ending.VERIFIED), at=later(1))
        store.record_replay(replay(mail.id, 2, Ending.STOPPED), at=later(2))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments), catch_exceptions=True)


def test_without_replays_the_list_says_so(home: Path) -> None:
    assert run("replays", "list").output == "no replays yet\n"
    assert json.loads(run("replays", "list", "--json").output) == []


@pytest.mark.usefixtures("ledger")
def test_replays_are_listed_newest_first_and_by_memory() -> None:
    everything = json.loads(run("replays", "list", "--json").output)
    of_one = json.loads(run("replays", "list", "--memory", "phone", "--json").output)

    assert [row["memory"] for row in everything] == ["mail", "phone"]
    assert [row["ending"] for row in of_one] == ["verified"]
    assert "mail" in run("replays", "list").output


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("words", [("replays", "show"), ("report",)])
def test_one_replay_is_told_in_words_and_as_json(words: tuple[str, ...]) -> None:
    known = json.loads(run("replays", "list", "--json").output)[0]["replay_id"]

    assert f"{known}  mail  stopped" in run(*words, known).output
    told = json.loads(run(*words, known, "--json").output)
    assert (told["replay_id"], told["replay"]["ending"]) == (known, "stopped")


@pytest.mark.parametrize("words", [("replays", "show"), ("report",)])
def test_how_a_target_was_seen_is_told(home: Path, words: tuple[str, ...]) -> None:
    aimed = Aimed((replace(_aim(), representation="redrawn"),), frame(PLACES[0]), 0.0, 0.0)
    note: JsonObject = {"step": 1, "action": "click", "binding": "re-aimed", **report_of(aimed)}
    with Repository(home) as store:
        done = replay(add_active(store, "phone").id, 1, Ending.VERIFIED)
        store.record_replay(done.model_copy(update={"detail": {"steps": [note]}}), at=later(1))

    told = run(*words, done.id).output
    as_json = json.loads(run(*words, done.id, "--json").output)

    assert "seen as" in told
    assert "redrawn" in told
    assert as_json["replay"]["detail"]["steps"][0]["representation"] == "redrawn"


def test_a_page_explains_its_marks_and_names_the_store_that_it_is_about(tmp_path: Path) -> None:
    done = replay(MemoryId("m_" + "1" * 16), 1, Ending.VERIFIED).model_copy(
        update={"detail": {"runs": ["run-1"]}}
    )

    page = report_page(done, "phone", tmp_path, command="env ECHOPATH_HOME=/there echopath")

    assert "env ECHOPATH_HOME=/there echopath runs show run-1" in page
    for mark in ("red cross", "blue triangle", "rebound", "copied", "gray"):
        assert mark in page


def _aim() -> Aim:
    (found,) = find_all((EVIDENCE,), PLACES[0])
    return found


@pytest.mark.usefixtures("ledger")
def test_a_replay_becomes_a_page_of_its_own_that_loads_nothing(tmp_path: Path) -> None:
    known = json.loads(run("replays", "list", "--json").output)[0]["replay_id"]
    page = tmp_path / "report.html"

    run("report", known, "--html", str(page))

    text = page.read_text()
    assert "stopped</span>" in text
    assert known in text
    assert "\x1b" not in text
    assert "http" not in text.replace("http-equiv", "")


@pytest.mark.parametrize("words", [("replays", "show", "r1"), ("report", "r1"), ("replay", "no_such_memory")])
def test_what_is_not_there_is_one_line(
    home: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(list(words))

    said = capsys.readouterr().err
    assert end.value.code == 1
    assert said.startswith("echopath: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("given", [["phone"], ["=1"], ["a=1", "a=2"]])
def test_an_input_that_is_no_pair_is_refused(home: Path, given: list[str]) -> None:
    done = run("replay", "x", *(part for one in given for part in ("--input", one)))

    assert done.exit_code == 2
    assert "--input" in done.output


@pytest.mark.parametrize("ending", Ending)
def test_a_script_can_tell_a_verified_replay_from_one_that_nothing_has_verified(
    home: Path, monkeypatch: pytest.MonkeyPatch, ending: Ending
) -> None:
    async def ended(*_: object) -> Report:
        return Report(replay_id=ReplayId("r1"), memory="phone", ending=ending, summary="over")

    monkeypatch.setattr("server.replay_once.replay_once", ended)

    done = run("replay", "phone")

    assert done.exit_code == {Ending.VERIFIED: 0, Ending.DONE_UNVERIFIED: 3}.get(ending, 1)


@pytest.mark.desktop
def test_a_replay_on_an_empty_desktop_is_refused_told_and_kept(
    home: Path, tmp_path: Path, x_server: None
) -> None:
    with Repository(home) as store:
        add_active(store, "phone", seed=1)

    done = run_cli(tmp_path, "replay", "phone", "--json")

    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert told["ending"] == "rejected"
    row = json.loads(run("replays", "list", "--json").output)[0]
    assert (row["replay_id"], row["cause"]) == (told["replay_id"], told["cause"])
    assert told["cause"] in run("report", told["replay_id"]).output


@pytest.mark.desktop
def test_a_replay_that_needs_a_yes_does_not_run_where_nobody_can_say_it(home: Path, tmp_path: Path) -> None:
    with Repository(home) as store:
        add_active(store, "phone", seed=1)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "policy.toml").write_text('confirm = ["all"]')

    told = json.loads(run_cli(tmp_path, "replay", "phone", "--json").stdout)

    plain = run_cli(tmp_path, "replay", "phone")

    assert told["evidence"] == {"rule": "confirm", "answer": False}
    assert "nobody could be asked" in plain.stdout
    assert "--yes" in plain.stdout
    assert "report none" not in plain.stdout + plain.stderr


@pytest.mark.parametrize("words", [("replays", "show"), ("report",)])
def test_a_refusal_names_the_number_that_failed_and_what_to_type_next(
    home: Path, words: tuple[str, ...]
) -> None:
    seen: JsonObject = {"score": 0.88, "spot": 0.52, "core": 0.9, "weakest": 0.7, "window": "Untitled"}
    with Repository(home) as store:
        known = replay(add_active(store, "phone").id, 1, Ending.STOPPED)
        detail: JsonObject = {"step": 2, "says": "no place shows it", "evidence": seen}
        refused = known.model_copy(update={"cause": "missing_target", "detail": detail})
        store.record_replay(refused, at=later(1))

    lines = run(*words, refused.id).output.splitlines()

    assert "the nearest place: what is under the click 0.52 (needs 0.8)" in lines
    assert "  window  Untitled" in lines
    assert not any(line.split()[:1] == ["core"] for line in lines)
    assert any(f"echopath report {refused.id} --html" in line for line in lines if line.startswith("next: "))


@pytest.mark.parametrize("cause", [*RejectCause, *StopCause])
def test_every_cause_says_what_a_person_does_next(cause: str) -> None:
    says = next_command(cause, {}, replay_id="r1", memory="phone")

    assert says.startswith("next: ")
    assert "{" not in says
