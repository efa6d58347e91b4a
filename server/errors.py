"""What the server says no to, beyond what the parts below it say.

EchoPathError
├── ReplayNotFound     no replay of this server has that id
├── NothingToRepair    the replay is not waiting for that
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


class NoLibrary(EchoPathError):
    """There is no store in the folder that was named."""

    def __init__(self, folder: Path, how: str) -> None:
        super().__init__(f"no library in {folder}: {how}")


class LibraryTooSmall(EchoPathError):
    """A diagnostic has nothing to measure on."""

    def __init__(self, missing: str, how: str) -> None:
        super().__init__(f"{missing}: {how}")
        self.missing = missing
