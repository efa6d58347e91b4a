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
from actionlens.last_words import LastWords

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
    """What was started on one desktop.

    What a leashed program says is listened to: it ends with us, so no pipe of it can break before.
    """

    def __init__(self, environment: Mapping[str, str], *, leash: bool) -> None:
        self.environment = dict(environment)
        self._leash = leash
        self._running: list[subprocess.Popen[bytes]] = []
        self._words: dict[int, LastWords] = {}
        self._children: dict[int, set[int]] = {}

    def start(self, argv: Sequence[str], cwd: str | None = None, env: Mapping[str, str] | None = None) -> int:
        """Start a program; its pid.

        Raises:
            ActionFailed: it cannot be started.
        """
        environment = {**self.environment, **(env or {})}
        if not _found(argv[0], environment["PATH"]):
            apart = "; give the program and its arguments as separate items" if " " in argv[0] else ""
            raise ActionFailed(f"cannot start {argv[0]!r}: no such program on {environment['PATH']}{apart}")
        others = set(children_of(os.getpid()))
        try:
            program = subprocess.Popen(
                leashed(argv) if self._leash else list(argv),
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE if self._leash else subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as exc:
            raise ActionFailed(f"cannot start {argv[0]!r}: {exc.strerror}") from exc
        self._running.append(program)
        self._children[program.pid] = others
        if program.stderr is not None:
            self._words[program.pid] = LastWords(program.stderr)
        return program.pid

    def ended(self, pid: int) -> tuple[int, str] | None:
        """Exit code and last words of a program that is gone with all it started; None: something is left.

        A program that handed its work to one that was running before is gone, too.
        """
        program = next((one for one in self._running if one.pid == pid), None)
        if program is None or program.poll() is None or self._left_of(pid):
            return None
        words = self._words.get(pid)
        return program.returncode, words.last() if words else ""

    def _left_of(self, pid: int) -> bool:
        """Whether it left processes behind: in its session, or detached, which then are our children."""
        known = self._children[pid] | {one.pid for one in self._running}
        detached = set(children_of(os.getpid())) - known
        return any(session_of(child) is not None for child in detached) or _in_session(pid)

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
        self._words.clear()
        self._children.clear()


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


def session_of(pid: int) -> int | None:
    """The session of a process; None if it has ended."""
    try:
        state, *_, session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:4]
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else int(session)


def _in_session(session: int) -> bool:
    """Whether a process of this session is still there."""
    numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return any(session_of(pid) == session for pid in numbers)


def _found(program: str, path: str) -> bool:
    if "/" in program:
        return os.access(program, os.X_OK)
    return any(os.access(Path(folder) / program, os.X_OK) for folder in path.split(":"))


def _signal_group(pid: int, number: int) -> None:
    with suppress(OSError):
        os.killpg(pid, number)
