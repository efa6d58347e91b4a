"""What a person says for a memory, by command."""

from pathlib import Path

import pytest

from memory_store.models import (
    Attestation,
    Lifecycle,
    NotAgain,
    NotAgainCause,
    StoredEvaluator,
    Validation,
)
from memory_store.repository import Repository
from tests.memory_store.making import AT, make_memory, verdict
from tests.server.memories_command.told import Run, answer


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
@pytest.mark.parametrize("as_branch", [False, True])
def test_what_was_quarantined_comes_back_by_a_no_and_then_a_yes_not_by_the_old_artifact(
    run: Run, home: Path, tmp_path: Path, as_branch: bool
) -> None:
    artifact = tmp_path / "clients.csv"
    artifact.write_text("Globex,555-0100")
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    with Repository(home) as repository:
        validation = Validation(evaluator=StoredEvaluator.model_validate(spec), verdict=verdict())
        made = make_memory("checked").model_copy(update={"validation": validation})
        repository.promote(repository.add(made, at=AT).id, at=AT)
    run("quarantine", "checked", "--because", "odd")
    name = "checked_2" if as_branch else "checked"
    if as_branch:
        run("branch", "checked")

    refused = run("promote", name)
    both = run("promote", name, "--check-again", "--confirmed", "seen")
    still_there = run("promote", name, "--check-again")
    artifact.unlink()
    put_away = run("promote", name, "--check-again")
    artifact.write_text("Globex,555-0100")
    done = run("promote", name, "--check-again")

    ends = [one.exit_code for one in (refused, both, still_there, put_away, done)]
    assert ends == [1, 2, 1, 1, 0]
    assert "--confirmed" in refused.output
    assert "before_unknown" in still_there.output
    assert "validation_negative" in put_away.output
    assert f"{name} is active" in done.output
