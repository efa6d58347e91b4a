"""Processes for the stress tests: `python -m tests.memory_store.workers JOB FOLDER ...`."""

import json
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from memory_store.documents import now
from memory_store.edits import MemoryEdit
from memory_store.errors import (
    IllegalTransition,
    MemoryStoreError,
    PromotionRefused,
    StoreFull,
    StoreReadOnly,
)
from memory_store.models import Lifecycle, ReplayId
from memory_store.quarantine import Ending
from memory_store.repository import Repository
from tests.memory_store.making import add_active, add_memory, replay, verdict


def churn(folder: Path, actor: str, operations: int) -> dict[str, int]:
    """Do random things to the store; returns how often each was done. Only legal refusals are survived."""
    done: Counter[str] = Counter()
    choose = random.Random(actor)
    with Repository(folder, actor=actor) as repository:
        for number in range(operations):
            name = "collect" if number % 40 == 39 else choose.choice([*_JOBS])
            try:
                _JOBS.get(name, _collect)(repository, actor, number)
                done[name] += 1
            except (IllegalTransition, PromotionRefused):
                done["refused"] += 1
    return dict(done)


def _toggle(repository: Repository, _actor: str, _number: int) -> None:
    if repository.get("shared").lifecycle is Lifecycle.ACTIVE:
        repository.quarantine("shared", at=now(), because="toggle")
    else:
        repository.promote("shared", verdict(at=now()), at=now())


def _add(repository: Repository, actor: str, number: int) -> None:
    add_memory(repository, f"{actor}_{number}", seed=number % 7)


def _branch(repository: Repository, actor: str, number: int) -> None:
    repository.branch("shared", MemoryEdit(), at=now(), tool_name=f"{actor}_b{number}")


def _replay(repository: Repository, actor: str, number: int) -> None:
    wanted = repository.get("shared")
    done = replay(wanted.id, number, Ending.VERIFIED).model_copy(update={"id": ReplayId(f"{actor}-{number}")})
    repository.record_replay(done, at=now())


def _rename(repository: Repository, actor: str, number: int) -> None:
    repository.rename(f"own_{actor}", f"own_{actor}", at=now(), because=str(number))


def _read(repository: Repository, _actor: str, _number: int) -> None:
    repository.log(limit=3)
    repository.memories(Lifecycle.ACTIVE)


def _collect(repository: Repository, _actor: str, _number: int) -> None:
    repository.collect_garbage()


_JOBS: dict[str, Callable[[Repository, str, int], None]] = {
    "toggle": _toggle,
    "add": _add,
    "branch": _branch,
    "replay": _replay,
    "rename": _rename,
    "read": _read,
}


def promote_forever(folder: Path) -> None:
    """Promote and quarantine one memory without end, until killed."""
    with Repository(folder) as repository:
        _ready()
        while True:
            _toggle(repository, "", 0)


def import_forever(folder: Path) -> None:
    """Import a bundle of three under ever new names, until killed."""
    with Repository(folder) as repository:
        _ready()
        while True:
            mark = random.randrange(16**8)
            names = {f"export_{i}": f"in_{mark:08x}_{i}" for i in range(3)}
            repository.import_bundle(folder.parent / "three.zip", at=now(), names=names)


def add_forever(folder: Path) -> None:
    """Write new blobs and the rows that refer to them, until killed."""
    with Repository(folder) as repository:
        _ready()
        while True:
            mark = random.randrange(16**8)
            add_memory(repository, f"new_{mark:08x}", seed=mark)


def fill(folder: Path) -> dict[str, object]:
    """On a small disk: try everything with hardly any space left, then look at what became of the store."""
    home = folder / "home"
    with Repository(home) as repository:
        add_active(repository, "shared")
        for index in range(3):
            add_memory(repository, f"export_{index}", seed=10 * index)
        repository.export([f"export_{i}" for i in range(3)], folder / "three.zip", at=now())
        before = _state(repository)
    said: Counter[str] = Counter()
    for left in (0, 1, 2, 4, 8, 16, 32):
        _fill_up(folder / "filler", left * 4096)
        said.update(_try_everything(home, folder / "three.zip", left))
        (folder / "filler").unlink()
    with Repository(home) as repository:
        report = repository.verify()
        return {"said": said, "problems": len(report.problems), "kept": len(before) <= report.memories}


def read_only(folder: Path) -> dict[str, object]:
    """In a folder that cannot be written: every way in says so."""
    try:
        Repository(folder)
    except StoreReadOnly as exc:
        return {"said": type(exc).__name__, "path": exc.evidence["path"]}
    return {"said": "nothing"}


def _try_everything(home: Path, bundle: Path, mark: int) -> Counter[str]:
    names = {f"export_{i}": f"in_{mark}_{i}" for i in range(3)}
    attempts: list[Callable[[Repository], object]] = [
        lambda repository: add_memory(repository, f"large_{mark}", seed=4242 + mark),
        lambda repository: repository.import_bundle(bundle, at=now(), names=names),
        lambda repository: _toggle(repository, "", 0),
    ]
    said: Counter[str] = Counter()
    for attempt in attempts:
        said[_attempted(home, attempt)] += 1
    return said


def _attempted(home: Path, attempt: Callable[[Repository], object]) -> str:
    try:
        with Repository(home) as repository:
            before = _state(repository)
            try:
                attempt(repository)
            except StoreFull:
                return "full" if _state(repository) == before else "changed"
            return "done"
    except StoreFull:
        return "full at open"
    except MemoryStoreError as exc:
        return f"{type(exc).__name__}: {exc}"


def _fill_up(path: Path, leave: int) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - leave))


def _state(repository: Repository) -> list[object]:
    return [[memory.id, memory.lifecycle] for memory in repository.memories()]


def _ready() -> None:
    print("ready", flush=True)


def main(job: str, folder: str, *rest: str) -> None:
    """Run one job and print what it returns."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if job == "churn":
        print(json.dumps(churn(Path(folder), rest[0], int(rest[1]))))
    else:
        jobs: dict[str, Callable[[Path], object]] = {
            each.__name__: each for each in (promote_forever, import_forever, add_forever, fill, read_only)
        }
        print(json.dumps(jobs[job](Path(folder))))


if __name__ == "__main__":
    main(*sys.argv[1:])
