"""What we start gets a clean environment: ours may hold the host's keys."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from actionlens.desk import Desktop, open_virtual
from actionlens.programs import children_of
from ibtr.geometry import Size
from tests.server.processes import ROOT

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
KEY = "ECHOPATH_TEST_API_KEY"


async def test_neither_the_x_server_nor_its_companions_get_our_environment(
    x_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "hush")
    desktop = await open_virtual(Size(320, 200))

    told = {_name(pid): _environment(pid) for pid in _below(desktop.pid)}
    await desktop.close()

    assert {"Xvfb", "openbox"} <= told.keys()
    assert not [name for name, environment in told.items() if KEY in environment]


async def test_the_keeper_of_the_clipboard_does_not_get_our_environment(
    virtual: Desktop,
) -> None:
    program = (
        "import sys; from actionlens.clipboard import as_text; "
        "from actionlens.clipboard_keeper import leave_to_a_keeper; "
        "leave_to_a_keeper(sys.argv[1], as_text('kept'))"
    )
    own = {**os.environ, KEY: "hush", "XAUTHORITY": virtual.authority, "PYTHONPATH": str(ROOT)}

    await anyio.run_process([sys.executable, "-c", program, virtual.display], env=own)

    (keeper,) = _keepers(virtual.display)
    assert KEY not in _environment(keeper)


def _keepers(display: str) -> list[int]:
    argv = [b"actionlens.clipboard_keeper", display.encode()]
    return [int(one.name) for one in Path("/proc").glob("[0-9]*") if _words(one)[2:4] == argv]


def _words(process: Path) -> list[bytes]:
    with suppress(OSError):  # it may end at any moment
        return (process / "cmdline").read_bytes().split(b"\0")
    return []


def _below(pid: int) -> Iterator[int]:
    for child in children_of(pid):
        yield child
        yield from _below(child)


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _environment(pid: int) -> set[str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return {pair.partition("=")[0] for pair in pairs}
