"""A value in a JSON file, reached by keys, indexes and conditions."""

import json
import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from memory_store.evaluators.compare import decode, same_value
from memory_store.evaluators.opening import missing, read
from memory_store.evaluators.outcome import CouldNotRun, Facts, Finding, clip, found
from memory_store.evaluators.scene import Scene, Spec
from memory_store.evaluators.template import PathTemplate, TextTemplate, Values
from memory_store.models import Digest

MAX_DEPTH = 32
_STEP = re.compile(
    r"\.?(?P<key>[^.\[\]\"'$]+)|\[(?P<index>-?\d+)\]|\[(?P<quote>[\"'])(?P<quoted>.*?)(?P=quote)\]"
)


class Where(BaseModel):
    """The only item of a list whose fields have these values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    where: Annotated[dict[str, TextTemplate], Field(min_length=1, max_length=8)]


def _steps(path: object) -> object:
    """`$.clients[0].phone` as steps; a list is taken as it is. Split before filling: a value adds no step."""
    if not isinstance(path, str):
        return path
    steps: list[object] = []
    at = 1 if path.startswith("$") else 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise ValueError(
                f"character {at} is not part of a path such as clients[0].phone or a list of its steps"
            )
        steps.append(int(step["index"]) if step["index"] else step["key"] or step["quoted"])
        at = step.end()
    return steps


JsonPath = Annotated[
    tuple[TextTemplate | int | Where, ...], Field(max_length=MAX_DEPTH), BeforeValidator(_steps)
]
Wanted = TextTemplate | int | float | bool | None


class JsonValueIs(Spec):
    """A value in a JSON file. A string also equals the number that it spells, since inputs are strings."""

    kind: Literal["json_value"] = "json_value"
    path: PathTemplate
    at: Annotated[JsonPath, Field(description='["clients", {"where": {"name": "{client}"}}, "phone"]')]
    equals: Wanted

    def run(self, scene: Scene) -> Finding:
        """Read, walk, compare."""
        place = scene.values.path(self.path, "path")
        artifact = read(place, "path", scene.limits.file_bytes)
        if artifact is None:
            return missing(place)
        document = load(decode(artifact.data, "utf-8", "path"), "path")
        return compare_at(
            document, self.at, self.equals, scene.values, facts=artifact.facts, sha256=artifact.sha256
        )


def load(text: str, where: str) -> JsonValue:
    """The document.

    Raises:
        CouldNotRun: the text is not JSON, or nested beyond reason.
    """
    try:
        document: JsonValue = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise CouldNotRun(where, f"not a JSON document ({exc})", "check a JSON file") from exc
    return document


def compare_at(
    document: JsonValue,
    path: tuple[str | int | Where, ...],
    equals: str | float | bool | None,
    values: Values,
    *,
    facts: Facts,
    sha256: Digest,
) -> Finding:
    """Whether the value at `path` is `equals`; a path that leads nowhere fails."""
    try:
        seen = walk(document, path, values)
    except LookupError as exc:
        return found(False, str(exc.args[0]), facts, sha256=sha256)
    wanted = values.text(equals, "equals") if isinstance(equals, str) else equals
    holds = _equal(seen, wanted)
    shown = clip(json.dumps(seen, ensure_ascii=False))
    says = f"the value is {shown}" + ("" if holds else ", not as wanted")
    return found(
        holds, says, facts, sha256=sha256, seen=shown, wanted=clip(json.dumps(wanted, ensure_ascii=False))
    )


def walk(document: JsonValue, path: tuple[str | int | Where, ...], values: Values) -> JsonValue:
    """The value at the end of a path.

    Raises:
        LookupError: it leads nowhere, or a condition fits none or several; says at which step.
    """
    for depth, step in enumerate(path):
        document = _go(document, step, values, f"step {depth + 1} of `at`")
    return document


def _go(here: JsonValue, step: str | int | Where, values: Values, where: str) -> JsonValue:
    if isinstance(step, Where):
        return _only(here, {key: values.text(value, "at") for key, value in step.where.items()}, where)
    if isinstance(step, int):
        if isinstance(here, list) and -len(here) <= step < len(here):
            return here[step]
        raise LookupError(f"{where}: there is no item {step}")
    key = values.text(step, "at")
    if isinstance(here, dict) and key in here:
        return here[key]
    raise LookupError(f"{where}: there is no key {clip(key, 40)!r}")


def _only(here: JsonValue, wanted: dict[str, str], where: str) -> JsonValue:
    items = here if isinstance(here, list) else []
    fits = [
        item
        for item in items
        if isinstance(item, dict)
        and all(key in item and _equal(item[key], text) for key, text in wanted.items())
    ]
    if len(fits) != 1:
        raise LookupError(f"{where}: {len(fits)} of {len(items)} items fit {clip(str(wanted), 80)}, 1 wanted")
    return fits[0]


def _equal(seen: JsonValue, wanted: str | float | bool | None) -> bool:
    if isinstance(seen, list | dict):
        return False
    if isinstance(wanted, str):
        return seen == wanted or (not isinstance(seen, str) and seen is not None and same_value(seen, wanted))
    return isinstance(seen, bool) == isinstance(wanted, bool) and seen == wanted
