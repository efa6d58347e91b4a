"""Open the program that a recording is about: on a private desktop nobody else can."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import anyio

from actionlens.errors import ActionFailed
from server.app import App

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from actionlens.observation import Window
    from actionlens.run_reader import Run

_START_S = 20.0


async def open_program(app: App, argv: Sequence[str]) -> Window:
    """Start a program and wait until a window of its own is in front and at rest.

    Raises:
        UnsafeAction: the policy lets it not be started.
        ActionFailed: it cannot be started, or shows no window.
    """
    from server.replay.aiming import rest

    await app.guard.check_launch(argv)
    desktop = await app.operator.desktop()
    before = {(window.id, window.title) for window in (await desktop.capture()).windows}
    await desktop.launch(argv)
    with anyio.move_on_after(_START_S):
        while True:
            window = (await desktop.capture()).window
            if window is not None and (window.id, window.title) not in before:
                await rest(desktop)
                return window
            await anyio.sleep(0.02)
    raise ActionFailed(
        f"open: {argv[0]} was started, but no window of it came to the front in {_START_S:g} s"
    )


def launch_of(run: Run) -> dict[str, JsonValue] | None:
    """The condition that opens this run's program again, unless it is there."""
    argv = run.manifest.detail.get("opened")
    window = run.steps[0].started.before.window if run.steps else None
    if not isinstance(argv, list) or window is None:
        return None
    plain = [str(part).replace("{", "{{").replace("}", "}}") for part in argv]
    shown: dict[str, JsonValue] = {"application": window.application}
    names = [PurePath(str(part)).name for part in argv[1:]]
    if named := [name for name in names if name and name in window.title]:
        shown["title_contains"] = named[-1]  # the document, too: the program may show another one
    return {"kind": "launch", "argv": [*plain], "window": shown}
