from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types

from memory_store.audit import Event
from memory_store.models import (
    Attestation,
    Check,
    Lifecycle,
    NotAgain,
    NotAgainCause,
    Outcome,
    StoredEvaluator,
    Validation,
    Verdict,
)
from memory_store.repository import Repository
from server.app import App
from server.build import build_server
from tests.memory_store.making import AT, add_active, add_memory, later, make_memory, verdict
from tests.server.conftest import ask, refusal

pytestmark = pytest.mark.anyio


def _branch(**edit: object) -> dict[str, object]:
    return {"action": "branch", "memory": "update_phone", "edit": edit}


async def test_a_candidate_is_promoted_and_is_a_tool_at_once(client: Client, store: Repository) -> None:
    add_memory(store)

    done = await ask(client, "promote_memory", memory="update_phone")

    assert done["promoted"] is True
    assert "update_phone" in [tool.name for tool in (await client.list_tools()).tools]


async def test_a_refused_promotion_is_a_result_with_every_blocker(client: Client, store: Repository) -> None:
    store.add(make_memory(with_verdict=verdict(Outcome.FAILED, before=Outcome.PASSED)), at=AT)

    done = await ask(client, "promote_memory", memory="update_phone")

    assert done["promoted"] is False
    assert [one["code"] for one in done["blockers"]] == ["validation_negative", "already_true"]


async def test_what_waits_is_listed_with_what_blocks_it(client: Client, store: Repository) -> None:
    store.add(make_memory("unproven"), at=AT)
    add_memory(store, "ready", seed=3)
    add_active(store, "used", seed=5)
    store.quarantine("used", at=later(1), because="3 of 5 went wrong")

    rows = {row["memory"]: row for row in (await ask(client, "review_memory"))["memories"]}

    assert set(rows) == {"unproven", "ready", "used"}
    assert [one["code"] for one in rows["unproven"]["blockers"]] == ["validation_absent"]
    assert rows["ready"]["blockers"] == []
    assert rows["used"]["because"] == "3 of 5 went wrong"


async def test_a_memory_goes_through_its_lifecycle_by_one_tool(client: Client, store: Repository) -> None:
    add_active(store)
    add_memory(store, "second", seed=1)

    renamed = await ask(client, "review_memory", action="rename", memory="update_phone", name="change_phone")
    branched = await ask(
        client, "review_memory", action="branch", memory="change_phone", edit={"applications": ["crm"]}
    )
    merged = await ask(
        client, "review_memory", action="merge", memory="change_phone", other="second", name="both"
    )
    out = await ask(client, "review_memory", action="quarantine", memory="change_phone", because="trouble")
    gone = await ask(client, "review_memory", action="reject", memory="second", because="worse")
    old = await ask(client, "review_memory", action="deprecate", memory="both", because="old")

    assert renamed["memory"] == "change_phone"
    assert branched["state"] == merged["state"] == "candidate"
    assert branched["next"] == ["promote_memory"]
    assert (out["state"], gone["state"], old["state"]) == ("quarantined", "rejected", "deprecated")
    assert store.get("both").lifecycle is Lifecycle.DEPRECATED
    assert store.log(store.get("second").id)[0].body.because == "worse"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"action": "reject", "memory": "update_phone"}, "because"),
        ({"action": "merge", "memory": "update_phone"}, "other"),
        ({"action": "rename", "memory": "update_phone", "name": "observe"}, "name"),
        ({"action": "rename", "memory": "update_phone", "name": "No Name"}, "tool_name"),
        ({"action": "branch", "memory": "update_phone", "edit": {"colour": "red"}}, "colour"),
        (
            {"action": "branch", "memory": "update_phone", "edit": {"reasoning": {"viable": True}}},
            "reasoning",
        ),
        ({"action": "branch", "memory": "update_phone", "edit": {"steps": []}}, "steps"),
        ({"action": "branch", "memory": "update_phone", "edit": {"inputs": []}}, "inputs"),
        ({"action": "rename", "memory": "update_phone", "name": "x", "edit": {"applications": []}}, "edit"),
        ({"action": "reject", "memory": "update_phone", "because": "  "}, "because"),
        (_branch(preconditions=[{"kind": "file", "path": "a.txt"}]), "edit.preconditions.0.path"),
        (_branch(expected_effects=[{"kind": "window"}]), "edit.expected_effects.0"),
        (_branch(applications=["x"] * 500), "applications"),
        (_branch(evaluator={"kind": "file_exists", "path": "/tmp/{nobody}"}), "edit.evaluator.path"),
        ({"action": "merge", "memory": "update_phone", "other": "update_phone"}, "other"),
        ({"action": "quarantine", "memory": "update_phone", "because": "x"}, "candidate"),
        ({"action": "explode", "memory": "update_phone"}, "action"),
        ({"action": "reject", "memory": "nobody", "because": "x"}, "nobody"),
    ],
)
async def test_what_cannot_be_done_is_said_and_changes_nothing(
    client: Client, store: Repository, arguments: dict[str, object], field: str
) -> None:
    add_memory(store)
    before = store.revision()

    said = await refusal(client, "review_memory", **arguments)

    assert field in said
    assert store.revision() == before


@pytest.mark.parametrize("action", ["branch", "merge"])
async def test_a_quarantined_memory_does_not_come_back_as_its_own_child(
    client: Client, store: Repository, action: str
) -> None:
    add_active(store, "a")
    add_active(store, "b", seed=3)
    store.quarantine("a", at=later(1), because="it saves into the wrong file")

    refused = await ask(client, "promote_memory", memory="a")
    other = {"other": "b"} if action == "merge" else {}
    child = await ask(client, "review_memory", action=action, memory="a", **other)
    again = await ask(client, "promote_memory", memory=child["memory"])

    assert [one["code"] for one in refused["blockers"]] == ["verdict_too_old"]
    assert again["promoted"] is False
    assert not {"a", child["memory"]} & {tool.name for tool in (await client.list_tools()).tools}


async def test_a_promotion_says_which_step_works_only_once_and_what_helps(
    client: Client, store: Repository
) -> None:
    no = NotAgain(step=2, cause=NotAgainCause.TEXT_STAYS, why="the field keeps it", do="press Ctrl+A first")
    memory = make_memory(with_verdict=verdict())
    reasoning = memory.reasoning.model_copy(update={"not_again": (no,), "warnings": ("step 2: once",)})
    store.add(memory.model_copy(update={"reasoning": reasoning}), at=AT)

    done = await ask(client, "promote_memory", memory="update_phone")

    assert done["works_once"] == [
        {"step": 2, "cause": "text_stays", "why": "the field keeps it", "do": "press Ctrl+A first"}
    ]
    assert done["warnings"] == ["step 2: once"]


async def test_a_promotion_can_check_the_artifact_again(
    client: Client, store: Repository, tmp_path: Path
) -> None:
    artifact = tmp_path / "clients.csv"
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    missing = Check(outcome=Outcome.FAILED, at=AT)
    known = Verdict(evaluator="file_contains", before=missing, after=missing)
    checked = Validation(evaluator=StoredEvaluator.model_validate(spec), verdict=known)
    store.add(make_memory().model_copy(update={"validation": checked}), at=AT)

    too_early = await ask(client, "promote_memory", memory="update_phone", check_again=True)
    artifact.write_text("Globex,555-0100")
    done = await ask(client, "promote_memory", memory="update_phone", check_again=True)

    assert [one["code"] for one in too_early["blockers"]] == ["validation_negative"]
    assert done["promoted"] is True


async def test_an_evaluator_that_was_named_at_the_end_must_say_no_to_the_start(
    client: Client, store: Repository, tmp_path: Path
) -> None:
    artifact = tmp_path / "clients.csv"
    artifact.write_text("Globex,555-0100")
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    known = Verdict(evaluator="file_contains", after=Check(outcome=Outcome.PASSED, at=AT))
    checked = Validation(evaluator=StoredEvaluator.model_validate(spec), verdict=known)
    store.add(make_memory().model_copy(update={"validation": checked}), at=AT)

    as_it_is = await ask(client, "promote_memory", memory="update_phone")
    still_there = await ask(client, "promote_memory", memory="update_phone", check_again=True)
    artifact.write_text("Globex,none")  # as it was before the work
    put_back = await ask(client, "promote_memory", memory="update_phone", check_again=True)

    for refused in (as_it_is, still_there):
        assert [one["code"] for one in refused["blockers"]] == ["before_unknown"]
    assert put_back["promoted"] is True


@pytest.mark.parametrize("right_first", [True, False])
@pytest.mark.parametrize("state", ["candidate", "quarantined"])
async def test_a_new_evaluator_proves_itself_by_saying_no_once_and_yes_once(
    client: Client, store: Repository, tmp_path: Path, right_first: bool, state: str
) -> None:
    artifact = tmp_path / "clients.csv"
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    if state == "candidate":  # a branch with another evaluator has no verdict
        add_active(store, "parent")
        made = await ask(client, "review_memory", action="branch", memory="parent", edit={"evaluator": spec})
        name = made["memory"]
    else:  # somebody vouched for it, and its evaluator never ran
        name = "vouched"
        validation = Validation(evaluator=StoredEvaluator.model_validate(spec))
        store.add(make_memory(name).model_copy(update={"validation": validation}), at=AT)
        store.promote(name, verdict(before=None, attestation=Attestation.HUMAN), at=later(1))
        store.quarantine(name, at=later(2), because="3 of 5 went wrong")
    texts = ("Globex,555-0100", "Globex,none")

    in_vain = state == "quarantined" and right_first  # a no after the yes: nobody has done the work anew
    said = []
    for text in (*texts, texts[0]) if in_vain else texts if right_first else texts[::-1]:
        artifact.write_text(text)
        said.append(await ask(client, "promote_memory", memory=name, check_again=True))

    first = "before_unknown" if right_first else "validation_negative"
    assert [one["code"] for one in said[0]["blockers"]] == [first]
    assert "check_again" in said[0]["blockers"][0]["detail"]
    assert [one["promoted"] for one in said] == [False] * (len(said) - 1) + [True]
    assert store.verify().sound


async def test_a_quarantined_memory_s_reason_is_told_after_a_check_too(
    client: Client, store: Repository, tmp_path: Path
) -> None:
    spec = {"kind": "file_exists", "path": str(tmp_path / "nothing")}
    validation = Validation(evaluator=StoredEvaluator.model_validate(spec))
    store.add(make_memory().model_copy(update={"validation": validation}), at=AT)
    store.promote("update_phone", verdict(before=None, attestation=Attestation.HUMAN), at=later(1))
    store.quarantine("update_phone", at=later(2), because="3 of 5 went wrong")

    await ask(client, "promote_memory", memory="update_phone", check_again=True)
    (row,) = (await ask(client, "review_memory"))["memories"]

    assert store.log("update_phone")[0].event is Event.CHECKED
    assert row["because"] == "3 of 5 went wrong"


@pytest.mark.parametrize("through_a_branch", [True, False])
async def test_what_was_imported_is_not_brought_into_use_by_its_own_evaluator(
    client: Client, store: Repository, tmp_path: Path, through_a_branch: bool
) -> None:
    artifact = tmp_path / "clients.csv"
    spec = {"kind": "file_contains", "path": str(artifact), "contains": "{phone}"}
    validation = Validation(evaluator=StoredEvaluator.model_validate(spec))
    store.add(make_memory().model_copy(update={"validation": validation}), at=AT)
    store.export(["update_phone"], tmp_path / "bundle.zip", at=AT)
    store.import_bundle(tmp_path / "bundle.zip", at=AT, names={"update_phone": "theirs"})
    if through_a_branch:
        await ask(client, "review_memory", action="branch", memory="theirs", name="ours")
    name = "ours" if through_a_branch else "theirs"

    said = []
    for text in ("Globex,none", "Globex,555-0100", "Globex,none"):
        artifact.write_text(text)
        said.append(await ask(client, "promote_memory", memory=name, check_again=True))

    assert [one["promoted"] for one in said] == [False, False, False]
    assert "--confirmed" in said[1]["blockers"][0]["detail"]


async def test_a_person_s_no_is_no_proof_that_there_was_work_to_do(
    app: App, era: Any, store: Repository
) -> None:
    async def user(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"ok": False})

    spec = {"kind": "human", "question": "Does the card read {phone}?"}
    known = verdict(before=None, attestation=Attestation.HUMAN)
    checked = Validation(evaluator=StoredEvaluator.model_validate(spec), verdict=known)
    store.add(make_memory().model_copy(update={"validation": checked}), at=AT)
    async with Client(build_server(app), mode=era, elicitation_callback=user) as client:
        done = await ask(client, "promote_memory", memory="update_phone", check_again=True)

    assert [one["code"] for one in done["blockers"]] == ["validation_negative"]


@pytest.mark.parametrize("says", [True, False])
async def test_a_check_that_only_a_person_can_make_is_asked_of_the_user(
    app: App, era: Any, store: Repository, says: bool
) -> None:
    asked: list[str] = []

    async def user(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"ok": says})

    spec = {"kind": "human", "question": "Does the card read {phone}?"}
    checked = Validation(evaluator=StoredEvaluator.model_validate(spec))
    store.add(make_memory().model_copy(update={"validation": checked}), at=AT)
    async with Client(build_server(app), mode=era, elicitation_callback=user) as client:
        done = await ask(client, "promote_memory", memory="update_phone", check_again=True)

    assert asked == ["Does the card read 555-0100?"]
    assert done["promoted"] is says
