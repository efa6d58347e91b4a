"""Replays as JSON and as lines for people; no logic, no store."""

from collections.abc import Iterable, Iterator
from typing import cast

from memory_store.canonical import document
from memory_store.ledger import Replay
from memory_store.models import JsonObject
from server.next_command import SEEN, fell_short, next_command
from server.table import counted, table

_PHASES = "phases_s"


def listed(replay: Replay, memory: str) -> JsonObject:
    """One line of `replays list`."""
    return {
        "replay_id": replay.id,
        "memory": memory,
        "ending": replay.ending.value,
        "cause": replay.cause,
        "steps_done": replay.steps_done,
        "seconds": replay.detail.get("wall_s"),
        "host_tokens": replay.host_tokens,
        "started_at": replay.started_at.isoformat(),
    }


def list_table(rows: Iterable[JsonObject]) -> str:
    """`replays list` for people."""
    head = ("replay", "memory", "ending", "cause", "steps", "seconds", "tokens", "started")
    names = ("replay_id", "memory", "ending", "cause", "steps_done", "seconds", "host_tokens")
    return table(head, [(*(row[name] for name in names), str(row["started_at"])[:19]) for row in rows])


def described(replay: Replay, memory: str) -> JsonObject:
    """All of `replays show`."""
    return {**listed(replay, memory), "replay": document(replay)}


def shown(replay: Replay, memory: str) -> Iterator[str]:
    """`replays show` for people."""
    detail = replay.detail
    yield f"{replay.id}  {memory}  {replay.ending.value}  {replay.started_at:%Y-%m-%d %H:%M:%S} UTC"
    if replay.cause:
        yield f"stopped at step {detail.get('step')}: {replay.cause}: {detail.get('says') or '-'}"
        yield from refusal_lines(replay.cause, detail.get("evidence"), replay_id=replay.id, memory=memory)
    if verdict := detail.get("verdict"):
        yield f"the artifact: {verdict}"
    if unproven := detail.get("unproven"):
        yield f"but {unproven}"
    if gates := detail.get("gates"):
        yield f"gates: {'; '.join(map(str, _listed(gates)))}"
    yield from _pairs("inputs", detail.get("inputs"))
    yield from _pairs("seconds", detail.get(_PHASES))
    yield (
        f"{detail.get('wall_s', 0)} s in all, {counted(replay.steps_done, 'step', 'steps')} done, "
        f"{detail.get('re_aimed', 0)} re-aimed, {detail.get('repairs', 0)} repaired, "
        f"about {replay.host_tokens} tokens given to the host"
        f"{_against(detail.get('first_pass_tokens'))}"
    )
    if rows := _steps(detail.get("steps")):
        yield table(("step", "action", "target", "binding", "seen as", "score"), rows)
    for name in ("prepared", "planned", "host_verdicts"):
        for one in _listed(detail.get(name)):
            yield f"{name.replace('_', ' ')}: {_in_words(one)}"
    for run in _listed(detail.get("runs")):
        yield f"evidence: echopath runs show {run}"


def _in_words(fact: object) -> str:
    if not isinstance(fact, dict):
        return str(fact)
    return ", ".join(f"{name} {value}" for name, value in cast("dict[str, object]", fact).items())


def _against(tokens: object) -> str:
    return f" ({tokens} in the first pass)" if tokens else ""


def _pairs(label: str, facts: object) -> Iterator[str]:
    if isinstance(facts, dict) and facts:
        known = cast("dict[str, object]", facts)
        yield f"{label}: " + ", ".join(f"{name} = {value}" for name, value in known.items())


def refusal_lines(cause: str, evidence: object, *, replay_id: str, memory: str) -> Iterator[str]:
    """Which check failed, the facts behind it, and what to do next; every number is in the JSON."""
    facts = cast("dict[str, object]", evidence) if isinstance(evidence, dict) else {}
    if short := fell_short(facts):
        yield short
    yield from fact_lines("evidence", {name: one for name, one in facts.items() if name not in SEEN})
    yield next_command(cause, facts, replay_id=replay_id, memory=memory)


def fact_lines(label: str, facts: object) -> Iterator[str]:
    """One fact a line; what lies within a fact is named by its path."""
    if flat := list(_flat("", facts)):
        wide = max(len(name) for name, _ in flat)
        yield f"{label}:"
        yield from (f"  {name:<{wide}}  {words}" for name, words in flat)


def _flat(path: str, value: object) -> Iterator[tuple[str, str]]:
    items = _listed(value)
    if isinstance(value, dict):
        for name, one in cast("dict[str, object]", value).items():
            yield from _flat(f"{path} {name}".strip(), one)
    elif any(isinstance(one, dict | list) for one in items):
        for number, one in enumerate(items, 1):
            yield from _flat(f"{path} {number}", one)
    elif value not in (None, [], ""):
        yield path.replace("_", " "), ", ".join(map(str, items)) if items else str(value)


def _steps(notes: object) -> list[tuple[object, ...]]:
    names = ("step", "action", "target", "binding", "representation", "score")
    tables = (cast("dict[str, object]", note) for note in _listed(notes) if isinstance(note, dict))
    return [tuple(note.get(name) for name in names) for note in tables]


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
