"""A peer at work in a process of its own, asked line by line."""

from __future__ import annotations

import json
import subprocess
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
    ms: float
    says: str = ""


class Child:
    """One peer, kept for the whole run: its start is no part of a step."""

    def __init__(self, python: Path, finder: str, stderr: Path) -> None:
        self._errors = stderr.open("w")
        self._process = subprocess.Popen(
            [str(python), str(SCRIPT), finder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=stderr.parent,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()
        self._errors.close()

    def ask(self, crop: Path, screen: Path, size: tuple[int, int], at: Point) -> Told:
        """Raises EOFError when the peer has died."""
        assert self._process.stdin and self._process.stdout
        asked = {"crop": str(crop), "screen": str(screen), "size": size, "at": [at.x, at.y]}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self._process.args!r} has died")
        told = json.loads(line)
        return Told(Point(*told["point"]) if told["point"] else None, told["ms"], told["says"])
