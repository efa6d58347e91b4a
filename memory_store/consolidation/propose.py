"""Pure: which steps a replay needs, and why not the others (paper, B.2 and D). A proposal: the host decides.

When in doubt a step stays: kept in vain it costs a second, dropped in vain it costs the replay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actionlens.actions import Click, Hotkey, Move, Observe, Paste, Press, Scroll, Type, Wait
from memory_store.consolidation.trace import Trace, TracedStep

SAME_PLACE = 4
"""Controller units between two clicks on the same place."""
_REMOVES = frozenset({"backspace", "delete"})
_MENU = re.compile(r"\bmenu|\bdrop-?down|\bcombo", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Selected:
    """Which steps are proposed, in order, and the reason for each that is not."""

    kept: tuple[TracedStep, ...]
    dropped: dict[int, str]
    doubts: dict[int, str]
    """Kept steps that the host should look at."""


def select(trace: Trace) -> Selected:
    """Drop what a replay does not need."""
    dropped: dict[int, str] = {}
    while new := _next_drop(trace.steps, dropped):
        dropped |= new
    kept = tuple(step for step in trace.steps if step.id not in dropped)
    doubts = {step.id: doubt for at, step in enumerate(kept) if (doubt := _doubt(kept, at))}
    return Selected(kept, dropped, doubts)


def _next_drop(steps: Sequence[TracedStep], dropped: dict[int, str]) -> dict[int, str]:
    """The first drop that some rule finds; rules see only what is left, so nothing dropped stands between."""
    left = [step for step in steps if step.id not in dropped]
    for rule in _RULES:
        for at in range(len(left)):
            if found := rule(left, at):
                return found
    return {}


def reason_of(step: TracedStep) -> str | None:
    """Why a step can never be part of a program; None if it can."""
    if step.ok:
        return "looks only" if isinstance(step.action, Observe) else None
    return f"{step.status.value.replace('_', ' ')}{': ' + step.error if step.error else ''}"[:300]


Rule = Callable[[Sequence[TracedStep], int], dict[int, str]]


def _unusable(steps: Sequence[TracedStep], at: int) -> dict[int, str]:
    reason = reason_of(steps[at])
    return {steps[at].id: reason} if reason else {}


def _idle(steps: Sequence[TracedStep], at: int) -> dict[int, str]:
    """Waits, moves and scrolls that nothing came of."""
    step = steps[at]
    if step.changed:
        return {}
    match step.action:
        case Wait():
            return {step.id: "nothing changed while waiting"}
        case Move():
            return {step.id: "the pointer moved and nothing changed"}
        case Scroll():
            return {step.id: "nothing scrolled"}
        case _:
            return {}


def _repeated_click(steps: Sequence[TracedStep], at: int) -> dict[int, str]:
    """Two clicks on one place, one of which did nothing: the focus was there, or the application was busy."""
    if at + 1 >= len(steps) or not _same_click(steps[at], steps[at + 1]):
        return {}
    first, second = steps[at], steps[at + 1]
    if not second.changed:
        return {second.id: f"step {first.id} had clicked there, and nothing changed"}
    if not first.changed:
        return {first.id: f"nothing changed; step {second.id} clicked there again"}
    return {}


def _overwritten(steps: Sequence[TracedStep], at: int) -> dict[int, str]:
    """A text that a later one replaced: everything was selected, or it was taken back letter by letter."""
    text = _text(steps[at])
    if text is None or steps[at].new_windows != steps[at].windows:
        return {}
    for later in range(at + 1, len(steps)):
        step = steps[later]
        if isinstance(step.action, Press) and step.action.key in _REMOVES and later == at + 1:
            return _taken_back(steps[at], step, len(text))
        if _selects_all(step, steps[at]):
            return _replaced(steps, at, later)
        if not (isinstance(step.action, Click) and _in_text(step, steps[at])):
            return {}
    return {}


def _taken_back(typed: TracedStep, removing: TracedStep, letters: int) -> dict[int, str]:
    if removing.action != Press(key="backspace", presses=min(letters, 100)) or letters > 100:
        return {}
    return {
        typed.id: f"taken back by step {removing.id}",
        removing.id: f"takes back the text of step {typed.id}",
    }


def _replaced(steps: Sequence[TracedStep], at: int, selecting: int) -> dict[int, str]:
    following = steps[selecting + 1] if selecting + 1 < len(steps) else None
    # Ctrl+A also means "go to the beginning": only where the old text lit up was it selected.
    lit = any(a.intersect(b).area for a in steps[selecting].during.boxes for b in steps[at].during.boxes)
    if following is None or _text(following) is None or not lit:
        return {}
    return {steps[at].id: f"its text was overwritten by step {following.id}"}


def _detour(steps: Sequence[TracedStep], at: int) -> dict[int, str]:
    """A menu opened and left with Escape, a text undone, scrolled there and back: the same screen again."""
    back = _way_back(steps, at)
    if back is None or not _harmless(steps[at]):
        return {}
    reason = f"led back to the screen before step {steps[at].id}"
    return {step.id: reason for step in steps[at : back + 1]}


_RULES: tuple[Rule, ...] = (_unusable, _idle, _repeated_click, _overwritten, _detour)


def _doubt(steps: Sequence[TracedStep], at: int) -> str:
    if (back := _way_back(steps, at)) is not None:
        return f"step {steps[back].id} led back to the screen before it: drop both if it only explored"
    return ""


def _way_back(steps: Sequence[TracedStep], at: int) -> int | None:
    """The step by which the screen was again as before step `at`, with nothing of weight in between."""
    for back in range(at + 1, len(steps)):
        if _leads_back(steps[at], steps[back]):
            return back
        if not isinstance(steps[back].action, Move | Wait | Scroll):
            return None
    return None


def _leads_back(first: TracedStep, last: TracedStep) -> bool:
    if first.id not in last.back_to or not first.during or last.between:
        return False
    match first.action, last.action:
        case (Click() | Hotkey() | Press(), Press(key="escape")):
            return True
        case (Type() | Paste(), Hotkey(keys=("ctrl", "z"))):
            return True
        case (Scroll(), Scroll()):
            return True
        case _:
            return False


def _harmless(step: TracedStep) -> bool:
    """Whether a step that left no trace on the screen left none elsewhere; a Save button may have."""
    match step.action:
        case Click(button="right"):
            return True
        case Click():
            return bool(_MENU.search(f"{step.target} {step.expect}"))
        case Type() | Paste() | Scroll():
            return True
        case _:
            return False


def _same_click(one: TracedStep, other: TracedStep) -> bool:
    a, b = one.action, other.action
    if not (isinstance(a, Click) and isinstance(b, Click)) or one.new_windows != one.windows:
        return False
    near = max(abs(a.x - b.x), abs(a.y - b.y)) <= SAME_PLACE
    return near and a.clicks == b.clicks == 1 and (a.button, a.hold) == (b.button, b.hold)


def _selects_all(step: TracedStep, typed: TracedStep) -> bool:
    match step.action:
        case Hotkey(keys=("ctrl", "a")):
            return True
        case Click(clicks=3):
            return _in_text(step, typed)
        case _:
            return False


def _in_text(click: TracedStep, typed: TracedStep) -> bool:
    """Whether a click lies on what changed when a text was typed."""
    return any(box.grow(6).contains(point) for box in typed.during.boxes for point in click.points_px)


def _text(step: TracedStep) -> str | None:
    return step.action.text if isinstance(step.action, Type | Paste) else None
