import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memory_store.models import Attestation, Lifecycle, NotAgain, NotAgainCause, StoredEvaluator, Validation
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from server.cli import cli
from server.commands.memories import command
from tests.memory_store.making import AT, add_active, add_memory, later, make_memory, replay, verdict
from tests.server.processes import ROOT

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ECHOPATH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(cli, ["memories", *(str(each) for each in arguments)])

    return invoke


@pytest.fixture
def store(home: Path) -> None:
    with Repository(home) as repository:
        active = add_active(repository, "update_phone", seed=1)
        add_memory(repository, "other", seed=2)
        repository.add(make_memory("unproven"), at=AT)
        repository.record_replay(replay(active.id, 1, Ending.VERIFIED), at=later(3))
        repository.record_replay(replay(active.id, 2, Ending.REJECTED, "missing_target", sent=0), at=later(4))


def answer(result: Result) -> dict[str, object]:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return dict(json.loads(result.output))


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


def damage(home: Path, name: str) -> None:
    with sqlite3.connect(home / "memories.db") as raw:
        raw.execute("UPDATE memories SET document = '{' WHERE tool_name = ?", [name])
    raw.close()


def test_a_damaged_memory_is_listed_as_such_and_hides_no_other(run: Run, home: Path, store: None) -> None:
    damage(home, "other")

    lines = run("list").output.splitlines()
    rows = {row["tool_name"]: row for row in json.loads(run("list", "--json").output)}

    assert [line.split()[0] for line in lines[1:]] == ["update_phone", "unproven", "other"]
    assert "cannot be read" in lines[-1]
    assert set(rows) == {"update_phone", "unproven", "other"}
    assert (rows["other"]["lifecycle"], "damaged" in rows["other"]) == ("candidate", True)


def test_a_damaged_memory_does_not_keep_others_from_being_exported(
    run: Run, home: Path, store: None, tmp_path: Path
) -> None:
    with Repository(home) as repository:
        repository.promote("other", at=later(1))
    damage(home, "update_phone")

    named = run("export", "other", "--to", tmp_path / "named.zip")
    everything = answer(run("export", "--all", "--to", tmp_path / "all.zip", "--json"))
    itself = run("export", "update_phone", "--to", tmp_path / "itself.zip", "--json")

    assert named.exit_code == 0, named.output
    assert everything["memories"] == ["other"]
    assert [one["tool_name"] for one in everything["damaged"]] == ["update_phone"]  # type: ignore[attr-defined]
    assert (itself.exit_code, answer(itself)["error"]) == (1, "StoreCorrupt")


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
def test_promote_names_every_blocker_and_takes_a_persons_word(run: Run, home: Path) -> None:
    refused = run("promote", "unproven")
    refused_json = run("promote", "unproven", "--json")
    done = run("promote", "unproven", "--confirmed", "the number is in the sheet")

    assert (refused.exit_code, "validation_absent" in refused.output) == (1, True)
    assert (refused_json.exit_code, answer(refused_json)["error"]) == (1, "PromotionRefused")
    assert done.exit_code == 0
    with Repository(home) as repository:
        assert repository.get("unproven").lifecycle is Lifecycle.ACTIVE


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["promote", "other", "--confirmed", ""], "--confirmed"),
        (["promote", "other", "--confirmed", "  "], "--confirmed"),
        (["promote", "other", "--confirmed", "x" * 3000], "--confirmed"),
        (["quarantine", "update_phone", "--because", ""], "--because"),
        (["reject", "other", "--because", " "], "--because"),
        (["deprecate", "other", "--because", ""], "--because"),
    ],
)
def test_a_word_that_is_asked_for_is_not_taken_empty(
    run: Run, home: Path, store: None, arguments: list[str], option: str
) -> None:
    with Repository(home) as repository:
        before = repository.revision()

    refused = run(*arguments)

    assert (refused.exit_code, option in refused.output) == (2, True)
    with Repository(home) as repository:
        assert repository.revision() == before


@pytest.mark.usefixtures("store")
def test_a_memory_is_not_merged_with_itself(run: Run) -> None:
    refused = run("merge", "other", "other", "--json")

    assert (refused.exit_code, answer(refused)["error"]) == (1, "InvalidMemory")
    assert answer(refused)["evidence"] == {
        "field": "other",
        "problem": "other is other itself; name another memory",
    }


@pytest.mark.parametrize("allowed", [True, False])
def test_the_settings_decide_whether_a_host_s_word_promotes(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    with Repository(home) as repository:
        claimed = verdict(attestation=Attestation.HOST)
        repository.add(make_memory("claimed", with_verdict=claimed), at=AT)
    monkeypatch.setenv("ECHOPATH_ALLOW_HOST_ATTESTED", str(allowed).lower())

    shown = answer(run("show", "claimed", "--json"))
    done = run("promote", "claimed")

    assert (shown["blockers"] == []) is allowed
    assert (done.exit_code == 0) is allowed


def test_promote_says_which_step_works_only_once(run: Run, home: Path) -> None:
    no = NotAgain(step=1, cause=NotAgainCause.TARGET_CHANGED, why="the box is ticked", do="put it back")
    with Repository(home) as repository:
        for name in ("plain", "listed"):
            memory = make_memory(name)
            told = {"not_again": (no,), "warnings": ("step 1: may work only once",)}
            reasoning = memory.reasoning.model_copy(update=told)
            repository.add(memory.model_copy(update={"reasoning": reasoning}), at=AT)

    plain = run("promote", "plain", "--confirmed", "seen")
    listed = answer(run("promote", "listed", "--confirmed", "seen", "--json"))

    assert "step 1: may work only once" in plain.output
    assert listed["works_once"] == [no.model_dump(mode="json")]


@pytest.mark.usefixtures("store")
def test_what_was_quarantined_comes_back_by_checking_again(run: Run, home: Path, tmp_path: Path) -> None:
    artifact = tmp_path / "clients.csv"
    artifact.write_text("Globex,555-0100")
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    with Repository(home) as repository:
        validation = Validation(evaluator=StoredEvaluator.model_validate(spec), verdict=verdict())
        made = make_memory("checked").model_copy(update={"validation": validation})
        repository.promote(repository.add(made, at=AT).id, at=AT)
    run("quarantine", "checked", "--because", "odd")

    refused = run("promote", "checked")
    both = run("promote", "checked", "--check-again", "--confirmed", "seen")
    done = run("promote", "checked", "--check-again")

    assert (refused.exit_code, both.exit_code, done.exit_code) == (1, 2, 0)
    assert "--check-again" in refused.output
    assert "checked is active" in done.output


@pytest.mark.usefixtures("store")
def test_what_was_imported_says_how_it_comes_into_use_and_how_a_taken_name_is_passed(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "out.zip"
    run("export", "update_phone", "--to", bundle)
    again = run("import", bundle, "--json")
    monkeypatch.setenv("ECHOPATH_HOME", str(home.parent / "elsewhere"))
    with Repository(home.parent / "elsewhere") as repository:
        add_memory(repository, "update_phone", seed=7)
    taken = run("import", bundle, "--json")
    run("import", bundle, "--rename", "update_phone=theirs")
    refused = run("promote", "theirs")
    done = run("promote", "theirs", "--confirmed", "the number is in the sheet")

    assert "--rename update_phone=NEW" in str(answer(again)["message"])
    assert "'update_phone' already belongs to" in str(answer(taken)["message"])
    assert "--rename OLD=NEW" in str(answer(taken)["message"])
    assert 'memories promote theirs --confirmed "what you saw"' in refused.output
    assert done.exit_code == 0


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
def test_memories_are_shared_through_a_file(
    run: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "out.zip"
    assert run("export", "update_phone", "other", "--to", bundle).exit_code == 0
    assert run("export", "update_phone", "--to", bundle).exit_code == 2
    assert run("export", "--to", tmp_path / "none.zip").exit_code == 2
    assert answer(run("export", "--all", "--to", bundle, "--force", "--json"))["memories"] == ["update_phone"]
    clash = run("import", bundle, "--json")
    monkeypatch.setenv("ECHOPATH_HOME", str(home.parent / "elsewhere"))
    arrived = answer(run("import", bundle, "--rename", "update_phone=theirs", "--json"))

    assert (clash.exit_code, answer(clash)["error"]) == (1, "BundleRefused")
    assert isinstance(arrived["imported"], list)
    assert [(each["tool_name"], each["lifecycle"]) for each in arrived["imported"]] == [
        ("theirs", "candidate")
    ]


@pytest.mark.usefixtures("store")
def test_exporting_everything_where_nothing_is_active_says_so(run: Run, home: Path, tmp_path: Path) -> None:
    with Repository(home) as repository:
        for memory in repository.memories(Lifecycle.ACTIVE):
            repository.deprecate(memory.id, at=AT, because="a test")

    result = run("export", "--all", "--to", tmp_path / "none.zip")

    assert result.exit_code == 1
    assert "no memory is active" in result.output


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


def test_a_bundle_is_a_regular_file_of_bounded_size(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in ("/dev/zero", tmp_path / "pipe", tmp_path):
        refused = run("import", path, "--json")
        assert refused.exit_code == 1
        assert answer(refused)["error"] == "BundleRefused"


@pytest.mark.usefixtures("store")
def test_one_of_something_is_told_as_one(run: Run, tmp_path: Path) -> None:
    assert "1 memory written" in run("export", "other", "--to", tmp_path / "a.bundle").output
    assert "3 memories, " in run("verify").output
