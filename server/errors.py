"""What the server says no to, beyond what the parts below it say.

EchoPathError
├── ReplayNotFound     no replay of this server has that id
├── NothingToRepair    the replay is not waiting for that
├── NotInFront         a host points into a window that lies behind
├── OwnRecording       a replay in the middle of its own host's recording would end it
├── FolderTaken        the demo's folder holds what no demo has made
├── NoLibrary          there is no store in the folder that was named
└── LibraryTooSmall    a diagnostic has nothing to measure on; says what is missing
"""

from pathlib import Path

from ibtr.errors import EchoPathError


class ReplayNotFound(EchoPathError):
    """No replay of this server has that id."""

    def __init__(self, replay_id: str) -> None:
        super().__init__(f"replay_id: no replay {replay_id!r} is known here; run_memory starts one")


class NothingToRepair(EchoPathError):
    """The replay is not waiting for what was offered."""


class NotInFront(EchoPathError):
    """A host points into a window that lies behind, where the recorded target was in the one in front."""

    def __init__(self, field: str, there: str, front: str) -> None:
        super().__init__(
            f"{field}: that place is in the window {there[:80]!r}, but {front[:80]!r} is in front, and the "
            "recorded target was inside the window in front. Bring its window forward (repair_step with role "
            "repair_action, one click on it), or point inside the window in front; nothing was sent"
        )


class OwnRecording(EchoPathError):
    """A replay in the middle of the caller's own recording: a run of its own, it would end that one."""

    def __init__(self, run_id: str, goal: str) -> None:
        super().__init__(
            f"you are recording {goal[:120]!r} yourself, and a replay would end it: finish_run first"
        )
        self.run_id, self.goal = run_id, goal


class FolderTaken(EchoPathError):
    """The folder for the demo holds something, and no demo has made it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"--out: {folder} holds files that no demo has made; nothing was touched: name a new folder"
        )


class NoLibrary(EchoPathError):
    """There is no store in the folder that was named."""

    def __init__(self, folder: Path, how: str) -> None:
        super().__init__(f"no library in {folder}: {how}")


class LibraryTooSmall(EchoPathError):
    """A diagnostic has nothing to measure on."""

    def __init__(self, missing: str, how: str) -> None:
        super().__init__(f"{missing}: {how}")
        self.missing = missing
