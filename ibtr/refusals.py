"""What a refusal tells of the screen: that nothing was drawn anew, or how near it was to an acceptance."""

from __future__ import annotations

from ibtr.errors import Rejected
from ibtr.judge import Limits


def reads_otherwise(no: Rejected) -> bool:
    """Whether the widget is there, with another text in it, in another row or column than its own."""
    return any(name in no.evidence for name in ("reads", "row", "column"))


def has_its_pixels(no: Rejected, limits: Limits) -> bool:
    """Whether the widget is there among its surroundings, drawn as it was, but for a letter or a part of it.

    However little is left of what stood further around: nothing was drawn anew. Another font may be much like
    the recorded one, but then the surroundings are less so.
    """
    shown = {name: no.evidence.get(name) for name in ("spot", "core", "context", "scale")}
    spot, core, context, scale = (float(v) if isinstance(v, float) else 0.0 for v in shown.values())
    own = not any(name in no.evidence for name in ("row", "column")) and abs(scale - 1) <= 0.01
    return own and spot >= limits.spot and core >= limits.core and context >= limits.same


def nearness(no: Rejected) -> float:
    """How near a refusal was to an acceptance: the one worth reporting."""
    values = [no.evidence.get(name) for name in ("spot", "core", "context")]
    return sum(v for v in values if isinstance(v, float))
