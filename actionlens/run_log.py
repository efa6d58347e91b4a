"""The evidence directory of a run while it is written: append-only, synced per record, sealed at the end."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from pydantic import JsonValue

from actionlens.chain import ChainWriter
from actionlens.commit import Commit
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
        self.path.mkdir(mode=0o700, parents=True)
        (self.path / PULSE).write_text(identity())
        self._write_manifest(manifest)
        self.path = self.path.rename(root / manifest.run_id)
        self._commit = Commit()
        self._lines = {
            name: ChainWriter(self.path / FILES[name], self._commit)
            for name in ("steps", "observations", "events", "frame_index")
        }
        index = self._lines["frame_index"].append
        self._frames = FrameStore(self.path / FILES["frames"], index, self._commit)
        self._next_step = 1
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
        log.event("run_started", at=at)
        return log

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

    def observation(self, record: Looked) -> None:
        """Write a standalone observation."""
        self._append("observations", record)

    def event(self, event: str, *, at: datetime, **detail: JsonValue) -> None:
        """Write a lifecycle event."""
        self._append("events", Happened(at=at, event=event, detail=detail))

    def seal(
        self, status: RunStatus, *, at: datetime, outputs: tuple[str, ...] = (), **detail: JsonValue
    ) -> Manifest:
        """End the run: last event, final manifest, digests of every file. A second call changes nothing."""
        if self.sealed:
            return self.manifest
        self.event("run_sealed", at=at, status=status.value)
        counts = {name: lines.count for name, lines in self._lines.items()}
        counts["actions"] = self._next_step - 1
        for lines in self._lines.values():
            lines.close()
        self.manifest = self.manifest.model_copy(
            update={
                "status": status,
                "ended_at": at,
                "counts": counts,
                "outputs": outputs,
                "detail": {**self.manifest.detail, **detail},
            }
        )
        self._write_manifest(self.manifest)
        (self.path / PULSE).unlink()
        write_seal(self.path)
        self.sealed = True
        return self.manifest

    def _append(self, name: str, record: Record) -> None:
        self._lines[name].append(record)
        self._commit.sync()

    def _write_manifest(self, manifest: Manifest) -> None:
        replace_synced(self.path / MANIFEST, manifest.model_dump_json(indent=2).encode())


def write_seal(path: Path) -> None:
    """Write the digest of every file of a run, and of that list itself."""
    replace_synced(path / SEAL, seal_text(file_digests(path)))


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


def replace_synced(path: Path, data: bytes) -> None:
    """Put a file in place whole, or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)
    draft.replace(path)


def now() -> datetime:
    """The shell's clock."""
    return datetime.now(UTC)
