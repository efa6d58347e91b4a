"""The evidence directory of a run while it is written: append-only, synced per record, sealed at the end."""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from pydantic import JsonValue

from actionlens.chain import ChainWriter
from actionlens.commit import Commit, write_whole
from actionlens.frames import FrameStore, Pixels
from actionlens.mask import Masks
from actionlens.observation import Record
from actionlens.process import identity
from actionlens.records import (
    Happened,
    Looked,
    Manifest,
    RunId,
    RunStatus,
    StepEnded,
    StepId,
    StepStarted,
)

FILES = MappingProxyType(
    {
        "steps": "steps.jsonl",
        "observations": "observations.jsonl",
        "events": "events.jsonl",
        "frame_index": "frames.jsonl",
        "frames": "frames",
    }
)
MANIFEST, SEAL, PULSE = "manifest.json", "seal.json", "writer.pid"


def new_run_id(at: datetime) -> RunId:
    """An id that sorts by time and never comes twice."""
    return RunId(f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")


class RunLog:
    """The one writer of a run directory."""

    def __init__(self, manifest: Manifest, root: Path) -> None:
        """Open a new directory below `root`; use `create`."""
        self.manifest = manifest
        self.path = root / f".{manifest.run_id}"  # no run without a manifest, wherever its writer dies
        self._commit = Commit()
        self._lines: dict[str, ChainWriter] = {}
        try:
            self._frames = self._begin(root)
        except BaseException:
            self.discard()
            raise
        self._next_step, self._actions = 1, 0
        self.masks = Masks()
        self.sealed = False

    @classmethod
    def create(
        cls,
        root: Path,
        *,
        source_agent: str,
        task_goal: str,
        controller: str,
        at: datetime,
        **detail: JsonValue,
    ) -> "RunLog":
        """Start a run; its manifest is on the disk at once."""
        manifest = Manifest(
            run_id=new_run_id(at),
            source_agent=source_agent,
            task_goal=task_goal,
            controller=controller,
            status=RunStatus.RUNNING,
            started_at=at,
            paths=dict(FILES),
            counts={},
            detail=detail,
        )
        log = cls(manifest, root)
        try:
            log.event("run_started", at=at)
        except BaseException:
            log.discard()
            raise
        return log

    def _begin(self, root: Path) -> FrameStore:
        self.path.mkdir(mode=0o700, parents=True)
        (self.path / PULSE).write_text(identity())
        replace_synced({self.path / MANIFEST: manifest_text(self.manifest)})
        self.path = self.path.rename(root / self.manifest.run_id)
        for name in ("steps", "observations", "events", "frame_index"):
            self._lines[name] = ChainWriter(self.path / FILES[name], self._commit)
        index = self._lines["frame_index"].append
        return FrameStore(self.path / FILES["frames"], index, self._commit)

    def discard(self) -> None:
        """Leave nothing of a run that could not be begun: it holds no evidence yet."""
        self._commit.drop()
        for lines in self._lines.values():
            lines.close()
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def run_id(self) -> RunId:
        """Name of the run and of its folder."""
        return self.manifest.run_id

    @property
    def steps(self) -> int:
        """How many steps were begun."""
        return self._next_step - 1

    def allocate_step(self) -> StepId:
        """The next step id; ids only grow."""
        step = StepId(self._next_step)
        self._next_step += 1
        return step

    def keep(self, pixels: Pixels) -> str:
        """Store a frame, once, and give its digest; it is on the disk with the next record."""
        return self._frames.add(self.masks.over(pixels))

    def step(self, record: StepStarted | StepEnded) -> None:
        """Write one half of a step; it and its frame are on the disk when this returns."""
        self._append("steps", record)
        self._actions += isinstance(record, StepStarted)

    def observation(self, record: Looked) -> None:
        """Write a standalone observation."""
        self._append("observations", record)

    def event(self, event: str, *, at: datetime, **detail: JsonValue) -> None:
        """Write a lifecycle event."""
        self._append("events", Happened(at=at, event=event, detail=detail))

    def seal(
        self, status: RunStatus, *, at: datetime, outputs: tuple[str, ...] = (), **detail: JsonValue
    ) -> Manifest:
        """End the run: last event, final manifest, digests of every file. A second call changes nothing.

        One that fails leaves the run as it was, open: it can be called again when there is room.
        """
        if self.sealed:
            return self.manifest
        self.event("run_sealed", at=at, status=status.value)
        counts = {name: lines.count for name, lines in self._lines.items()}
        counts["actions"] = self._actions
        ended = {
            "status": status,
            "ended_at": at,
            "counts": counts,
            "outputs": outputs,
            "detail": {**self.manifest.detail, **detail},
        }
        manifest = self.manifest.model_copy(update=ended)
        try:
            self._write_seal(manifest_text(manifest))
        except BaseException:
            self._lines["events"].take_back()
            raise
        for lines in self._lines.values():
            lines.close()
        self.manifest, self.sealed = manifest, True
        return self.manifest

    def _append(self, name: str, record: Record) -> None:
        """Write a record and see it on the disk; one that does not get there is taken back."""
        self._lines[name].append(record)
        try:
            self._commit.sync()
        except OSError:
            self._lines[name].take_back()
            self._frames.forget()
            raise

    def _write_seal(self, manifest: bytes) -> None:
        """The final manifest with the digest of every file, and of that list itself: both, or neither."""
        files = file_digests(self.path) | {MANIFEST: hashlib.sha256(manifest).hexdigest()}
        files.pop(PULSE, None)
        replace_synced({self.path / MANIFEST: manifest, self.path / SEAL: seal_text(files)})
        (self.path / PULSE).unlink(missing_ok=True)


def manifest_text(manifest: Manifest) -> bytes:
    """A manifest as it is written."""
    return manifest.model_dump_json(indent=2).encode()


def seal_text(files: Mapping[str, str]) -> bytes:
    """The one way to write down what a run consisted of; any other byte is an alteration."""
    itself = hashlib.sha256("\n".join(f"{name} {files[name]}" for name in sorted(files)).encode()).hexdigest()
    return json.dumps({"files": dict(sorted(files.items())), "self": itself}, indent=1).encode()


def file_digests(path: Path) -> dict[str, str]:
    """SHA-256 of every file below a run directory but the seal."""
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != SEAL
    }


def replace_synced(files: Mapping[Path, bytes]) -> None:
    """Put files in place whole, or none of them: all are written before the first has its name."""
    drafts = {path.with_name(f".{path.name}.{os.getpid()}"): path for path in files}
    try:
        for draft, path in drafts.items():
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                write_whole(fd, files[path])
                os.fsync(fd)
            finally:
                os.close(fd)
    except BaseException:
        for draft in drafts:
            draft.unlink(missing_ok=True)
        raise
    for draft, path in drafts.items():
        draft.replace(path)


def now() -> datetime:
    """The shell's clock."""
    return datetime.now(UTC)
