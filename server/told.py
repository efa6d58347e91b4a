"""What a recording was told its inputs are, against what its steps typed: a check cannot mean both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from actionlens.wording import clip
from memory_store.models import Memory, Verdict

_LONGEST = 80


class Differs(NamedTuple):
    """One input of which start_run was told another value than was typed."""

    name: str
    told: str
    typed: str
    step: int


def differing(memory: Memory, told: Mapping[str, str], used: Iterable[str]) -> list[Differs]:
    """The inputs that a check uses, and that were typed otherwise than the recording was told."""
    found: list[Differs] = []
    for one in memory.inputs:
        if one.name in used and one.default is not None and told.get(one.name, one.default) != one.default:
            at = one.places[0].action_index
            source = memory.steps[at].source
            found.append(Differs(one.name, told[one.name], one.default, source.step_id if source else at + 1))
    return found


def said(differs: Differs) -> str:
    """Who said what."""
    told, typed = clip(differs.told, _LONGEST), clip(differs.typed, _LONGEST)
    return f"the recording was told {differs.name}={told!r}, step {differs.step} typed {typed!r}"


def cannot_be_both(differs: Differs, judged: Verdict) -> str:
    """Why the check of this selection can never pass as it is, and both ways out."""
    name = f"{{{differs.name}}}"
    stands = differs.typed.replace(differs.told, name, 1) if differs.told else differs.typed
    put = f"with {name} where {stands} stands" if name in stands else f"for {name} as it was typed"
    return (
        f"selection.flexible_inputs: {differs.name}: {said(differs)}, and a replay checks what it types. "
        f"With that, {judged.evaluator} says: {judged.after.detail}. Give selection.evaluator "
        f"written {put}, or leave the input out; or record once more and type what start_run is told"
    )
