"""Real `echopath` processes for tests, each with folders of its own."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ECHOPATH = [sys.executable, "-c", "from server.cli import main; main()"]
ROOT = Path(__file__).resolve().parents[2]


def environment(folder: Path, **extra: str) -> dict[str, str]:
    """The least a server needs, with every folder of ours below `folder`; no screen of the user's."""
    passed = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **passed,
        "PYTHONPATH": str(ROOT),
        "ECHOPATH_HOME": str(folder / "home"),
        "ECHOPATH_CONFIG": str(folder / "config"),
        "ECHOPATH_DESKTOP": "virtual",
        "ECHOPATH_SCREEN": "800x600",
        **extra,
    }


class Serving:
    """A running server: its process, and what it has said on standard error."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._said: list[str] = []
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def log(self) -> str:
        return "".join(self._said)

    def wait_for(self, pattern: str, limit_s: float = 60) -> "re.Match[str]":
        with self._more:
            found = self._more.wait_for(lambda: re.search(pattern, self.log) or self._over(), limit_s)
        assert isinstance(found, re.Match), f"never said {pattern!r}, but:\n{self.log}"
        return found

    def end(self, number: int = signal.SIGTERM, limit_s: float = 20) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(limit_s)
        self._reader.join(limit_s)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        return code

    def _over(self) -> bool:
        return self.process.poll() is not None and not self._reader.is_alive()

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            with self._more:
                self._said.append(line.decode(errors="replace"))
                self._more.notify_all()
        with self._more:
            self._more.notify_all()


@contextmanager
def serving(folder: Path, *arguments: str, **extra: str) -> Iterator[Serving]:
    """`echopath serve` with a pipe on each side."""
    process = subprocess.Popen(
        [*ECHOPATH, "serve", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(folder, **extra),
        cwd=folder,
    )
    server = Serving(process)
    try:
        yield server
    finally:
        server.end(signal.SIGKILL)


def run_cli(folder: Path, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
    """One command, to its end."""
    return subprocess.run(
        [*ECHOPATH, *arguments],
        capture_output=True,
        text=True,
        env=environment(folder, **extra),
        cwd=folder,
        timeout=120,
        check=False,
    )
