"""A run directory read back: every whole record, also of a run that died, and what is missing."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from actionlens.actions import Action
from actionlens.chain import read_chain
from actionlens.errors import RunUnreadable
from actionlens.frames import Pixels, load_frame
from actionlens.observation import Observation, Record
from actionlens.process import is_alive
from actionlens.records import (
    Happened,
    Looked,
    Manifest,
    Request,
    RunStatus,
    StepEnded,
    StepId,
    StepStarted,
    StepStatus,
    StoredFrame,
)
from actionlens.run_log import FILES, MANIFEST, PULSE, SEAL, file_digests, seal_text

R = TypeVar("R", bound=Record)
_STEP_LINE: TypeAdapter[StepStarted | StepEnded] = TypeAdapter(StepStarted | StepEnded)


@dataclass(frozen=True, slots=True)
class Step:
    """One step, both halves together; without an end its outcome is unknown."""

    started: StepStarted
    ended: StepEnded | None

    @property
    def id(self) -> StepId:
        """Monotonic within the run."""
        return self.started.step

    @property
    def status(self) -> StepStatus:
        """How it ended."""
        return self.ended.status if self.ended else StepStatus.OUTCOME_UNKNOWN

    @property
    def request(self) -> Request:
        """What was asked for."""
        return self.started.request

    @property
    def action(self) -> Action:
        """What was sent to the desktop."""
        return self.started.request.action

    @property
    def before(self) -> Observation:
        """The desktop before the first input event."""
        return self.started.before

    @property
    def after(self) -> Observation | None:
        """The desktop once it had settled."""
        return self.ended.after if self.ended else None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its directory tells it."""

    path: Path
    manifest: Manifest
    steps: tuple[Step, ...]
    observations: tuple[Looked, ...]
    events: tuple[Happened, ...]
    index: dict[str, StoredFrame] = field(repr=False)
    missing: tuple[str, ...]

    @property
    def status(self) -> RunStatus:
        """The manifest's word, unless the writer died before it could have one."""
        if self.manifest.status is RunStatus.RUNNING and not _writer_alive(self.path):
            return RunStatus.INTERRUPTED
        return self.manifest.status

    def frame(self, seen: Observation | str) -> Pixels:
        """Pixels of an observation.

        Raises:
            RunUnreadable: a file is missing or altered.
        """
        return load_frame(self.path, self.index, seen if isinstance(seen, str) else seen.frame)


def read_run(path: Path) -> Run:
    """Read a run directory, whatever became of its writer.

    Raises:
        RunUnreadable: there is no readable manifest.
    """
    manifest = read_manifest(path)
    missing: list[str] = []
    halves = list(_records(path / FILES["steps"], _STEP_LINE, missing))
    ends = {half.step: half for half in halves if isinstance(half, StepEnded)}
    steps = tuple(Step(half, ends.get(half.step)) for half in halves if isinstance(half, StepStarted))
    missing += [f"step {step.id} ({step.action.action}) has no end" for step in steps if step.ended is None]
    stored = _records(path / FILES["frame_index"], TypeAdapter(StoredFrame), missing)
    if manifest.status is RunStatus.RUNNING and not _writer_alive(path):
        missing.append("the run was never sealed: its writer died")
    return Run(
        path=path,
        manifest=manifest,
        steps=steps,
        observations=tuple(_records(path / FILES["observations"], TypeAdapter(Looked), missing)),
        events=tuple(_records(path / FILES["events"], TypeAdapter(Happened), missing)),
        index={entry.frame: entry for entry in stored},
        missing=tuple(missing),
    )


def read_manifest(path: Path) -> Manifest:
    """The manifest of a run.

    Raises:
        RunUnreadable: it is not there, or is none.
    """
    try:
        return Manifest.model_validate_json((path / MANIFEST).read_bytes())
    except OSError as exc:
        raise RunUnreadable(f"{path.name}: no run here: {MANIFEST}: {exc.strerror}") from exc
    except ValidationError as exc:
        raise RunUnreadable(f"{path.name}: {MANIFEST} is damaged ({exc.error_count()} wrong)") from exc


def verify_run(path: Path) -> list[str]:
    """Everything that is wrong with a run's evidence; nothing for an untouched sealed run.

    Raises:
        RunUnreadable: there is no readable manifest.
    """
    run = read_run(path)
    problems = list(run.missing)
    for frame in sorted(_frames_named(run) | set(run.index)):
        try:
            run.frame(frame)
        except RunUnreadable as exc:
            problems.append(str(exc))
    return problems + _seal_problems(path, run.manifest.status)


def _seal_problems(path: Path, status: RunStatus) -> list[str]:
    seal = path / SEAL
    if not seal.exists():
        return [] if status is RunStatus.RUNNING else [f"{SEAL}: is missing"]
    try:
        text = seal.read_bytes()
        files: dict[str, str] = dict(json.loads(text)["files"])
    except (ValueError, KeyError, TypeError):
        return [f"{SEAL}: is damaged"]
    problems = [] if seal_text(files) == text else [f"{SEAL}: was altered"]
    found = file_digests(path)
    problems += [
        f"{name}: was altered" for name in sorted(files) if found.get(name, files[name]) != files[name]
    ]
    problems += [f"{name}: is missing" for name in sorted(files.keys() - found.keys())]
    problems += [f"{name}: is not part of the sealed run" for name in sorted(found.keys() - files.keys())]
    return problems


def _frames_named(run: Run) -> set[str]:
    seen = [look.seen for look in run.observations]
    for step in run.steps:
        seen += [step.before, *([step.after] if step.after else [])]
    return {one.frame for one in seen}


def _records(path: Path, kind: TypeAdapter[R], missing: list[str]) -> Iterator[R]:
    for line in read_chain(path):
        if line.body is None:
            missing.append(line.problem or "")
            continue
        try:
            yield kind.validate_json(line.body)
        except ValidationError as exc:
            missing.append(f"{path.name}: line {line.number} is not a record: {exc.errors()[0]['msg']}")


def _writer_alive(path: Path) -> bool:
    try:
        return is_alive((path / PULSE).read_text())
    except OSError:
        return False
