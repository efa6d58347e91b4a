"""A refused replay goes on: a host repairs a step, or plans around what stands in the way."""

from functools import partial

import pytest

from ibtr.geometry import Box, Point
from memory_store.images import decode
from memory_store.models import Memory
from memory_store.repository import Repository
from server.replay.targets import load_targets
from server.replay.window_place import stood
from server.tokens import image_tokens
from tests.e2e.stage import SIZE, Stage, phases_s

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


async def test_a_host_repairs_a_step_and_the_repair_becomes_a_branch(stage: Stage) -> None:
    await stage.memory()
    parent = await stage.app.memories.use(lambda store: store.get(stage.name))
    log = await stage.form(look="other")
    refused = await stage.run(client="Initech")
    assert refused["cause"] == "missing_target"

    report = refused
    for button in ("Clear", "Save"):
        await stage.call("rejection_detail", replay_id=report["replay_id"])
        assert '"next": ["repair_step"' in stage.text  # more where this memory was quarantined
        assert len(stage.images) == 2
        frame_id = stage.facts["frame_id"].split()[0]
        where = await stage.aim(button)
        report = await stage.call(
            "repair_step",
            replay_id=report["replay_id"],
            located=True,
            frame_id=frame_id,
            x=where["x"],
            y=where["y"],
            reason=f"the button that says {button.upper()}",
        )

    assert report["ending"] == "verified"
    assert stage.out.read_text() == "Initech"
    assert log.clicks == ["Clear", "Save"]
    branch = await stage.app.memories.use(lambda store: store.get(report["evidence"]["repaired_branch"]))
    assert branch.lifecycle.value == "candidate"
    assert (await stage.app.memories.use(lambda store: store.get(stage.name))).steps == parent.steps
    for index in (0, 2):  # the frame of a mended step is the screen that its crops were cut from
        assert await stage.app.memories.use(partial(_stands_on_its_frame, branch, index))
        assert branch.steps[index].evidence.frames["before"] != parent.steps[index].evidence.frames["before"]
    row = await stage.app.memories.use(lambda store: store.replay(report["replay_id"]))
    assert row is not None
    assert phases_s(row) == pytest.approx(row.detail["wall_s"], abs=0.01)
    screens = 2 * image_tokens(SIZE)  # two looks, each with the recorded crop beside the screen
    assert screens < row.host_tokens < 2 * screens


def _stands_on_its_frame(memory: Memory, index: int, store: Repository) -> bool:
    evidence = memory.steps[index].evidence
    assert evidence.point_px is not None
    assert evidence.box_px is not None
    kept, target = evidence.frames["before"], load_targets(memory, store.blob)[index][0]
    boxed = Box(*evidence.box_px).contains(Point(*evidence.point_px))
    return boxed and stood(target, decode(store.blob(kept.sha256), kept.media_type))


async def test_a_repair_whose_pictures_were_lost_is_not_kept_and_says_so(stage: Stage) -> None:
    await stage.memory()
    await stage.form(look="other")
    report = await stage.run(client="Initech")
    before = await stage.app.memories.use(lambda store: len(store.memories()))

    for button in ("Clear", "Save"):
        await stage.call("rejection_detail", replay_id=report["replay_id"])
        frame_id = stage.facts["frame_id"].split()[0]
        where = await stage.aim(button) | {"frame_id": frame_id}
        for picture in stage.app.operator.runs.glob("*/frames/*"):  # of the runs so far
            picture.unlink()
        report = await stage.call("repair_step", replay_id=report["replay_id"], located=True, **where)

    assert report["ending"] == "verified"
    assert "repaired_branch" not in report["evidence"]
    assert report["evidence"]["repair_not_kept"]
    assert await stage.app.memories.use(lambda store: len(store.memories())) == before


async def test_a_repaired_button_that_lights_up_under_the_pointer_is_found_again(stage: Stage) -> None:
    await stage.memory()
    await stage.form(look="other", lights=True)
    report = await stage.run(client="Initech")
    refusals: list[str] = []

    while report["ending"] in ("rejected", "stopped"):
        refusals.append(report["summary"])
        await stage.call("rejection_detail", replay_id=report["replay_id"])
        frame_id = stage.facts["frame_id"].split()[0]
        where = await stage.aim("Clear" if report["step"] == 1 else "Save") | {"frame_id": frame_id}
        report = await stage.call("repair_step", replay_id=report["replay_id"], located=True, **where)
    branch = report["evidence"]["repaired_branch"]
    await stage.call("promote_memory", memory=branch)
    log = await stage.form(look="other", lights=True)
    again = await stage.call(branch, client="Umbrella")

    assert any("as the pointer came" in one for one in refusals)  # the host has seen it lit, and said yes
    assert "repair_warnings" not in report["evidence"]
    assert again["ending"] == "verified", again
    assert log.clicks == ["Clear", "Save"]
    assert stage.out.read_text() == "Umbrella"


async def test_a_repair_in_a_window_behind_is_refused_until_that_window_is_brought_forward(
    stage: Stage,
) -> None:
    await stage.memory()
    log = await stage.form(look="other")
    replay_id = (await stage.run(client="Initech"))["replay_id"]
    clear, blank = await stage.aim("Clear"), await stage.aim("Load")
    await stage.another_window(at=[700, 420], look="other")

    async def repair(place: dict[str, int], **more: str) -> dict[str, object]:
        await stage.call("rejection_detail", replay_id=replay_id)
        frame_id = stage.facts["frame_id"].split()[0]
        return {"replay_id": replay_id, "located": True, **place, "frame_id": frame_id, **more}

    elsewhere = await stage.refusal("repair_step", **await repair(clear) | {"frame_id": clear["frame_id"]})
    unknown = await stage.refusal("repair_step", **await repair(clear) | {"frame_id": "f0"})
    refusal = await stage.refusal("repair_step", **await repair(clear))
    before = list(log.clicks)
    await stage.call("repair_step", **await repair(blank, role="repair_action"))
    await stage.call("repair_step", **await repair(clear))

    for wrong in (elsewhere, unknown):
        assert "call rejection_detail" in wrong
    assert refusal.startswith("x, y: ")
    assert "repair_action" in refusal
    assert before == []
    assert log.clicks == ["Load", "Clear"]


async def test_a_step_is_repaired_at_most_twice(stage: Stage) -> None:
    await stage.memory()
    await stage.form(without=["Clear"])
    report = await stage.run(client="Initech")
    await stage.call("rejection_detail", replay_id=report["replay_id"])

    given_up = await stage.call("repair_step", replay_id=report["replay_id"], located=False)
    refusal = await stage.refusal(
        "repair_step", replay_id=report["replay_id"], located=True, frame_id="f0", x=1, y=1
    )

    assert given_up["next"] == ["rejection_detail", "plan_step"]
    assert "plan_step" in refusal


async def test_a_host_plans_around_a_dialog_and_the_replay_goes_on(stage: Stage) -> None:
    await stage.memory()
    log = await stage.form(dialog=True)
    report = await stage.run(client="Initech")
    assert report["ending"] == "rejected"
    await stage.call("plan_step", replay_id=report["replay_id"])
    where = await stage.aim("Clear")

    await stage.call("plan_step", replay_id=report["replay_id"], action="click", target="the tip", **where)
    done = await stage.call("plan_step", replay_id=report["replay_id"], resume_at=1)

    assert done["ending"] == "verified"
    assert stage.out.read_text() == "Initech"
    assert log.clicks == ["Clear", "Save"]
