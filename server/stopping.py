"""Stop when told to: inputs released, the run sealed, the store closed, the process gone."""

import os
import signal
import threading
from typing import NoReturn

import anyio
from anyio.abc import TaskStatus

from server.app import App

_CLOSE_S = 3.0  # it takes a fraction of that; a loaded machine gets the rest, so that the run is sealed


async def exit_on_signal(app: App, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> NoReturn:
    """Wait for SIGINT or SIGTERM, close the App and leave.

    Leaving is hard: a thread that reads standard input, or an open stream of a client, blocks a clean unwind.
    """
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:  # a second one, which hosts send soon, must not cut the closing short
            _leave_in_any_case()
            await app.close()
            os._exit(0)
    raise AssertionError("signals do not end")


def _leave_in_any_case() -> None:
    """A desktop that hangs cannot hold us: its evidence is on disk, only the seal would be missing."""
    timer = threading.Timer(_CLOSE_S, os._exit, (0,))
    timer.daemon = True
    timer.start()
