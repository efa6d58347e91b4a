"""The lifecycle against a model that is simple enough to be right."""

import itertools
import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from memory_store.edits import MemoryEdit
from memory_store.errors import IllegalTransition, NameTaken, PromotionRefused
from memory_store.lifecycle import LEGAL_MOVES
from memory_store.models import Lifecycle, Memory, MemoryId, Outcome
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from tests.memory_store.making import AT, make_memory, replay, verdict

S = Lifecycle


class LifecycleMachine(RuleBasedStateMachine):
    """Every rule either does what the model says or is refused with the right error, changing nothing."""

    known = Bundle("known")

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.repository = Repository(Path(self.folder.name) / "home")
        self.clock = itertools.count(1)
        self.states: dict[MemoryId, Lifecycle] = {}
        self.names: dict[str, MemoryId] = {}
        self.bad: dict[MemoryId, list[bool]] = {}
        self.proven: set[MemoryId] = set()
        self.events = 0

    def teardown(self) -> None:
        if hasattr(self, "repository"):
            assert self.repository.verify().problems == ()
            self.repository.close()
            self.folder.cleanup()

    def now(self) -> int:
        return next(self.clock)

    @rule(target=known, name=st.sampled_from(["a", "b", "c", "d"]), proven=st.booleans())
    def add(self, name: str, proven: bool) -> MemoryId | None:
        memory = make_memory(name, with_verdict=verdict() if proven else None)
        try:
            self.repository.add(memory, at=AT + timedelta(minutes=self.now()))
        except NameTaken:
            assert name in self.names
            return None
        self._born(memory, proven=proven)
        return memory.id

    @rule(target=known, parent=known)
    def branch(self, parent: MemoryId | None) -> MemoryId | None:
        if parent is None:
            return None
        child = self.repository.branch(parent, MemoryEdit(), at=AT + timedelta(minutes=self.now()))
        self._born(child, proven=child.validation.verdict is not None)
        return child.id

    @rule(memory=known, outcome=st.none() | st.sampled_from(Outcome))
    def promote(self, memory: MemoryId | None, outcome: Outcome | None) -> None:
        if memory is None:
            return
        at = AT + timedelta(minutes=self.now())
        said = verdict(outcome, at=at) if outcome else None
        was = self.states[memory]
        good = outcome is Outcome.PASSED if outcome else (memory in self.proven and was is not S.QUARANTINED)
        try:
            self.repository.promote(memory, said, at=at)
        except IllegalTransition:
            assert S.ACTIVE not in LEGAL_MOVES[was]
        except PromotionRefused:
            assert not good
        else:
            assert good
            assert S.ACTIVE in LEGAL_MOVES[was]
            self._moved(memory, S.ACTIVE)
            self.bad[memory] = []
            self.proven.add(memory)

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
            moves[to](memory, at=AT + timedelta(minutes=self.now()), because="the machine says so")
        except IllegalTransition:
            assert to not in LEGAL_MOVES[self.states[memory]]
        else:
            assert to in LEGAL_MOVES[self.states[memory]]
            self._moved(memory, to)

    @rule(memory=known, bad=st.booleans(), effect=st.booleans())
    def replay(self, memory: MemoryId | None, bad: bool, effect: bool) -> None:
        if memory is None:
            return
        number = self.now()
        done = replay(memory, number, Ending.FAILED if bad else Ending.VERIFIED, sent=int(effect))
        reason = self.repository.record_replay(done, at=AT + timedelta(minutes=number + 1))
        if effect:
            self.bad.setdefault(memory, []).append(bad)
        quarantined = self.states[memory] is S.ACTIVE and sum(self.bad.get(memory, [])[-5:]) >= 3
        assert (reason is not None) == quarantined
        if quarantined:
            self._moved(memory, S.QUARANTINED)

    @rule(memory=known, name=st.sampled_from(["a", "b", "c", "d", "e"]))
    def rename(self, memory: MemoryId | None, name: str) -> None:
        if memory is None:
            return
        try:
            self.repository.rename(memory, name, at=AT + timedelta(minutes=self.now()))
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
        assert found == self.states
        assert {memory.tool_name: memory.id for memory in self.repository.memories()} == self.names
        assert self.repository.revision() == self.events

    def _born(self, memory: Memory, *, proven: bool) -> None:
        self.states[memory.id] = S.CANDIDATE
        self.names[memory.tool_name] = memory.id
        self.events += 1
        if proven:
            self.proven.add(memory.id)

    def _moved(self, memory: MemoryId, target: Lifecycle) -> None:
        self.states[memory] = target
        self.events += 1


LifecycleMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestLifecycle = LifecycleMachine.TestCase
