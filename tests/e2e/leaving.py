"""Servers in the middle of something, to be told to stop."""

import sys
from pathlib import Path
from typing import Any

import anyio

from actionlens.desk import Desktop
from tests.actionlens.test_kill import MARK
from tests.desktop.host import Host

MOVING = Path(__file__).parent.parent / "desktop" / "moving.py"


async def at_work(home: Path, desk: Desktop, mark: str = "") -> Host:
    """A server on somebody's desktop, which it has looked at."""
    env = {"ECHOPATH_HOME": str(home), "DISPLAY": desk.display, "XAUTHORITY": desk.authority, MARK: mark}
    host = await Host.start("--desktop", "local", **env)
    await host.call("observe")
    return host


async def replay(host: Host, **inputs: str) -> None:
    """Ask for a replay, and do not wait for it."""
    arguments = {"memory": "save_client", "inputs": inputs}
    params: dict[str, Any] = {"name": "run_memory", "arguments": arguments}
    await host.send({"id": 99, "method": "tools/call", "params": params})


async def never_still(desk: Desktop) -> None:
    """Something that moves beside the form, so that a target is waited for as long as it may take."""
    form = (await desk.capture()).window
    assert form is not None
    await desk.launch([sys.executable, str(MOVING), "corner"])
    with anyio.fail_after(20):
        while not any(window.title == "corner" for window in (await desk.capture()).windows):
            await anyio.sleep(0.01)
    await desk.activate(form.id)
    with anyio.fail_after(20):
        while (now := (await desk.capture()).window) is None or now.id != form.id:
            await anyio.sleep(0.01)
