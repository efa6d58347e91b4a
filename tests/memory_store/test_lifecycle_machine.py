"""The lifecycle against a model that is simple enough to be right."""

import itertools
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from memory_store.edits import MemoryEdit, Repair, StepRepair
from memory_store.errors import IllegalTransition, InvalidMemory, NameTaken, PromotionRefused
from memory_store.lifecycle import LEGAL_MOVES
from memory_store.models import Lifecycle, Memory, MemoryId, Outcome, ReasoningReport, Recommendation
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from tests.memory_store.making import click, later, make_memory, replay, verdict

S = Lifecycle


@dataclass
class Life:
    """What the model knows of one memory; all times are minutes. It asks the store nothing."""

    proof: int | None
    """When the verdict that it bears was given, if it is a good one."""
    viable: bool
    born: int
    heir_of: list["Life"] = field(default_factory=list["Life"])
    """Whose verdict it took over: what becomes of them concerns it."""
    doubts: list[int] = field(default_factory=list[int])
    """When it was quarantined or rejected, and for a repair, when its parents had been."""
    state: Lifecycle = S.CANDIDATE

    def doubted(self) -> list[int]:
        return [*self.doubts, *(at for one in self.heir_of for at in one.doubted())]

    def is_proven(self) -> bool:
        return self.proof is not None and all(self.proof > at for at in self.doubted())


class LifecycleMachine(RuleBasedStateMachine):
    """Every rule either does what the model says or is refused with the right error, changing nothing."""

    known = Bundle("known")

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.repository = Repository(Path(self.folder.name) / "home")
        self.clock = itertools.count(1)
        self.lives: dict[MemoryId, Life] = {}
        self.names: dict[str, MemoryId] = {}
        self.bad: dict[MemoryId, list[bool]] = {}
        self.events = 0

    def teardown(self) -> None:
        if hasattr(self, "repository"):
            assert self.repository.verify().problems == ()
            self.repository.close()
            self.folder.cleanup()

    def now(self) -> int:
        return next(self.clock)

    @rule(
        target=known,
        name=st.sampled_from(["a", "b", "c", "d"]),
        proven=st.booleans(),
        viable=st.sampled_from([True, True, False]),
    )
    def add(self, name: str, proven: bool, viable: bool) -> MemoryId | None:
        recommended = Recommendation.PROMOTE if viable else Recommendation.REJECT
        reasoning = ReasoningReport(viable=viable, recommendation=recommended)
        memory = make_memory(name, with_verdict=verdict() if proven else None, reasoning=reasoning)
        at = self.now()
        try:
            self.repository.add(memory, at=later(at))
        except NameTaken:
            assert name in self.names
            return None
        return self._born(memory, Life(proof=0 if proven else None, viable=viable, born=at))

    @rule(target=known, parent=known)
    def branch(self, parent: MemoryId | None) -> MemoryId | None:
        if parent is None:
            return None
        at, old = self.now(), self.lives[parent]
        child = self.repository.branch(parent, MemoryEdit(), at=later(at))
        return self._born(child, Life(proof=old.proof, viable=old.viable, born=at, heir_of=[old]))

    @rule(target=known, parent=known, proven=st.booleans())
    def repair(self, parent: MemoryId | None, proven: bool) -> MemoryId | None:
        if parent is None:
            return None
        said, at, old = self.now(), self.now(), self.lives[parent]
        step = StepRepair(step=0, evidence=click("phone field", x=200).evidence)
        repair = Repair(steps=(step,), verdict=verdict(at=later(said)) if proven else None)
        child = self.repository.repair(parent, repair, at=later(at))
        life = Life(proof=said if proven else None, viable=old.viable, born=at, doubts=old.doubted())
        return self._born(child, life)

    @rule(target=known, first=known, second=known)
    def merge(self, first: MemoryId | None, second: MemoryId | None) -> MemoryId | None:
        if first is None or second is None:
            return None
        at, left, right = self.now(), self.lives[first], self.lives[second]
        try:
            child = self.repository.merge(first, second, at=later(at))
        except InvalidMemory:
            assert first == second
            return None
        assert first != second
        usable = not {left.state, right.state} & {S.REJECTED, S.QUARANTINED}
        proof = left.proof if usable and right.proof is not None else None
        viable = left.viable and right.viable
        return self._born(child, Life(proof=proof, viable=viable, born=at, heir_of=[left, right]))

    @rule(target=known, memory=known)
    def take_home(self, memory: MemoryId | None) -> MemoryId | None:
        """Out of the store as a bundle, and in again under another name: it has nothing but its viability."""
        if memory is None:
            return None
        at, path = self.now(), Path(self.folder.name) / "bundle.zip"
        self.repository.export([memory], path, at=later(at))
        names = {self.repository.get(memory).tool_name: f"in_{at}"}
        (child,) = self.repository.import_bundle(path, at=later(at), names=names)
        return self._born(child, Life(proof=None, viable=self.lives[memory].viable, born=at))

    @rule(memory=known, outcome=st.none() | st.sampled_from(Outcome))
    def promote(self, memory: MemoryId | None, outcome: Outcome | None) -> None:
        if memory is None:
            return
        at, life = self.now(), self.lives[memory]
        said = verdict(outcome, at=later(at)) if outcome else None
        proven = outcome is Outcome.PASSED if outcome else life.is_proven()
        try:
            self.repository.promote(memory, said, at=later(at))
        except IllegalTransition:
            assert S.ACTIVE not in LEGAL_MOVES[life.state]
        except PromotionRefused:
            assert not (proven and life.viable)
        else:
            assert proven and life.viable
            assert S.ACTIVE in LEGAL_MOVES[life.state]
            self._moved(memory, S.ACTIVE, at)
            self.bad[memory] = []
            if outcome:
                life.proof = at

    @rule(memory=known, to=st.sampled_from([S.REJECTED, S.QUARANTINED, S.DEPRECATED]))
    def move(self, memory: MemoryId | None, to: Lifecycle) -> None:
        if memory is None:
            return
        moves = {
            S.REJECTED: self.repository.reject,
            S.QUARANTINED: self.repository.quarantine,
            S.DEPRECATED: self.repository.deprecate,
        }
        try:
            moves[to](memory, at=later(at := self.now()), because="the machine says so")
        except IllegalTransition:
            assert to not in LEGAL_MOVES[self.lives[memory].state]
        else:
            assert to in LEGAL_MOVES[self.lives[memory].state]
            self._moved(memory, to, at)

    @rule(memory=known, bad=st.booleans(), effect=st.booleans())
    def replay(self, memory: MemoryId | None, bad: bool, effect: bool) -> None:
        if memory is None:
            return
        number, at = self.now(), self.now()
        done = replay(memory, number, Ending.FAILED if bad else Ending.VERIFIED, sent=int(effect))
        reason = self.repository.record_replay(done, at=later(at))
        if effect:
            self.bad.setdefault(memory, []).append(bad)
        quarantined = self.lives[memory].state is S.ACTIVE and sum(self.bad.get(memory, [])[-5:]) >= 3
        assert (reason is not None) == quarantined
        if quarantined:
            self._moved(memory, S.QUARANTINED, at)

    @rule(memory=known, name=st.sampled_from(["a", "b", "c", "d", "e"]))
    def rename(self, memory: MemoryId | None, name: str) -> None:
        if memory is None:
            return
        try:
            self.repository.rename(memory, name, at=later(self.now()))
        except NameTaken:
            assert self.names[name] != memory
            return
        self.names = {held: holder for held, holder in self.names.items() if holder != memory}
        self.names[name] = memory
        self.events += 1

    @rule()
    def reopen(self) -> None:
        folder = self.repository.folder
        self.repository.close()
        self.repository = Repository(folder)

    @invariant()
    def the_store_agrees_with_the_model(self) -> None:
        if not hasattr(self, "repository"):
            return
        found = {memory.id: memory.lifecycle for memory in self.repository.memories()}
        assert found == {memory: life.state for memory, life in self.lives.items()}
        assert {memory.tool_name: memory.id for memory in self.repository.memories()} == self.names
        assert self.repository.revision() == self.events

    def _born(self, memory: Memory, life: "Life") -> MemoryId:
        self.lives[memory.id] = life
        self.names[memory.tool_name] = memory.id
        self.events += 1
        return memory.id

    def _moved(self, memory: MemoryId, target: Lifecycle, at: int) -> None:
        self.lives[memory].state = target
        if target in {S.REJECTED, S.QUARANTINED}:
            self.lives[memory].doubts.append(at)
        self.events += 1


LifecycleMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestLifecycle = LifecycleMachine.TestCase
