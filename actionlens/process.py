"""Which process is meant: a pid alone is given again to another."""

import os
from pathlib import Path


def identity(pid: int | None = None) -> str:
    """A name for a live process that no later process can have."""
    pid = os.getpid() if pid is None else pid
    return f"{pid}:{_started(pid)}"


def is_alive(who: str) -> bool:
    """Whether the process that `identity` named is still there."""
    pid, _, started = who.partition(":")
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        pass
    except OSError:
        return False
    return _started(int(pid)) == started


def _started(pid: int) -> str:
    """Start time in clock ticks; a zombie counts as gone, and elsewhere than Linux all are "0"."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "0"
    return "gone" if fields[0] == "Z" else fields[19]
