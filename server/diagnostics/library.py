"""A library as the diagnostics read it: its active memories, their evidence, and the frames behind it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ibtr.errors import EchoPathError
from memory_store.models import Lifecycle, Memory, Step
from memory_store.repository import Repository
from server.errors import LibraryTooSmall, NoLibrary
from server.table import counted

if TYPE_CHECKING:
    from actionlens.frames import Pixels
    from server.replay.targets import Targets

_DATABASE = "memories.db"
_CACHED = 16  # decoded frames; 6 MB each at 1920x1080
HOW = (
    "record work with your agent and promote it (README, record once), or try it on the demo's: "
    "`echopath demo --out DIR`, then `echopath bench all --library DIR`"
)


@dataclass(slots=True)
class Library:
    """An open store and what could not be used of it."""

    store: Repository
    memories: tuple[Memory, ...]
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    """Why, by memory and step."""
    _frames: dict[str, Pixels] = field(default_factory=dict[str, "Pixels"])

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.store.folder

    def screen(self, memory: Memory, index: int) -> Pixels | None:
        """The frame before a step: kept with the memory, or still in its run; None where neither is."""
        step = memory.steps[index]
        key = _frame_key(step)
        if key is None:
            return None
        if key not in self._frames:
            try:
                found = self._load(step)
            except EchoPathError as exc:
                self.leave_out(memory, index, exc)
                return None
            while len(self._frames) >= _CACHED:
                del self._frames[next(iter(self._frames))]
            self._frames[key] = found
        return self._frames[key]

    def targets(self, memory: Memory) -> Targets | None:
        """The evidence of a memory's pointer steps, as a replay loads it; None if it cannot be loaded."""
        from server.replay.targets import load_targets

        try:
            return load_targets(memory, self.store.blob)
        except EchoPathError as exc:
            self.left_out[memory.tool_name] = str(exc)
            return None

    def leave_out(self, memory: Memory, index: int, why: EchoPathError | str) -> None:
        """Remember that a step could not be used."""
        self.left_out[f"{memory.tool_name}, step {index + 1}"] = str(why)

    def _load(self, step: Step) -> Pixels:
        from actionlens.run_reader import read_run
        from memory_store.images import decode

        if (kept := step.evidence.frames.get("before")) is not None:
            return decode(self.store.blob(kept.sha256), kept.media_type)
        assert step.source is not None
        run = read_run(self.folder / "runs" / step.source.run_id)
        found = next((one for one in run.steps if one.id == step.source.step_id), None)
        if found is None:
            raise NoLibrary(run.path, f"the run has no step {step.source.step_id}")
        return run.frame(found.before)


def _frame_key(step: Step) -> str | None:
    if (kept := step.evidence.frames.get("before")) is not None:
        return kept.sha256
    return f"{step.source.run_id}/{step.source.step_id}" if step.source is not None else None


def library_folder(named: Path) -> Path:
    """The store in a folder, or in the `home` inside it, where demo and study leave theirs.

    Raises:
        NoLibrary: there is none.
    """
    for folder in (named, named / "home"):
        if (folder / _DATABASE).is_file():
            return folder
    raise NoLibrary(named, HOW)


def active(count: int) -> str:
    """How many active memories, in the right number."""
    return counted(count, "active memory", "active memories")


@contextmanager
def open_library(named: Path) -> Generator[Library]:
    """The active memories of the store in a folder.

    Raises:
        NoLibrary: there is no store.
        LibraryTooSmall: no memory is active.
        StoreUnusable: it is damaged, or cannot be opened.
    """
    with Repository(library_folder(named), actor="bench") as store:
        memories = tuple(store.memories(Lifecycle.ACTIVE))
        if not memories:
            count = len(store.memories())
            raise LibraryTooSmall(f"no active memory in {store.folder} ({count} in all)", HOW)
        yield Library(store, memories)
