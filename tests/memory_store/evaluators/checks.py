"""Short ways to run one check in a test."""

from datetime import UTC, datetime

from memory_store.evaluators import EVALUATOR, Scene, Values, evaluate
from memory_store.models import Check

AT = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def run(scene: Scene | None = None, /, **spec: object) -> Check:
    return evaluate(EVALUATOR.validate_python(spec), scene or Scene(), at=AT)


def with_inputs(**given: str) -> Scene:
    return Scene(values=Values(given))
