"""A region of the screen as the check on the result: recorded, promoted, replayed, and not there."""

from typing import Any

import pytest

from tests.e2e.stage import Stage

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
FIELD = (22, 24, 100, 22)
"""Where the form shows what was typed, inside its window."""


@pytest.fixture(scope="module")
async def region(stage: Stage) -> str:
    return await _promoted(stage, "write_globex", await _recorded(stage))


async def _box(stage: Stage, box: tuple[int, int, int, int] = FIELD) -> dict[str, Any]:
    """A piece of the form as a host names it: a box in a picture."""
    await stage.call("observe")
    frame = await (await stage.app.operator.desktop()).capture()
    window = next(one for one in frame.windows if one.title == "Form")
    x, y, width, height = box
    return {
        "kind": "region",
        "frame_id": stage.facts["frame_id"],
        "box": [window.box.x + x, window.box.y + y, width, height],
        "description": "Globex in the field",
    }


async def _written(stage: Stage) -> None:
    await stage.form()
    await stage.call("start_run", goal="Write Globex into the field")
    await stage.call("act", action="click", target="Clear", **await stage.aim("Clear"))
    await stage.call("act", action="type", text="Globex", target="the name field")


async def _recorded(stage: Stage) -> dict[str, Any]:
    """The host sees what it has written, and names that as the result."""
    await _written(stage)
    return await stage.call("finish_run", evaluator=await _box(stage))


def _selection(name: str, **more: Any) -> dict[str, Any]:
    return {
        "selected_step_ids": [1, 2],
        "task_intent": f"Write Globex into the form, {name}",
        "query_phrases": ["write Globex"],
        "viable": True,
        "recommendation": "promote",
        "tool_name": name,
        **more,
    }


async def _promoted(stage: Stage, name: str, finished: dict[str, Any]) -> str:
    asked = {"run_id": finished["run_id"], "selection": _selection(name)}
    made = await stage.call("consolidate_run", **asked)
    assert (made["blockers"], made["verdict"]["outcome"]) == ([], "passed")
    assert (await stage.call("promote_memory", memory=name))["promoted"]
    return name


async def test_the_check_passed_after_and_not_on_the_first_screen(stage: Stage) -> None:
    finished = await _recorded(stage)

    assert finished["verdict"]["outcome"] == "passed"
    assert not {"before", "already_true"} & finished["verdict"].keys()


async def test_a_replay_that_shows_the_region_is_verified(stage: Stage, region: str) -> None:
    await stage.form(at=[300, 200])

    report = await stage.call(region)

    assert report["ending"] == "verified", report
    assert "is on the screen" in report["verdict"]


async def test_a_replay_after_which_the_region_is_not_there_has_failed(stage: Stage, region: str) -> None:
    await stage.form(garbles=True)

    report = await stage.call(region)

    assert report["ending"] == "failed", report
    assert "is not on the screen" in report["verdict"]


async def test_consolidation_and_check_again_look_at_the_desktop_of_now(stage: Stage) -> None:
    finished = await _recorded(stage)
    check = {"kind": "region", "step_id": 2, "box_px": await _box_px(stage)}
    there = await stage.call(
        "consolidate_run", run_id=finished["run_id"], selection=_selection("there", evaluator=check)
    )
    await stage.form()
    gone = await stage.call(
        "consolidate_run", run_id=finished["run_id"], selection=_selection("gone", evaluator=check)
    )
    again = await stage.call("promote_memory", memory="there", check_again=True)

    assert there["verdict"]["outcome"] == "passed"
    assert there["blockers"] == []
    assert gone["verdict"]["outcome"] == "failed"
    assert not again["promoted"]


async def _box_px(stage: Stage) -> list[int]:
    """The screen is as large as its picture."""
    return list((await _box(stage))["box"])


async def test_a_region_that_is_already_there_cannot_promote(stage: Stage) -> None:
    await _written(stage)
    button = await _box(stage, (20, 70, 82, 36))

    finished = await stage.call("finish_run", evaluator=button)

    assert finished["verdict"]["already_true"]


async def test_what_is_no_region_of_this_run_is_refused_by_its_field(stage: Stage) -> None:
    await stage.form()
    earlier = await _box(stage)
    await _written(stage)
    named = await _box(stage)

    beside = await stage.refusal("finish_run", evaluator=named | {"box": [1270, 10, 400, 40]})
    unknown = await stage.refusal("finish_run", evaluator=named | {"frame_id": "f00"})
    words = await stage.refusal("finish_run", evaluator=named | {"box": "the field"})
    bare = await stage.refusal("start_run", goal="x", evaluator={"kind": "region", "description": "it"})
    other_run = await stage.refusal("start_run", goal="x", evaluator=earlier)

    assert "evaluator.box" in beside
    assert "f00" in unknown
    assert "evaluator.box" in words
    assert "finish_run" in bare
    assert "finish_run" in other_run
    assert (await stage.call("finish_run", evaluator=named))["verdict"]["outcome"] == "passed"
