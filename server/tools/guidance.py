"""What a host is shown of a refused replay: facts, what is asked of it, recorded steps, pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from actionlens.wording import parameter_words
from ibtr.errors import RejectCause
from server.fallback import MAX_REPAIRS, Tier
from server.prompts import prompt_text

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.pictures import Picture
    from server.replay.session import Session

_HINTS: dict[str, str] = {
    RejectCause.STATE_MISMATCH: (
        ". If the window is the right one and only looks new: plan_step(resume_at={}), then repair_step."
    ),
    RejectCause.PARAMETER_CONFLICT: (
        ". Rather than act, put its arguments right and call the memory again; describe_memory lists them."
    ),
}
"""What to try before anything is planned, by cause; with the number of the step."""


def trajectory(session: Session) -> list[str]:
    """The recorded steps, each with the id by which it can be asked for."""
    lines = ["Recorded steps:"]
    for index, step in enumerate(session.memory.steps):
        action = session.bound.actions[index].model_dump() if session.bindable else step.action.plain()
        mark = "->" if index == session.position else "  "
        words = " ".join(
            filter(None, (str(action["action"]), step.target and f'"{step.target}"', _parameters(action)))
        )
        role = "" if step.role.value == "required" else f" ({step.role.value})"
        lines.append(f"{mark} s{index + 1}{role}: {words}")
    return ["\n".join(lines)]


def _parameters(action: Mapping[str, Any]) -> str:
    named = ("text", "key", "keys", "dx", "dy", "seconds")
    return parameter_words({name: action[name] for name in named if action.get(name) is not None})


def facts(frame: Frame, picture: Picture) -> str:
    """What is on the screen now, and the id by which points on its picture are given."""
    window = f'"{frame.window.title}" ({frame.window.application})' if frame.window else "none"
    size = f"{picture.size.width}x{picture.size.height}"
    return f"frame_id: {picture.frame_id} ({size})\nactive window: {window}"


def repair_prompt(session: Session) -> str:
    """What is asked of a host that repairs the step."""
    step = session.memory.steps[session.position]
    if not step.action.typed().points():
        return prompt_text(
            "repair_focus",
            memory=session.memory.tool_name,
            step=str(session.position + 1),
            action=" ".join(filter(None, (step.action.typed().action, step.target))),
            window=step.evidence.before.window_title or step.evidence.before.application,
            problem=session.says,
            attempt=str(session.repairs.get(session.position, 0) + 1),
            attempts=str(MAX_REPAIRS),
        )
    return prompt_text(
        "repair_step",
        target=step.target or "the thing in the recorded crop",
        memory=session.memory.tool_name,
        step=str(session.position + 1),
        problem=session.says,
        attempt=str(session.repairs.get(session.position, 0) + 1),
        attempts=str(MAX_REPAIRS),
    )


def plan_prompt(session: Session, tier: Tier | None) -> str:
    """What is asked of a host that plans the next one."""
    goal = session.memory.keys.task_intent
    if tier is not Tier.GUIDED:
        hint = _HINTS.get(session.cause or "", "").format(session.position + 1)
        return prompt_text("next_step", goal=goal, guidance=f"A memory was refused: {session.says}{hint}")
    return prompt_text(
        "guided_next_step",
        goal=goal,
        memory=session.memory.tool_name,
        step=str(session.position + 1),
        cause=session.cause or "",
    )


def pictures(picture: Picture, session: Session, indices: list[int]) -> tuple[tuple[str, bytes], ...]:
    """The screen, and of some steps what was recorded of their targets."""
    from server.replay.crops_shown import reference_picture

    found = [
        reference_picture(session.targets[index], index) for index in indices if index in session.targets
    ]
    return ((picture.mime, picture.data), *(("image/png", data) for data in found))
