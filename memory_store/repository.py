"""The only door to what was learned: add, find, promote, quarantine, branch, merge, diff, export, verify."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memory_store.archive import BundleLimits
from memory_store.audit import Event
from memory_store.bundle import Bundle, write_bundle
from memory_store.changes import Change, Changes
from memory_store.doubts import is_unseen_import, rules_for
from memory_store.edits import Birth, MemoryEdit, Repair, branched, repaired
from memory_store.errors import InvalidMemory, PromotionRefused
from memory_store.ledger import Replay
from memory_store.lifecycle import Blocker, PromotionRules, check_move, promotion_blockers
from memory_store.merging import merged
from memory_store.models import JsonObject, Lifecycle, Memory, Verdict
from memory_store.quarantine import QuarantinePolicy, reason_to_quarantine
from memory_store.reading import Reader
from memory_store.retrieval.ask import Ask
from memory_store.retrieval.candidates import Found
from memory_store.transfer import arrivals, new_memory_id, without_frames, write_file
from memory_store.writing import Keeper, check_evidence, collect, writing


@dataclass(frozen=True, slots=True)
class StoreRules:
    """What the settings decide for the store."""

    promotion: PromotionRules = field(default_factory=PromotionRules)
    quarantine: QuarantinePolicy = field(default_factory=QuarantinePolicy)
    lookups_kept: int = 10_000


class Repository(Reader):
    """One open store. Synchronous; may be used from several threads, one call at a time."""

    def __init__(self, folder: Path, *, rules: StoreRules | None = None, actor: str = "echopath") -> None:
        """Open the store, making it if need be.

        Raises:
            StoreUnusable: corrupt, full, read-only or too new; the subclass says which.
        """
        super().__init__(folder)
        self._rules = rules or StoreRules()
        self._changes = Changes(self._rows, self._log, self._search, actor)
        if not self._search.is_current():
            self._rebuild_index()

    def find(self, ask: Ask, *, at: datetime) -> Found:
        """Memories for a request, best first, with the reasons for and against; leaves an audit record."""
        with self._db.snapshot():
            found = self._search.find(ask)
        with self._db.atomic():
            self._lookups.write_down(ask.goal, found.audit, at=at, kept=self._rules.lookups_kept)
        return found

    def blockers(self, memory: Memory) -> tuple[Blocker, ...]:
        """All that stands in the way of promoting it."""
        return promotion_blockers(memory, rules_for(memory, self._rules.promotion, self._db))

    def doubted_at(self, memory: Memory) -> datetime | None:
        """Since when only new proof counts, if something speaks against the old one."""
        return rules_for(memory, self._rules.promotion, self._db).verdict_after

    # Taking in

    @contextmanager
    def writing(self) -> Generator[Keeper]:
        """Keep evidence and add the memory that refers to it, safe from garbage collection in between."""
        with writing(self._blobs, self._lock, self._rows) as keeper:
            yield keeper

    def add(self, memory: Memory, *, at: datetime, because: str = "") -> Memory:
        """Take in a candidate whose evidence has been kept inside `writing()`.

        Raises:
            InvalidMemory: its id is taken, or it is not a candidate.
            NameTaken: its tool name belongs to another memory.
            EvidenceMissing: it refers to evidence that is not here.
        """
        if memory.lifecycle is not Lifecycle.CANDIDATE:
            raise InvalidMemory("lifecycle", "a new memory is a candidate")
        return self._take_in(Change(Event.ADDED, at, because), memory)

    # Lifecycle

    def promote(
        self, wanted: str, verdict: Verdict | None = None, *, at: datetime, because: str = ""
    ) -> Memory:
        """Make a memory active; the row and its audit event land together or not at all.

        Raises:
            MemoryNotFound: no memory has this id or name.
            IllegalTransition: it is not in a state that can become active.
            PromotionRefused: carrying every blocker, not just the first.
        """
        with self._db.atomic():
            memory = self.get(wanted)
            check_move(memory.id, memory.lifecycle, Lifecycle.ACTIVE)
            if verdict is not None:
                validation = memory.validation.model_copy(update={"verdict": verdict})
                memory = memory.model_copy(update={"validation": validation})
            if blockers := self.blockers(memory):
                raise PromotionRefused(memory.id, blockers)
            said = memory.validation.verdict.evaluator if memory.validation.verdict else ""
            change = Change(Event.PROMOTED, at, because or f"validated by {said}")
            return self._changes.move(memory, Lifecycle.ACTIVE, change)

    def promote_checked(self, wanted: str, verdict: Verdict, *, at: datetime, because: str = "") -> Memory:
        """As `promote`, by what its evaluator says now; if that is half of a proof, it is kept for the other.

        Raises:
            PromotionRefused: and whatever `promote` raises.
        """
        try:
            return self.promote(wanted, verdict, at=at, because=because)
        except PromotionRefused:
            self._keep_half(wanted, verdict, at=at)
            raise

    def reject(self, wanted: str, *, at: datetime, because: str) -> Memory:
        """Refuse a candidate for good; it stays for diagnosis, and can be branched."""
        return self._move(wanted, Lifecycle.REJECTED, Change(Event.REJECTED, at, because))

    def quarantine(self, wanted: str, *, at: datetime, because: str) -> Memory:
        """Take an active memory out of use until a newer verdict brings it back."""
        return self._move(wanted, Lifecycle.QUARANTINED, Change(Event.QUARANTINED, at, because))

    def deprecate(self, wanted: str, *, at: datetime, because: str) -> Memory:
        """Retire a memory; its record and its audit trail stay."""
        return self._move(wanted, Lifecycle.DEPRECATED, Change(Event.DEPRECATED, at, because))

    def rename(self, wanted: str, tool_name: str, *, at: datetime, because: str = "") -> Memory:
        """Give a memory another tool name, on request only.

        Raises:
            NameTaken: another memory has it.
            InvalidMemory: it is no tool name.
        """
        with self._db.atomic():
            return self._changes.rename(self.get(wanted), tool_name, Change(Event.RENAMED, at, because))

    # Children

    def branch(
        self, wanted: str, edit: MemoryEdit, *, at: datetime, tool_name: str | None = None, because: str = ""
    ) -> Memory:
        """A changed copy as a candidate of its own; the parent stays as it is."""
        parent = self.get(wanted)
        change = Change(Event.BRANCHED, at, because, {"parents": [parent.id]})
        return self._bear(parent, tool_name, change, lambda birth: branched(parent, edit, birth))

    def repair(
        self,
        wanted: str,
        repair: Repair,
        *,
        at: datetime,
        tool_name: str | None = None,
        because: str = "",
    ) -> Memory:
        """New evidence for some steps, as one candidate child; the parent is never overwritten."""
        parent = self.get(wanted)
        change = Change(
            Event.REPAIRED, at, because, {"parents": [parent.id], "steps": [one.step for one in repair.steps]}
        )
        return self._bear(parent, tool_name, change, lambda birth: repaired(parent, repair, birth))

    def merge(
        self, first: str, second: str, *, at: datetime, tool_name: str | None = None, because: str = ""
    ) -> Memory:
        """One candidate from two memories with equal programs, or one within the other.

        Raises:
            MergeRefused: neither program lies within the other.
            InvalidMemory: it is one and the same memory.
        """
        left, right = self.get(first), self.get(second)
        if left.id == right.id:
            raise InvalidMemory("other", f"{second} is {first} itself; name another memory")
        change = Change(Event.MERGED, at, because, {"parents": [left.id, right.id]})
        return self._bear(left, tool_name, change, lambda birth: merged(left, right, birth))

    # Replays

    def record_replay(self, replay: Replay, *, at: datetime) -> str | None:
        """Write a replay down; returns the reason if that put its memory in quarantine."""
        with self._db.atomic():
            memory = self.get(replay.memory_id)
            self._ledger.put(replay)
            if memory.lifecycle is not Lifecycle.ACTIVE:
                return None
            promoted = self._log.last(memory.id, Event.PROMOTED)
            recent = self._ledger.with_effect(memory.id, since=promoted.at if promoted else None)
            reason = reason_to_quarantine((each.outcome for each in recent), self._rules.quarantine)
            if reason is not None:
                change = Change(Event.QUARANTINED, at, reason, {"replay": replay.id}, actor="policy")
                self._changes.move(memory, Lifecycle.QUARANTINED, change)
            return reason

    # Bundles

    def export(self, wanted: Sequence[str], path: Path, *, at: datetime, frames: bool = True) -> int:
        """Write memories with their evidence into one bundle; returns its size in bytes.

        Raises:
            EvidenceMissing: a memory's evidence is not whole.
        """
        memories = [self.get(each) for each in dict.fromkeys(wanted)]
        if not frames:
            memories = [without_frames(memory) for memory in memories]
        data = write_bundle(memories, self._blobs.get, at=at)
        write_file(path, data)
        return len(data)

    def import_bundle(
        self,
        path: Path,
        *,
        at: datetime,
        names: Mapping[str, str] | None = None,
        limits: BundleLimits | None = None,
    ) -> tuple[Memory, ...]:
        """Take in a bundle, all of it or nothing; its memories are candidates whatever they claim.

        Raises:
            BundleRefused: naming the field; nothing of it is left behind.
        """
        with Bundle(path, limits) as bundle:
            bundle.check_blobs()
            memories = arrivals(bundle, self._rows, names or {}, at=at)
            self._changes.check_arrivals(memories)
            change = Change(Event.IMPORTED, at, "", {"bundle_sha256": bundle.sha256})
            with self.writing() as keeper:
                for listed in bundle.manifest.blobs:
                    keeper.keep(bundle.blob(listed.sha256))
                with self._db.atomic():
                    self._changes.check_arrivals(memories)
                    return tuple(self._changes.insert(memory, change) for memory in memories)

    # Upkeep

    def collect_garbage(self) -> tuple[int, int]:
        """Remove blobs that nothing refers to, never during a write; how many, and how many bytes."""
        return collect(self._blobs, self._lock, self._rows)

    def _keep_half(self, wanted: str, verdict: Verdict, *, at: datetime) -> None:
        """Remember a check of which nobody knows what was before: the next one is held against it."""
        with self._db.atomic():
            memory = self.get(wanted)
            if not verdict.is_half or is_unseen_import(self._db, memory.id):
                return
            checked = memory.model_copy(
                update={"validation": memory.validation.model_copy(update={"verdict": verdict})}
            )
            said: JsonObject = {"evaluator": verdict.evaluator, "outcome": verdict.after.outcome.value}
            change = Change(Event.CHECKED, at, "before and after are not both known yet", said)
            self._changes.move(checked, memory.lifecycle, change)

    def _rebuild_index(self) -> None:
        with self._db.atomic():
            if not self._search.is_current():
                self._search.rebuild(self._rows.all([Lifecycle.ACTIVE]).memories)

    def _move(self, wanted: str, target: Lifecycle, change: Change) -> Memory:
        with self._db.atomic():
            memory = self.get(wanted)
            check_move(memory.id, memory.lifecycle, target)
            return self._changes.move(memory, target, change)

    def _bear(
        self, parent: Memory, tool_name: str | None, change: Change, make: Callable[[Birth], Memory]
    ) -> Memory:
        with self._db.atomic():
            name = tool_name or self._rows.free_name(parent.tool_name)
            return self._take_in(change, make(Birth(new_memory_id(), name, change.at)))

    def _take_in(self, change: Change, memory: Memory) -> Memory:
        with self._lock.shared(), self._db.atomic():
            check_evidence(memory, self._blobs)
            return self._changes.insert(memory, change)
