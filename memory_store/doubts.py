"""What speaks against the verdict that a memory bears: a quarantine or rejection, its own or of its line.

A branch and a merge take their parents' verdict over, so what became of a parent concerns them, also later.
A repair brings a verdict of its own, on new evidence: it answers for what was known when it was made. An
imported memory brings none.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from memory_store.audit import AuditEvent, Event, event_of
from memory_store.database import Database, text
from memory_store.lifecycle import LEGAL_MOVES, PromotionRules
from memory_store.models import Lifecycle, Memory, MemoryId

_NOUNS: Final = {Event.QUARANTINED: "quarantine", Event.REJECTED: "rejection"}
_LAST: Final = """
WITH RECURSIVE line (id, until) AS (
    VALUES (?1, '~')
    UNION
    SELECT parents.parent_id,
        CASE birth.event WHEN 'repaired' THEN min(line.until, birth.at) ELSE line.until END
    FROM line
    JOIN parents ON parents.memory_id = line.id
    JOIN audit AS birth ON birth.memory_id = line.id AND birth.event IN ('branched', 'repaired', 'merged')
)
SELECT audit.* FROM audit JOIN line ON audit.memory_id = line.id AND audit.at <= line.until
WHERE audit.event IN ('quarantined', 'rejected') ORDER BY audit.at DESC, audit.seq DESC LIMIT 1
"""
_IMPORTED: Final = """
WITH RECURSIVE line (id) AS (
    VALUES (?1)
    UNION
    SELECT parents.parent_id FROM line
    JOIN parents ON parents.memory_id = line.id
    JOIN audit AS birth ON birth.memory_id = line.id AND birth.event IN ('branched', 'repaired', 'merged')
)
SELECT 1 AS found FROM line JOIN audit ON audit.memory_id = line.id AND audit.event = 'imported'
WHERE NOT EXISTS (SELECT 1 FROM audit AS used WHERE used.memory_id = line.id AND used.event = 'promoted')
LIMIT 1
"""


class Doubt(NamedTuple):
    """The latest event that calls an old verdict into question."""

    event: AuditEvent
    words: str


def rules_for(memory: Memory, rules: PromotionRules, db: Database) -> PromotionRules:
    """The rules for one memory: what speaks against its verdict dates the one that it needs."""
    rules = replace(rules, imported=is_unseen_import(db, memory.id))
    doubt = last_doubt(db, memory.id)
    if doubt is None or Lifecycle.ACTIVE not in LEGAL_MOVES[memory.lifecycle]:
        return rules
    return replace(rules, verdict_after=doubt.event.at, doubt=doubt.words)


def last_doubt(db: Database, memory_id: MemoryId) -> Doubt | None:
    """The last quarantine or rejection of a memory, or of one whose verdict it may bear."""
    row = db.one(_LAST, [memory_id])
    if row is None:
        return None
    event = event_of(row)
    noun = f"the {_NOUNS[event.event]}"
    if event.memory_id == memory_id:
        return Doubt(event, noun)
    held = db.one("SELECT tool_name FROM memories WHERE id = ?", [event.memory_id])
    return Doubt(event, f"{noun} of {text(held, 'tool_name') if held else event.memory_id}")


def is_unseen_import(db: Database, memory_id: MemoryId) -> bool:
    """Whether a memory, or one that it descends from, came in a bundle and was never promoted here."""
    return db.one(_IMPORTED, [memory_id]) is not None
