"""Memories as JSON and as lines for people; no logic, no store."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import JsonValue

from actionlens.wording import clip, parameter_words
from memory_store.audit import AuditEvent
from memory_store.canonical import document
from memory_store.diff import FieldChange, MemoryDiff, StepLine
from memory_store.lifecycle import Blocker, promotion_warnings
from memory_store.listing import Damaged
from memory_store.models import JsonObject, Memory, Step
from memory_store.repository import Repository
from memory_store.verify import VerifyReport
from server.described import condition_line
from server.table import counted, size_text, table

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def listed(repository: Repository, memory: Memory) -> JsonObject:
    """One line of `list`."""
    crops, frames = repository.blob_bytes(memory.id)
    return {
        "id": memory.id,
        "tool_name": memory.tool_name,
        "lifecycle": memory.lifecycle.value,
        "steps": len(memory.steps),
        "inputs": [each.name for each in memory.inputs],
        "application": memory.application,
        "task_intent": memory.keys.task_intent,
        "crop_bytes": crops,
        "frame_bytes": frames,
        "replays": repository.replay_count(memory.id),
        "origin": memory.lineage.origin.value,
        "created_at": memory.created_at.isoformat(),
    }


def damaged_row(damaged: Damaged) -> JsonObject:
    """A memory that cannot be read, as `list` shows it beside the others."""
    columns: JsonObject = {name: getattr(damaged, name) for name in ("id", "tool_name", "lifecycle")}
    return {**columns, "damaged": damaged.problem}


def damaged_lines(damaged: Iterable[Damaged]) -> Iterator[str]:
    """The same for people, a line each."""
    return (f"{one.tool_name} ({one.lifecycle}) cannot be read: {one.problem}" for one in damaged)


def list_table(rows: Iterable[JsonObject]) -> str:
    """`list` for people."""
    head = ("name", "state", "steps", "inputs", "replays", "evidence", "application", "intent")
    return table(
        head,
        [
            (
                row["tool_name"],
                row["lifecycle"],
                row["steps"],
                _joined(row["inputs"]),
                row["replays"],
                size_text(_whole(row["crop_bytes"])),
                row["application"],
                clip(str(row["task_intent"]), 50),
            )
            for row in rows
        ],
    )


def described(repository: Repository, memory: Memory) -> JsonObject:
    """All of `show`: the record, and what the store knows about it."""
    uses = repository.graph(memory)
    return {
        **listed(repository, memory),
        "memory": document(memory),
        "blockers": [blocker_json(each) for each in repository.blockers(memory)],
        "warnings": list(promotion_warnings(memory)),
        "children": list(repository.children(memory.id)),
        "shared_steps": [uses[use].memories for use in repository.program(memory)],
    }


def shown(repository: Repository, memory: Memory) -> Iterator[str]:
    """`show` for people."""
    facts = listed(repository, memory)
    yield f"{memory.tool_name}  {memory.lifecycle.value}  {memory.id}"
    yield memory.keys.task_intent
    for phrase in memory.keys.query_phrases:
        yield f"  also: {phrase}"
    yield _field("applications", ", ".join(memory.applications))
    yield _field("origin", " ".join((memory.lineage.origin.value, *memory.lineage.parents)))
    yield _field("evidence", _evidence(facts))
    yield from (_field("needs", condition_line(each)) for each in memory.preconditions)
    yield from (_field("leads to", condition_line(each)) for each in memory.expected_effects)
    verdict = memory.validation.verdict
    yield _field(
        "verdict", f"{verdict.after.outcome.value} by {verdict.evaluator}" if verdict else "none yet"
    )
    yield table(
        ("step", "role", "action", "with", "target", "evidence", "shared by"), _steps(repository, memory)
    )
    if memory.inputs:
        rows = [(each.name, each.kind.value, each.default, each.description) for each in memory.inputs]
        yield table(("input", "kind", "recorded", "description"), rows)
    yield from (f"blocks promotion: {each.detail}" for each in repository.blockers(memory))
    yield from (f"warning: {each}" for each in promotion_warnings(memory))


def diff_lines(found: MemoryDiff) -> Iterator[str]:
    """`diff` for people: as a patch reads."""
    if found.same:
        yield "no difference"
        return
    yield from (f"  {_step_line(line)}" for line in found.shared_prefix)
    yield from (f"- {_step_line(line)}" for line in found.first_branch)
    yield from (f"+ {_step_line(line)}" for line in found.second_branch)
    if found.shared_suffix:
        yield f"  ({found.shared_suffix} more steps in common)"
    for title, changes in (("input", found.inputs), ("evidence", found.evidence), ("field", found.other)):
        for change in changes:
            yield f"{title} {change.field}"
            yield from _sides(change)


def log_table(events: Iterable[AuditEvent]) -> str:
    """`log` for people."""
    head = ("#", "when", "event", "name", "state", "by", "because", "hash")
    return table(
        head,
        [
            (
                event.seq,
                event.at.strftime("%Y-%m-%d %H:%M:%S"),
                event.event.value,
                event.body.tool_name,
                _move(event),
                event.body.actor,
                clip(event.body.because, 60),
                event.hash[:12],
            )
            for event in events
        ],
    )


def verify_lines(report: VerifyReport) -> Iterator[str]:
    """`verify` for people."""
    said = "sound" if report.sound else counted(len(report.problems), "problem", "problems")
    whole = (
        counted(report.memories, "memory", "memories"),
        counted(report.events, "event", "events"),
        counted(report.blobs, "piece of evidence", "pieces of evidence"),
    )
    yield f"{said}: {', '.join(whole)}"
    yield from (f"  {each.where}: {each.problem}" for each in report.problems)
    if report.unused_blobs:
        unused = counted(report.unused_blobs, "unused piece", "unused pieces")
        yield f"  {unused} of evidence; `echopath memories gc` removes them"


def blocker_json(blocker: Blocker) -> JsonObject:
    """One blocker, machine-readable."""
    return {"code": blocker.code.value, "detail": blocker.detail, "evidence": blocker.evidence}


def _steps(repository: Repository, memory: Memory) -> Iterator[tuple[object, ...]]:
    uses = repository.graph(memory)
    for index, (step, signature) in enumerate(zip(memory.steps, repository.program(memory), strict=True)):
        others = uses[signature].memories - 1
        yield (
            index + 1,
            step.role.value,
            step.action.action,
            _parameters(step),
            step.target,
            _anchors(step),
            others,
        )


def _parameters(step: Step) -> str:
    return clip(parameter_words(step.action.parameters, with_places=False), 44)


def _anchors(step: Step) -> str:
    kinds = " ".join(anchor.kind for anchor in step.evidence.anchors)
    return f"{kinds} (weak)" if step.evidence.weak else kinds


def _evidence(facts: JsonObject) -> str:
    crops, frames = (size_text(_whole(facts[name])) for name in ("crop_bytes", "frame_bytes"))
    return f"{crops} of crops, {frames} of audit frames"


def _step_line(line: StepLine) -> str:
    words = parameter_words(line.parameters)
    component = line.component.rpartition(":")[2]
    return clip(f"{line.position + 1:>3} {line.action} {component} {words}".rstrip(), 100)


def _sides(change: FieldChange) -> Iterator[str]:
    for mark, value in (("-", change.first), ("+", change.second)):
        if value is not None:
            yield f"  {mark} {clip(_HEX.sub(lambda found: found[0][:12], _plain(value)), 100)}"


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False).replace('"', "")


def _move(event: AuditEvent) -> str:
    source, target = event.body.source, event.body.target
    return target.value if source in (None, target) else f"{source.value} > {target.value}"


def _field(name: str, value: str) -> str:
    return f"  {name:<14}{value or '-'}"


def _joined(value: JsonValue) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
