"""JSON lines that prove themselves: each ends with the hash of all that came before it and of itself."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from actionlens.commit import Commit, write_whole

_SEED = "0" * 64
_SUFFIX = ',"chain":"'
_TAIL = len(_SUFFIX) + 64 + 2


def _link(previous: str, body: str) -> str:
    return hashlib.sha256(f"{previous}{body}".encode()).hexdigest()


class _Mark(NamedTuple):
    """How far a file is good."""

    size: int
    link: str
    lines: int


class ChainWriter:
    """Appends records to one file; each is on the disk after the next `commit.sync()`."""

    def __init__(self, path: Path, commit: Commit) -> None:
        self._commit = commit
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL, 0o600)
        self._good = self._before = _Mark(0, _SEED, 0)

    @property
    def count(self) -> int:
        """Lines written."""
        return self._good.lines

    def append(self, record: BaseModel) -> None:
        """Write one line, whole or not at all."""
        body = record.model_dump_json()[:-1]
        link = _link(self._good.link, body)
        line = f'{body}{_SUFFIX}{link}"}}\n'.encode()
        self._cut(self._good)  # what an earlier failure may have left, if it could not be cut then
        try:
            write_whole(self._fd, line)
        except OSError:
            with suppress(OSError):
                self._cut(self._good)
            raise
        self._commit.wrote(self._fd)
        self._before, self._good = self._good, _Mark(self._good.size + len(line), link, self.count + 1)

    def take_back(self) -> None:
        """Undo the last line: it could not be put on the disk. Once, then nothing."""
        self._good = self._before
        with suppress(OSError):
            self._cut(self._good)

    def _cut(self, to: "_Mark") -> None:
        if os.fstat(self._fd).st_size > to.size:
            os.ftruncate(self._fd, to.size)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Line(NamedTuple):
    """One line read back: its JSON body, or what is wrong with it."""

    number: int
    body: str | None
    problem: str | None


def read_chain(path: Path) -> Iterator[Line]:
    """Every line of a file, whole and unaltered ones with their body, others with the problem.

    A line whose hash does not fit is given without its body; the chain goes on from what it claims.
    """
    last = _SEED
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as exc:
        yield Line(0, None, f"{path.name}: cannot be read: {exc.strerror}")
        return
    for number, raw in enumerate(lines, start=1):
        if number == len(lines) and not raw:
            return
        line = raw.decode(errors="replace")
        body, claimed = line[:-_TAIL], line[-66:-2]
        if line[-_TAIL:-66] != _SUFFIX or line[-2:] != '"}' or number == len(lines):
            yield Line(number, None, f"{path.name}: line {number} is cut short")
        elif _link(last, body) != claimed:
            yield Line(number, None, f"{path.name}: line {number} was altered")
            last = claimed
        else:
            yield Line(number, body + "}", None)
            last = claimed
