"""What one check found: passed, failed, or could not run, always with what was seen."""

from dataclasses import dataclass, field

from pydantic import JsonValue

from ibtr.errors import EchoPathError
from memory_store.models import Digest, Outcome

MAX_SHOWN = 200
Facts = dict[str, JsonValue]


class CouldNotRun(EchoPathError):
    """A check that could not say yes or no; names the field of its spec and the fix."""

    def __init__(self, where: str, problem: str, fix: str, **evidence: JsonValue) -> None:
        super().__init__(f"{where}: {problem}; {fix}")
        self.where, self.problem, self.fix = where, problem, fix
        self.evidence: Facts = evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of one evaluator; `evidence` holds plain JSON values only."""

    outcome: Outcome
    says: str
    evidence: Facts = field(default_factory=Facts)
    sha256: Digest | None = None


def found(
    holds: bool, says: str, facts: Facts | None = None, *, sha256: Digest | None = None, **evidence: JsonValue
) -> Finding:
    """Passed or failed, as `holds` says."""
    return Finding(Outcome.PASSED if holds else Outcome.FAILED, says, {**(facts or {}), **evidence}, sha256)


def not_run(problem: CouldNotRun) -> Finding:
    """The finding for a check that could not run."""
    about: Facts = {"field": problem.where, "fix": problem.fix}
    return Finding(Outcome.COULD_NOT_RUN, str(problem), {**about, **problem.evidence})


def clip(text: str, limit: int = MAX_SHOWN) -> str:
    """As much of a text as a report should carry; says how much was left out."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


def printable(text: str) -> str:
    """A text that can be written down: half characters and NUL, which a file may hold, become signs."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "␀")


def printable_facts(facts: Facts) -> Facts:
    """The same for everything in the evidence."""
    return {printable(name): _printable(value) for name, value in facts.items()}


def _printable(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable(one) for one in value]
    return printable_facts(value) if isinstance(value, dict) else value
