"""What the server says no to, beyond what the parts below it say.

EchoPathError
├── ReplayNotFound     no replay of this server has that id
└── NothingToRepair    the replay is not waiting for that
"""

from ibtr.errors import EchoPathError


class ReplayNotFound(EchoPathError):
    """No replay of this server has that id."""

    def __init__(self, replay_id: str) -> None:
        super().__init__(f"replay_id: no replay {replay_id!r} is known here; run_memory starts one")


class NothingToRepair(EchoPathError):
    """The replay is not waiting for what was offered."""
