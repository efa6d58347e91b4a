"""A peer at work in a process of its own, asked line by line."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ibtr.geometry import Point

SCRIPT = Path(__file__).with_name("finders.py")


@dataclass(frozen=True)
class Told:
    """Where a searcher would click, or None; and the processor time it took."""

    point: Point | None
    ms: float | None
    says: str = ""


class Child:
    """One peer, kept for the whole run: its start is no part of a step. One that fails starts anew."""

    def __init__(self, python: Path, finder: str, stderr: Path) -> None:
        self._argv = [str(python), str(SCRIPT), finder]
        self._folder, self._errors = stderr.parent, stderr.open("w")
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=self._folder,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._end()
        self._errors.close()

    def _end(self) -> int:
        assert self._process.stdin and self._process.stdout
        with suppress(OSError):
            self._process.stdin.close()
        code = self._process.wait(60)
        self._process.stdout.close()
        return code

    def ask(self, crop: Path, screen: Path, size: tuple[int, int], at: Point) -> Told:
        """Where it would click; a peer that dies of the question has not found it."""
        assert self._process.stdin and self._process.stdout
        asked = {"crop": str(crop), "screen": str(screen), "size": size, "at": [at.x, at.y]}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        told = json.loads(line) if line else None
        if (
            told is None or told["says"]
        ):  # what a failure left behind must not count against the next question
            code = self._end()
            self._process = self._start()
            if told is None:
                return Told(None, None, f"its process died (exit {code})")
        return Told(Point(*told["point"]) if told["point"] else None, told["ms"], told["says"])
