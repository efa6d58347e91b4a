"""Pure: which steps only bring the application up, and which only clear something out of the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from actionlens.actions import Click, Press
from memory_store.consolidation.trace import TracedStep
from memory_store.models import StepRole

_DISMISSES = re.compile(
    r"\b(close|dismiss|not now|no,? thanks|skip|later|got it|maybe later|decline|reject all|accept all|"
    r"cookies?|tip|tour|welcome|what'?s new|notification|sign[- ]?in prompt|don'?t (show|save|send)|"
    r"restore pages)\b",
    re.IGNORECASE,
)


_LAUNCHERS = re.compile(
    r"|xfdesktop|plasmashell|krunner|rofi|dmenu|ulauncher|tint2|synapse|wrapper-[0-9.]+|"
    r"(.*[-_])?(panel|lxpanel|desktop|launcher|appfinder|dock|shell|menu)",
    re.IGNORECASE,
)
"""What is in front before an application is: nothing, or what starts it."""


def propose_roles(kept: Sequence[TracedStep]) -> dict[int, StepRole]:
    """The role of every step; `required` unless there is a sign of another."""
    main = main_application(kept)
    roles: dict[int, StepRole] = {}
    starting = bool(main)
    for at, step in enumerate(kept):
        # Work in another application is work, even if it came first.
        starting = starting and step.application != main and bool(_LAUNCHERS.fullmatch(step.application))
        if starting:
            roles[step.id] = StepRole.STARTUP
        else:
            roles[step.id] = StepRole.GUARD if _is_guard(kept, at, roles) else StepRole.REQUIRED
    return roles


def main_application(steps: Sequence[TracedStep]) -> str:
    """The application that most steps were done in; nothing where the desktop did not tell."""
    counted = Counter(step.application for step in steps if step.application)
    return counted.most_common(1)[0][0] if counted else ""


def applications(steps: Sequence[TracedStep]) -> tuple[str, ...]:
    """Every application that was worked in, the main one first."""
    counted = Counter(step.application for step in steps if step.application)
    return tuple(name for name, _ in counted.most_common())


def _is_guard(kept: Sequence[TracedStep], at: int, roles: dict[int, StepRole]) -> bool:
    """It clears away what came by itself: nothing that an earlier required step opened."""
    step = kept[at]
    clears = (
        isinstance(step.action, Click) and bool(_DISMISSES.search(step.target))
    ) or step.action == Press(key="escape")
    if not (clears and step.during):
        return False
    by_itself = at > 0 and bool(kept[at - 1].between)
    return by_itself or all(roles[earlier.id] is not StepRole.REQUIRED for earlier in kept[:at])
