"""Programs started on a desktop: a clean environment, nothing of ours inherited, no orphan left."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from actionlens.errors import ActionFailed

_PASSED = frozenset(
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ XDG_DATA_DIRS XDG_CONFIG_DIRS TMPDIR".split()
)
_PR_SET_CHILD_SUBREAPER = 36

# Run before the program: end when the desk ends, however it ended. Written as its own process because a fork
# with Python code in it is not safe next to threads.
_LEASH = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, int(sys.argv[1])); "
    "os.getppid() == int(sys.argv[2]) or sys.exit(1); os.execvp(sys.argv[3], sys.argv[3:])"
)


def clean_environment(**extra: str) -> dict[str, str]:
    """What a launched program may know: never our own environment, which may hold the host's keys."""
    kept = {name: value for name, value in os.environ.items() if name in _PASSED or name.startswith("LC_")}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", **kept, **extra}


def leashed(argv: Sequence[str], with_signal: int = signal.SIGKILL) -> list[str]:
    """A command line that dies with this process."""
    return [sys.executable, "-I", "-S", "-c", _LEASH, str(int(with_signal)), str(os.getpid()), *argv]


def become_subreaper() -> None:
    """Programs that detach themselves come back to us, so that we can end them."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


class Programs:
    """What was started on one desktop."""

    def __init__(self, environment: Mapping[str, str], *, leash: bool, log: Path | None = None) -> None:
        self.environment = dict(environment)
        self._leash, self._log = leash, log
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, argv: Sequence[str], cwd: str | None = None, env: Mapping[str, str] | None = None) -> int:
        """Start a program; its pid.

        Raises:
            ActionFailed: it cannot be started.
        """
        output = self._log.open("ab") if self._log else subprocess.DEVNULL
        environment = {**self.environment, **(env or {})}
        if not _found(argv[0], environment["PATH"]):
            raise ActionFailed(f"cannot start {argv[0]!r}: no such program on {environment['PATH']}")
        try:
            program = subprocess.Popen(
                leashed(argv) if self._leash else list(argv),
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        except OSError as exc:
            raise ActionFailed(f"cannot start {argv[0]!r}: {exc.strerror}") from exc
        finally:
            if not isinstance(output, int):
                output.close()
        self._running.append(program)
        return program.pid

    def end_all(self) -> None:
        """Ask every program to go, then make it."""
        for program in self._running:
            _signal_group(program.pid, signal.SIGTERM)
        end = time.monotonic() + 0.5
        while time.monotonic() < end and any(program.poll() is None for program in self._running):
            time.sleep(0.01)
        for program in self._running:
            _signal_group(program.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                program.wait(1)
        self._running.clear()


def end_children() -> None:
    """Kill whatever still hangs below this process: programs that detached themselves."""
    for child in children_of(os.getpid()):
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def children_of(pid: int) -> list[int]:
    """Direct children of a process."""
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _found(program: str, path: str) -> bool:
    if "/" in program:
        return os.access(program, os.X_OK)
    return any(os.access(Path(folder) / program, os.X_OK) for folder in path.split(":"))


def _signal_group(pid: int, number: int) -> None:
    with suppress(OSError):
        os.killpg(pid, number)
