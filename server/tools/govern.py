"""What becomes of memories: promoted into use, or reviewed, retired, changed and renamed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, JsonValue, ValidationError, model_validator

from server.app import App
from server.tools.gateway import MemoryName, damaged_rows
from server.toolspec import Answer, Arguments, BadArguments, Effect, ToolSpec, describe

if TYPE_CHECKING:
    from memory_store.edits import MemoryEdit
    from memory_store.lifecycle import Blocker
    from memory_store.listing import Damaged
    from memory_store.models import Memory, Verdict
    from memory_store.repository import Repository

_LONGEST = 300
_EDITABLE = ("keys", "applications", "preconditions", "expected_effects", "evaluator")
"""What a host may change in a branch: neither the program and its evidence, nor what speaks against it."""
Why = Annotated[str, Field(max_length=1000, description="Reason, kept in the audit log.")]


class PromoteMemoryArguments(Arguments):
    """Promote a memory into use: it becomes a tool, if its check passed and nothing blocks it."""

    memory: MemoryName
    check_again: Annotated[
        bool, Field(description="Run its evaluator now, with the recorded values, for a new verdict.")
    ] = False
    because: Why = ""


class ReviewMemoryArguments(Arguments):
    """Review memories: list what waits or is blocked, and why; or change one.

    reject, quarantine and deprecate take it out of use; branch and merge make a new candidate.
    """

    action: Literal["list", "reject", "quarantine", "deprecate", "branch", "merge", "rename"] = "list"
    memory: MemoryName | None = None
    other: Annotated[str | None, Field(max_length=64, description="merge: the second memory.")] = None
    name: Annotated[
        str | None, Field(max_length=48, description="rename: new tool name; branch, merge: the child's.")
    ] = None
    edit: Annotated[
        dict[str, JsonValue],
        Field(description=f"branch: changes: {', '.join(_EDITABLE)}."),
    ] = {}
    because: Why = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needs = {"merge": ("memory", "other"), "rename": ("memory", "name"), "list": ()}
        reasoned = ("reject", "quarantine", "deprecate")
        wanted = needs.get(self.action, ("memory",)) + (("because",) if self.action in reasoned else ())
        if missing := [name for name in wanted if not (getattr(self, name) or "").strip()]:
            raise ValueError(f"{', '.join(missing)}: {self.action} needs it")
        if self.edit and self.action != "branch":
            raise ValueError(f"edit: {self.action} takes none; branch does")
        if beyond := sorted(set(self.edit) - set(_EDITABLE)):
            raise ValueError(f"edit: {', '.join(beyond)}: cannot be changed; {', '.join(_EDITABLE)} can")
        return self


async def promote_memory(app: App, ask: PromoteMemoryArguments) -> Answer:
    """Make a memory active, or say all that stands in the way."""
    from memory_store.errors import PromotionRefused

    verdict = await _checked_again(app, ask.memory) if ask.check_again else None
    at = datetime.now(UTC)
    try:
        memory = await app.memories.use(lambda store: _promoted(store, ask, verdict, at))
    except PromotionRefused as exc:
        return Answer(
            data={
                "promoted": False,
                "memory": ask.memory,
                "blockers": [_blocker(one) for one in exc.blockers],
                "next": ["review_memory", "start_run"],
            }
        )
    return Answer(
        data={
            "promoted": True,
            "memory": memory.tool_name,
            "inputs": [one.name for one in memory.inputs],
            "warnings": _warnings(memory),
            **_second_run(memory),
            "note": "a tool of its own now; run_memory calls it too, where tools are not listed again",
            "next": ["run_memory"],
        }
    )


def _promoted(
    store: Repository, ask: PromoteMemoryArguments, verdict: Verdict | None, at: datetime
) -> Memory:
    if verdict is None:
        return store.promote(ask.memory, at=at, because=ask.because)
    return store.promote_checked(ask.memory, verdict, at=at, because=ask.because)


async def review_memory(app: App, ask: ReviewMemoryArguments) -> Answer:
    """List, or change one memory."""
    if ask.action == "list":
        rows, damaged = await app.memories.use(lambda store: _waiting(store, ask.memory))
        unpublished = dict(app.published.now.unfit)
        return Answer(data={"memories": rows, "unpublished": unpublished, **damaged_rows(damaged)})
    _check_free(ask.name)
    changed = await app.memories.use(lambda store: _change(store, ask))
    return Answer(
        data={"memory": changed.tool_name, "id": changed.id, "state": changed.lifecycle.value}
        | ({"next": ["promote_memory"]} if changed.lifecycle.value == "candidate" else {})
    )


def _change(store: Repository, ask: ReviewMemoryArguments) -> Memory:
    at, why, name = datetime.now(UTC), ask.because, ask.name
    memory = ask.memory or ""
    match ask.action:
        case "reject":
            return store.reject(memory, at=at, because=why)
        case "quarantine":
            return store.quarantine(memory, at=at, because=why)
        case "deprecate":
            return store.deprecate(memory, at=at, because=why)
        case "rename":
            return store.rename(memory, name or "", at=at, because=why)
        case "merge":
            return store.merge(memory, ask.other or "", at=at, tool_name=name, because=why)
        case _:
            edit = _edit(ask.edit, store.get(memory))
            return store.branch(memory, edit, at=at, tool_name=name, because=why)


def _edit(given: dict[str, JsonValue], parent: Memory) -> MemoryEdit:
    """The changes, which must work with the inputs that the program has."""
    from memory_store.consolidation.conditions import condition_problems
    from memory_store.edits import MemoryEdit
    from memory_store.evaluators import problems_of

    try:
        edit = MemoryEdit.model_validate(given)
    except ValidationError as exc:
        raise BadArguments(f"edit: {describe(exc)}") from exc
    names = frozenset(one.name for one in parent.inputs if one.default is not None)
    said = [
        f"edit.{problem}"
        for field in ("preconditions", "expected_effects")
        for at, one in enumerate(getattr(edit, field) or ())
        for problem in condition_problems(one, names, f"{field}.{at}", effect=field == "expected_effects")
    ]
    if edit.evaluator is not None:
        said += problems_of(edit.evaluator.plain(), names, "edit.evaluator")
    if said:
        raise BadArguments("\n".join(said))
    return edit


def _waiting(store: Repository, wanted: str | None) -> tuple[list[dict[str, JsonValue]], list[Damaged]]:
    """Candidates and quarantined memories, or the one that was asked for; and what cannot be read of them."""
    from memory_store.models import Lifecycle

    if wanted:
        return [_row(store, store.get(wanted))], []
    found = [store.recent(state, 15) for state in (Lifecycle.QUARANTINED, Lifecycle.CANDIDATE)]
    rows = [_row(store, memory) for one in found for memory in one.memories]
    return rows, [damaged for one in found for damaged in one.damaged]


def _row(store: Repository, memory: Memory) -> dict[str, JsonValue]:
    row: dict[str, JsonValue] = {
        "memory": memory.tool_name,
        "state": memory.lifecycle.value,
        "does": memory.keys.task_intent[:_LONGEST],
    }
    if memory.lifecycle.value in {"candidate", "quarantined"}:
        row["blockers"] = [_blocker(one) for one in store.blockers(memory)]
    if memory.lifecycle.value == "quarantined":
        why = (one.body.because for one in store.log(memory.id) if one.event.value == "quarantined")
        row["because"] = next(why, "")[:_LONGEST]
    row["warnings"] = _warnings(memory)
    return row


async def _checked_again(app: App, wanted: str) -> Verdict | None:
    from server.checking import checked_again
    from server.regions import sight

    def known(store: Repository) -> tuple[Memory, datetime | None]:
        memory = store.get(wanted)
        return memory, store.doubted_at(memory)

    memory, doubted_at = await app.memories.use(known)
    allowed = (await app.guard.policy()).allowed()
    look = sight(app.operator, app.memories.blob)
    return await checked_again(memory, allowed, app.caller.confirm, look, doubted_at)


def _check_free(name: str | None) -> None:
    from server.catalogue import fixed_names

    if name in fixed_names():
        raise BadArguments(f"name: {name!r} is the name of a fixed tool; give another one")


def _warnings(memory: Memory) -> list[JsonValue]:
    """What consolidation said, and what is weak about the evidence where it did not."""
    said = "\n".join(memory.reasoning.warnings)
    weak = [
        f"step {number}: {step.evidence.weak}"
        for number, step in enumerate(memory.steps, 1)
        if step.evidence.weak and step.evidence.weak not in said
    ]
    return [text[:_LONGEST] for text in (*weak, *memory.reasoning.warnings)[:10]]


def _second_run(memory: Memory) -> dict[str, JsonValue]:
    """The steps that will not work again in the window that the run has left, if there are any."""
    steps: list[JsonValue] = [one.model_dump(mode="json") for one in memory.reasoning.not_again]
    return {"works_once": steps} if steps else {}


def _blocker(one: Blocker) -> JsonValue:
    return {"code": one.code.value, "detail": one.detail[: 2 * _LONGEST]}


TOOLS = (
    ToolSpec("promote_memory", PromoteMemoryArguments, Effect.WRITES_STORE, promote_memory),
    ToolSpec("review_memory", ReviewMemoryArguments, Effect.GOVERNS, review_memory),
)
