"""The other commands for memories: listed, shown, branched, verified, ended."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memory_store.repository import Repository
from server.cli import cli
from server.commands.memories import command
from tests.server.memories_command.told import Run, answer, damage
from tests.server.processes import ROOT


def test_the_group_is_part_of_the_command_line() -> None:
    assert "memories" in CliRunner().invoke(cli, ["--help"]).output
    assert set(command.commands) >= set(
        "list show diff promote reject quarantine deprecate branch merge export import verify log".split()
    )


@pytest.mark.parametrize("name", sorted(command.commands))
def test_every_command_speaks_json(name: str) -> None:
    assert "as_json" in {parameter.name for parameter in command.commands[name].params}


def test_an_empty_store_says_so(run: Run) -> None:
    assert run("list").output == "no memories yet\n"
    assert run("log").output == "nothing has happened yet\n"
    assert run("verify").exit_code == 0


@pytest.mark.usefixtures("store")
def test_list_shows_each_memory_in_a_line(run: Run) -> None:
    lines = run("list").output.splitlines()
    only = json.loads(run("list", "--state", "active", "--json").output)

    assert [line.split()[:2] for line in lines[1:]] == [
        ["update_phone", "active"],
        ["other", "candidate"],
        ["unproven", "candidate"],
    ]
    assert [(row["tool_name"], row["steps"], row["inputs"], row["replays"]) for row in only] == [
        ("update_phone", 3, ["phone"], 2)
    ]


def test_a_damaged_memory_is_listed_as_such_and_hides_no_other(run: Run, home: Path, store: None) -> None:
    damage(home, "other")

    lines = run("list").output.splitlines()
    rows = {row["tool_name"]: row for row in json.loads(run("list", "--json").output)}

    assert [line.split()[0] for line in lines[1:]] == ["update_phone", "unproven", "other"]
    assert "cannot be read" in lines[-1]
    assert set(rows) == {"update_phone", "unproven", "other"}
    assert (rows["other"]["lifecycle"], "damaged" in rows["other"]) == ("candidate", True)


@pytest.mark.usefixtures("store")
def test_show_tells_everything_and_draws_the_filmstrip(run: Run, tmp_path: Path) -> None:
    text = run("show", "update_phone", "--filmstrip", tmp_path / "film.png").output
    facts = answer(run("show", "unproven", "--json"))

    assert "phone field" in text
    assert "555-0100" in text
    numbers = [line.split()[0] for line in text.partition("shared by")[2].splitlines()[1:4]]
    assert numbers == ["1", "2", "3"]
    assert (tmp_path / "film.png").read_bytes().startswith(b"\x89PNG")
    assert isinstance(facts["blockers"], list)
    assert [each["code"] for each in facts["blockers"]] == ["validation_absent"]


@pytest.mark.usefixtures("store")
def test_a_memory_is_not_merged_with_itself(run: Run) -> None:
    refused = run("merge", "other", "other", "--json")

    assert (refused.exit_code, answer(refused)["error"]) == (1, "InvalidMemory")
    assert answer(refused)["evidence"] == {
        "field": "other",
        "problem": "other is other itself; name another memory",
    }


@pytest.mark.usefixtures("store")
def test_a_memory_lives_and_ends_by_command(run: Run) -> None:
    assert (
        answer(run("quarantine", "update_phone", "--because", "odd", "--json"))["lifecycle"] == "quarantined"
    )
    assert answer(run("reject", "other", "--because", "wrong", "--json"))["lifecycle"] == "rejected"
    assert answer(run("deprecate", "other", "--because", "old", "--json"))["lifecycle"] == "deprecated"
    assert answer(run("rename", "unproven", "proven", "--json"))["tool_name"] == "proven"
    illegal = run("promote", "other", "--json")
    events = json.loads(run("log", "--json").output)

    assert (illegal.exit_code, answer(illegal)["error"]) == (1, "IllegalTransition")
    assert [event["event"] for event in events[:4]] == ["renamed", "deprecated", "rejected", "quarantined"]
    assert "odd" in run("log", "update_phone").output


@pytest.mark.usefixtures("store")
def test_a_reason_is_required_where_something_is_taken_away(run: Run) -> None:
    for name in ("reject", "quarantine", "deprecate"):
        assert run(name, "update_phone").exit_code == 2


@pytest.mark.usefixtures("store")
def test_branch_merge_and_diff_by_command(run: Run) -> None:
    child = answer(run("branch", "update_phone", "--name", "child", "--intent", "Something else", "--json"))
    merged = answer(run("merge", "update_phone", "child", "--name", "both", "--json"))
    found = answer(run("diff", "update_phone", "child", "--json"))
    text = run("diff", "update_phone", "child").output

    assert (child["tool_name"], merged["tool_name"]) == ("child", "both")
    assert isinstance(found["other"], list)
    assert [change["field"] for change in found["other"]] == ["keys.task_intent", "reasoning.warnings"]
    assert "+ Something else" in text
    assert run("diff", "child", "child").output == "no difference\n"


@pytest.mark.usefixtures("store")
def test_memories_are_listed_where_the_system_has_no_file_locks_and_changes_are_refused(home: Path) -> None:
    def echopath(*words: str) -> "subprocess.CompletedProcess[str]":
        without = "import sys; sys.modules['fcntl'] = None; from server.cli import main; main()"
        command = [sys.executable, "-c", without, *words]
        env = {**os.environ, "ECHOPATH_HOME": str(home), "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=ROOT)

    listed = echopath("memories", "list")
    collected = echopath("memories", "gc")

    assert (listed.returncode, listed.stderr) == (0, "")
    assert "update_phone" in listed.stdout
    assert collected.returncode == 1
    assert "no file locks" in collected.stderr
    assert "Traceback" not in collected.stderr


@pytest.mark.usefixtures("store")
def test_verify_fails_loudly_when_evidence_was_changed(run: Run, home: Path) -> None:
    sound = run("verify")
    next((home / "blobs").glob("??/*")).write_bytes(b"changed")
    damaged = run("verify", "--json")

    assert sound.exit_code == 0
    assert sound.output.startswith("sound: 3 memories")
    assert (damaged.exit_code, answer(damaged)["sound"]) == (1, False)


@pytest.mark.usefixtures("store")
def test_gc_reports_what_it_removed(run: Run, home: Path) -> None:
    with Repository(home) as repository, repository.writing() as keeper:
        keeper.keep(b"stray")

    assert answer(run("gc", "--json")) == {"removed": 1, "bytes": 5}


def test_an_unknown_memory_is_one_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from server.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["memories", "show", "nobody"])

    assert ended.value.code == 1
    assert "no memory has the id or name 'nobody'; find_memory or" in capsys.readouterr().err


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("branch", "other", "--phrase", ""), "--phrase"),
        (("branch", "other", "--intent", "x" * 3000), "--intent"),
        (("promote", "other", "--confirmed", "x" * 3000), "--confirmed"),
        (("reject", "unproven", "--because", "x" * 3000), "--because"),
        (("rename", "other", "Not A Name"), "tool_name"),
    ],
)
def test_words_that_no_record_can_hold_are_refused_by_their_option(
    run: Run, words: tuple[str, ...], option: str
) -> None:
    plain, listed = run(*words), run(*words, "--json")

    for told in (plain, listed):
        assert told.exit_code in (1, 2)
        assert isinstance(told.exception, SystemExit)
        assert option in told.output
    assert "message" in answer(listed)


@pytest.mark.usefixtures("store")
def test_one_of_something_is_told_as_one(run: Run, tmp_path: Path) -> None:
    assert "1 memory written" in run("export", "other", "--to", tmp_path / "a.bundle").output
    assert "3 memories, " in run("verify").output
