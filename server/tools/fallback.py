"""What to do when a replay was refused: see why, repair the step, plan one, judge the result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, model_validator

from ibtr.geometry import Point
from server.app import App
from server.fallback import MIN_CONFIDENCE, Tier
from server.human import judged, judged_before
from server.prompts import prompt_text
from server.tools.guidance import facts, pictures, plan_prompt, repair_prompt, trajectory
from server.tools.operate import ActFields, Kind, parse_action, to_controller
from server.tools.refusing import NOT_NOW, refused
from server.toolspec import Answer, Arguments, BadArguments, Effect, ToolSpec

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from server.replay.session import Session
    from server.report import Report

ReplayId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="replay_id from the replay's report.")
]
_CROPS = 3  # recorded targets that are shown beside the screen


class RejectionDetailArguments(Arguments):
    """See why a replay was refused: the screen now, the recorded target, the numbers, and what to do next."""

    replay_id: ReplayId


class RepairStepArguments(Arguments):
    """Repair the refused step of a replay: say where its target is on the picture of rejection_detail.

    The replay acts there and goes on. At most 2 tries for a step.
    """

    replay_id: ReplayId
    located: Annotated[bool, Field(description="Whether you see it, beyond doubt.")]
    frame_id: Annotated[str | None, Field(description="From rejection_detail.")] = None
    x: int | None = None
    y: int | None = None
    to_x: Annotated[int | None, Field(description="drag: the other end.")] = None
    to_y: int | None = None
    confidence: Annotated[float, Field(ge=0, le=1, description="Below 0.7 nothing is clicked.")] = 1.0
    reason: Annotated[str, Field(max_length=500, description="What you see there.")] = ""
    role: Annotated[
        Literal["memory_target", "repair_action"],
        Field(description="The recorded thing, or something in the way that one click removes."),
    ] = "memory_target"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.located and (self.frame_id is None or self.x is None or self.y is None):
            raise ValueError("located needs frame_id, x and y")
        if (self.to_x is None) != (self.to_y is None):
            raise ValueError("to_x and to_y go together")
        return self


class PlanStepArguments(ActFields):
    """Plan the next step of a refused replay yourself, along its recorded path.

    Without action: the recorded steps and the screen. With action: one act. With memory_target_id: that
    recorded step. With resume_at: the replay goes on by itself from that step.
    """

    replay_id: ReplayId
    action: Kind | None = None
    memory_target_id: Annotated[str | None, Field(pattern=r"^s[0-9]{1,4}$", description='Like "s3".')] = None
    resume_at: Annotated[int | None, Field(ge=1, description="Step number, from 1.")] = None


class ReportVerdictArguments(Arguments):
    """Report your verdict on a planned step or on the goal of a replay; a reached goal is then checked."""

    replay_id: ReplayId
    of: Literal["step", "goal"]
    status: Literal["succeeded", "progressed", "pending", "blocked"]
    goal_completed: bool | None = None
    blocker: Annotated[str | None, Field(max_length=500)] = None
    download_evidence: Annotated[
        str | None, Field(max_length=500, description="Path or name of a finished download.")
    ] = None


async def rejection_detail(app: App, ask: RejectionDetailArguments) -> Answer:
    """Text and pictures for the tier that the cause leads to."""
    from server.replay.telling import report_of

    session = app.mender.session(ask.replay_id)
    frame, picture = await app.mender.look(session)
    report = report_of(session)
    report = report.model_copy(update={"next": [one for one in report.next if one != "rejection_detail"]})
    text = [json.dumps(report.answer(), ensure_ascii=False), facts(frame, picture)]
    tier = app.mender.tier(session)
    indices = [session.position]
    if tier is Tier.REPAIR:
        text.append(repair_prompt(session))
    else:
        text += [plan_prompt(session, tier), *trajectory(session)]
        indices += [index for index in sorted(session.targets) if index > session.position]
    return Answer(text="\n\n".join(text), images=pictures(picture, session, indices[:_CROPS]))


async def repair_step(app: App, ask: RepairStepArguments) -> Answer:
    """One bounded repair, then the replay goes on."""
    if (known := await judged_before(app, ask.replay_id)) is not None:
        return Answer(data=known.answer())
    session = app.mender.session(ask.replay_id)
    if not ask.located:
        return Answer(data=app.mender.give_up_repair(session).answer())
    if ask.confidence < MIN_CONFIDENCE:
        return _too_unsure(ask.confidence)
    try:
        return await _repaired(app, session, ask)
    except NOT_NOW as exc:
        return refused(exc)


async def _repaired(app: App, session: Session, ask: RepairStepArguments) -> Answer:
    from server.replay.mending import Located

    assert ask.frame_id is not None and ask.x is not None and ask.y is not None
    app.mender.expect_repairable(session)
    given: dict[str, Any] = {"x": ask.x, "y": ask.y}
    if ask.to_x is not None:
        given |= {"to_x": ask.to_x, "to_y": ask.to_y}
    app.mender.expect_shown(session, ask.frame_id)
    moved = to_controller(app, ask.frame_id, given, await _now(app))
    points = [Point(moved["x"], moved["y"])]
    if "to_x" in moved:
        points.append(Point(moved["to_x"], moved["to_y"]))
    located = Located(tuple(points), ask.confidence, ask.reason)
    mend = app.mender.repair if ask.role == "memory_target" else app.mender.clear_the_way
    return await _told(app, await mend(session, ask.frame_id, located))


async def plan_step(app: App, ask: PlanStepArguments) -> Answer:
    """One planned step, a stored one, or the rest of the replay."""
    if (known := await judged_before(app, ask.replay_id)) is not None:
        return Answer(data=known.answer())
    session = app.mender.session(ask.replay_id)
    if sum(one is not None for one in (ask.action, ask.memory_target_id, ask.resume_at)) > 1:
        raise BadArguments("action, memory_target_id, resume_at: give one of them")
    if (ask.action, ask.memory_target_id, ask.resume_at) == (None, None, None):
        frame, picture = await app.mender.look(session)
        text = [facts(frame, picture), plan_prompt(session, app.mender.tier(session)), *trajectory(session)]
        return Answer(text="\n\n".join(text), images=pictures(picture, session, []))
    try:
        if ask.resume_at is not None:
            index = _index(session, ask.resume_at)
            return await _told(app, await app.planner.resume_at(session, index))
        if ask.memory_target_id is not None:
            index = _index(session, int(ask.memory_target_id[1:]))
            return await _told(app, await app.planner.stored_step(session, index))
        return await _planned(app, session, ask)
    except NOT_NOW as exc:
        return refused(exc)


async def report_verdict(app: App, ask: ReportVerdictArguments) -> Answer:
    """The host's word, written down; the evaluator has the last."""
    session = app.mender.session(ask.replay_id)
    said: dict[str, JsonValue] = {
        name: value
        for name, value in ask.model_dump(mode="json").items()
        if name != "replay_id" and value is not None
    }
    reached = ask.of == "goal" and bool(ask.goal_completed)
    try:
        report = await judged(app, await app.planner.judged(session, said, goal_reached=reached))
    except NOT_NOW as exc:
        return refused(exc)
    how = {}
    if ask.of == "step" and ask.status == "succeeded":  # the next question is whether that was all
        how = {"how": prompt_text("verify_goal", goal=session.memory.keys.task_intent)}
    return Answer(data=report.answer() | how)


# -- helpers -------------------------------------------------------------------------------------


def _index(session: Session, number: int) -> int:
    if not 1 <= number <= len(session.memory.steps):
        raise BadArguments(f"the memory has steps 1 to {len(session.memory.steps)}, not {number}")
    return number - 1


async def _planned(app: App, session: Session, ask: PlanStepArguments) -> Answer:
    given = ask.model_dump(
        exclude_none=True,
        exclude={"replay_id", "memory_target_id", "resume_at", "frame_id", "target", "expect", "look"},
    )
    now = await _now(app)
    action = parse_action(to_controller(app, ask.frame_id, given, now))
    done = await app.planner.planned(session, action, ask.target, ask.expect, app.guard.check_frame)
    said: dict[str, Any] = {"step": done.step, "status": done.status.value}
    if done.error:
        said["error"] = done.error
    if done.after is None:
        return Answer(text=json.dumps(said))
    frame, picture = await app.mender.look(session)
    expect = ask.expect or "the next recorded target can be seen"
    text = [
        json.dumps(said),
        facts(frame, picture),
        prompt_text("verify_step", action=action.action, expect=expect),
    ]
    return Answer(text="\n\n".join(text), images=pictures(picture, session, []))


async def _told(app: App, report: Report) -> Answer:
    """A replay that went on; where a person decides about its result, after they were asked."""
    return Answer(data=(await judged(app, report)).answer())


def _too_unsure(confidence: float) -> Answer:
    says = f"a confidence of {confidence:g} is below {MIN_CONFIDENCE:g}: nothing was clicked, no try was used"
    return Answer(
        data={
            "status": "refused",
            "cause": "low_confidence",
            "summary": f"{says}. Look again, or say located=false and plan",
            "evidence": {"confidence": confidence, "needed": MIN_CONFIDENCE},
            "next": ["rejection_detail", "repair_step", "plan_step"],
        }
    )


async def _now(app: App) -> Frame:
    return await (await app.operator.lens()).desktop.capture()


TOOLS = (
    ToolSpec("rejection_detail", RejectionDetailArguments, Effect.READS, rejection_detail),
    ToolSpec("repair_step", RepairStepArguments, Effect.DRIVES_DESKTOP, repair_step, always_load=True),
    ToolSpec("plan_step", PlanStepArguments, Effect.DRIVES_DESKTOP, plan_step),
    ToolSpec("report_verdict", ReportVerdictArguments, Effect.WRITES_STORE, report_verdict),
)
