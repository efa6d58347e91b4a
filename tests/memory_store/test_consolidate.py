from pathlib import Path

import pytest

from actionlens.actions import Type
from actionlens.run_reader import Run
from ibtr import reaim
from memory_store.bindings import bind
from memory_store.consolidate import compact, consolidate, tool_name_of
from memory_store.crops import load_evidence
from memory_store.errors import SelectionRefused
from memory_store.evaluators import look_on
from memory_store.models import (
    InputKind,
    RegionCondition,
    StepRole,
)
from memory_store.repository import Repository
from tests.memory_store.consolidating import (
    CHOSEN,
    MEMORY,
    Shelf,
    consolidated,
)
from tests.memory_store.recording import AT


def test_a_selection_becomes_a_candidate_with_its_inputs_roles_reasons_and_evidence(
    run: Run, shelf: Shelf
) -> None:
    memory = consolidated(run, shelf).memory

    assert [step.source.step_id for step in memory.steps if step.source] == [1, 2, 3, 4, 5, 6, 7, 9]
    assert memory.steps[0].role is StepRole.STARTUP
    assert [(one.name, one.kind, one.default) for one in memory.inputs] == [
        ("client", InputKind.SEARCH_TERM, "Globex"),
        ("phone", InputKind.TEXT, "555-0199"),
    ]
    assert [drop.reason for drop in memory.reasoning.dropped] == ["only waits"]
    assert memory.tool_name == "update_the_phone_of_a_client"
    assert memory.application == "Clients"
    kinds = [[a.kind for a in step.evidence.anchors if a.kind != "beyond"] for step in memory.steps]
    assert kinds == [["crop", "row"], [], [], ["crop", "echo"], ["crop", "row"], [], [], ["crop"]]
    assert memory.steps[4].evidence.point_px == pytest.approx((150, 233))
    assert bind(memory, {"client": "Initech"}).actions[1] == Type(text="Initech")


def test_the_candidate_goes_into_the_store_and_its_evidence_finds_its_targets(
    run: Run, tmp_path: Path
) -> None:
    with Repository(tmp_path / "store") as store:
        with store.writing() as keeper:
            made = consolidate(run, CHOSEN, memory_id=MEMORY, keep=keeper, at=AT)
            store.add(made.memory, at=AT)
        memory = store.get(MEMORY)
        assert store.verify().problems == ()

        anchor = memory.steps[-1].evidence.anchors[0]
        evidence = load_evidence([anchor], store.blob)
        region = memory.preconditions[1]
        assert isinstance(region, RegionCondition)
        found = look_on(run.frame(run.steps[0].before), store.blob)(region.anchors)

    aim = reaim(evidence, run.frame(run.steps[8].before))
    assert max(abs(aim.point.x - 365), abs(aim.point.y - 233)) <= 1
    assert abs(float(str(found["x_px"])) - 55) <= 1


def test_dropped_dependencies_and_values_of_inputs_in_fixed_texts_are_pointed_out(
    run: Run, shelf: Shelf
) -> None:
    made = consolidated(
        run,
        shelf,
        selected_step_ids=[1, 2, 3, 5, 6, 7, 9],
        dropped=[{"step_id": 4, "reason": "not needed"}, {"step_id": 8, "reason": "only waits"}],
        flexible_inputs=[{"action_index": 1, "name": "client"}],
        preconditions=[{"kind": "window", "title_contains": "Globex - Clients"}],
        evaluator={"kind": "file_contains", "path": "/tmp/clients.csv", "contains": "Globex,555-0199"},
    )

    assert any(text.startswith("step 4 was dropped, but") for text in made.warnings)
    assert not any(text.startswith("step 8") for text in made.warnings)
    told = {text.partition(" ")[0]: text for text in made.warnings}
    assert "{client}" in told["evaluator.contains"]
    assert "leave it out" in told["preconditions.0.title_contains"]  # {client} would be refused there


def test_a_refused_selection_keeps_nothing(run: Run, shelf: Shelf) -> None:
    with pytest.raises(SelectionRefused) as refusal:
        consolidated(run, shelf, selected_step_ids=[9, 1], task_intent="")

    problems = refusal.value.evidence["problems"]
    assert isinstance(problems, list)
    assert {"selected_step_ids", "dropped", "task_intent"} <= {one["field"] for one in problems}
    assert shelf.keeper.fresh == set()


def test_the_proposal_itself_is_a_selection_that_passes(run: Run, shelf: Shelf) -> None:
    seen = compact(run)
    steps, inputs = seen["steps"], seen["flexible_inputs"]
    assert isinstance(steps, list) and isinstance(inputs, list)
    dropped = [
        {"step_id": one["id"], "reason": one["drop"]}
        for one in steps
        if isinstance(one, dict) and "drop" in one
    ]
    chosen = {
        **CHOSEN,
        "selected_step_ids": [one["id"] for one in steps if isinstance(one, dict) and "drop" not in one],
        "dropped": dropped,
        "flexible_inputs": [
            {"name": one["name"], "kind": one["kind"], **place}
            for one in inputs
            if isinstance(one, dict) and isinstance(one["places"], list)
            for place in one["places"]
            if isinstance(place, dict)
        ],
        "expected_effects": [],
        "evaluator": None,
    }

    memory = consolidate(run, chosen, memory_id=MEMORY, keep=shelf.keeper, at=AT).memory

    assert [one.name for one in memory.inputs] == ["client", "phone"]
    assert len(memory.steps) == 8


def test_a_tool_gets_a_name_from_any_intent() -> None:
    assert tool_name_of("Update the phone, please!") == "update_the_phone_please"
    assert tool_name_of("日本") == "memory"
    assert len(tool_name_of("word " * 50)) <= 48


def test_the_same_run_gives_the_same_crops(run: Run, tmp_path: Path) -> None:
    one, other = Shelf(tmp_path / "one"), Shelf(tmp_path / "other")

    consolidated(run, one)
    consolidated(run, other)

    assert one.keeper.fresh == other.keeper.fresh
