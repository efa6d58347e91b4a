"""Every kind of check in one union, and what is done with one: read it, run it, compare before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from actionlens.problems import in_words
from memory_store.evaluators.command import CommandExits
from memory_store.evaluators.csv_file import CsvCell
from memory_store.evaluators.file import FileContains, FileEquals, FileExists, FileRegex
from memory_store.evaluators.http import HttpGet
from memory_store.evaluators.json_file import JsonValueIs
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, not_run, printable, printable_facts
from memory_store.evaluators.region import RegionVisible
from memory_store.evaluators.scene import Scene, Spec
from memory_store.evaluators.sqlite import SqliteRow
from memory_store.evaluators.template import names_in, parse, parse_regex
from memory_store.evaluators.word import HostAttests, HumanConfirms
from memory_store.evaluators.xlsx import XlsxCell, XlsxRow
from memory_store.models import Attestation, Check, Outcome, StoredEvaluator, Verdict
from memory_store.models.base import LIMIT_LINE

Single = Annotated[
    FileExists
    | FileEquals
    | FileContains
    | FileRegex
    | JsonValueIs
    | CsvCell
    | XlsxCell
    | XlsxRow
    | SqliteRow
    | CommandExits
    | HttpGet
    | RegionVisible
    | HumanConfirms
    | HostAttests,
    Field(discriminator="kind"),
]
SINGLE_KINDS: tuple[type[Spec], ...] = get_args(get_args(Single)[0])


class AllOf(Spec):
    """Several checks, of which each must pass."""

    kind: Literal["all"] = "all"
    checks: Annotated[tuple[Single, ...], Field(min_length=1, max_length=16)]

    def run(self, scene: Scene) -> Finding:
        """Run every one, so that the report is whole."""
        findings = [_find(check, scene) for check in self.checks]
        first = next((one for one in findings if one.outcome is not Outcome.PASSED), None)
        passed = sum(one.outcome is Outcome.PASSED for one in findings)
        worst = max((one.outcome for one in findings), key=[*Outcome].index)
        says = f"{passed} of {len(findings)} checks passed" + (f": {first.says}" if first else "")
        checks: list[JsonValue] = [
            {
                "kind": check.kind,
                "outcome": one.outcome.value,
                "detail": one.says,
                "sha256": one.sha256,
                **one.evidence,
            }
            for check, one in zip(self.checks, findings, strict=True)
        ]
        return Finding(worst, says, {"checks": checks}, findings[0].sha256)


Evaluator = Annotated[Single | AllOf, Field(discriminator="kind")]
EVALUATOR: TypeAdapter[Evaluator] = TypeAdapter(Evaluator)
_STRENGTH = (Attestation.EVALUATOR, Attestation.HUMAN, Attestation.HOST)


def problems_of(
    spec: Mapping[str, JsonValue], inputs: frozenset[str] = frozenset(), where: str = "evaluator"
) -> list[str]:
    """Everything wrong with a spec as somebody wrote it, each with its field; `inputs` may be used in it."""
    try:
        evaluator = EVALUATOR.validate_python(spec)
    except ValidationError as exc:
        found = exc.errors(include_url=False)
        return [f"{'.'.join(map(str, (where, *error['loc'])))}: {in_words(error)}" for error in found]
    return [
        f"{where}.{field}: {{{name}}} is not a declared input; declare it, or double the braces for a literal"
        for field, name in sorted(placeholders(evaluator))
        if name not in inputs
    ]


def read_stored(stored: StoredEvaluator) -> Evaluator:
    """The evaluator that a memory keeps.

    Raises:
        CouldNotRun: its spec is not one that this version knows.
    """
    try:
        return EVALUATOR.validate_python(stored.plain())
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        raise CouldNotRun(_field(first["loc"]), in_words(first), "correct the memory's evaluator") from exc


def to_stored(evaluator: Evaluator) -> StoredEvaluator:
    """The form in which a memory keeps an evaluator."""
    return StoredEvaluator.model_validate(evaluator.model_dump(mode="json"))


def placeholders(evaluator: Evaluator) -> frozenset[tuple[str, str]]:
    """Which field of the spec uses which input."""
    return frozenset(_placeholders(evaluator.model_dump(mode="json"), ""))


def evaluate(evaluator: Evaluator, scene: Scene, *, at: datetime) -> Check:
    """Run a check once; never raises, whatever it finds."""
    finding = _find(evaluator, scene)
    return Check(
        outcome=finding.outcome,
        detail=clip(printable(finding.says), LIMIT_LINE - 40),
        evidence=printable_facts(finding.evidence),
        artifact_sha256=finding.sha256,
        at=at,
    )


def verdict(evaluator: Evaluator, before: Check | None, after: Check) -> Verdict:
    """Before and after as one verdict; it is as strong as the weakest word in it."""
    return Verdict(
        evaluator=describe(evaluator), attestation=attestation(evaluator), before=before, after=after
    )


def attestation(evaluator: Evaluator) -> Attestation:
    """Who vouches for this check."""
    checks = evaluator.checks if isinstance(evaluator, AllOf) else (evaluator,)
    return max((check.attestation for check in checks), key=_STRENGTH.index)


def describe(evaluator: Evaluator) -> str:
    """The evaluator's name for people: its kind and what it looks at."""
    if isinstance(evaluator, AllOf):
        return clip(f"all of: {'; '.join(map(describe, evaluator.checks))}", LIMIT_LINE - 40)
    fields = evaluator.model_dump(include={"path", "url", "argv", "description", "question", "claim"})
    what = next((value for value in fields.values() if value), "")
    return clip(
        f"{evaluator.kind} {what if isinstance(what, str) else ' '.join(what)}".strip(), LIMIT_LINE // 20
    )


def _find(evaluator: Evaluator, scene: Scene) -> Finding:
    try:
        return evaluator.run(scene)
    except CouldNotRun as exc:
        return not_run(exc)
    except Exception as exc:  # noqa: BLE001 - the one boundary of a check: its failure is its answer
        problem = f"the check broke off ({type(exc).__name__}: {clip(str(exc), 120)})"
        return not_run(CouldNotRun("evaluator", problem, "correct it, or check the artifact in another way"))


def _field(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "evaluator"


def _placeholders(value: JsonValue, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        with suppress(
            ValueError
        ):  # Only what no check fills may hold a lone brace: a delimiter, a description.
            pieces = parse_regex(value) if field.endswith("regex") else parse(value)
            yield from ((field, name) for name in names_in(pieces))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _placeholders(item, f"{field}.{index}".lstrip("."))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _placeholders(item, f"{field}.{key}".lstrip("."))
