"""What all tests share: the event loop, real desktops, and windows on them that prove what reached them."""

import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from blockbuster import blockbuster_ctx
from hypothesis import settings

from actionlens.actions import Press
from actionlens.controller import Frame
from actionlens.desk import Desktop, open_local, open_virtual
from actionlens.frames import changed_box
from ibtr.geometry import Point, Size

PROBE = Path(__file__).parent / "desktop" / "probe.py"
SIZE = Size(1280, 800)
settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"  # session-wide, so that tests can share a desktop


@pytest.fixture
def nothing_blocks_the_loop() -> Iterator[None]:
    """A file, SQLite or sleep call of ours on the event loop fails the test."""
    with blockbuster_ctx(scanned_modules=["actionlens", "memory_store", "server"]):
        yield


@pytest.fixture(scope="session")
def x_server() -> None:
    if shutil.which("Xvfb") and shutil.which("openbox"):
        return
    reason = "no Xvfb or no openbox here: `make setup` installs them"
    if os.environ.get("ECHOPATH_REQUIRE_DESKTOP"):
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass(frozen=True)
class Screen:
    """A desktop under test and what can be put on it."""

    desktop: Desktop
    folder: Path

    async def show(
        self,
        title: str = "one",
        at: tuple[int, int] = (100, 120),
        note: str = "",
        size: Size = Size(400, 200),  # noqa: B008
    ) -> "Probe":
        log = self.folder / f"{title}-{len(list(self.folder.iterdir()))}.jsonl"
        place = tuple(map(str, (*at, *size)))
        await self.desktop.launch([sys.executable, str(PROBE), str(log), title, *place, note])
        probe = Probe(log, title)
        await self.until(lambda frame: frame.window is not None and frame.window.title == title)
        await probe.until(lambda events: any(one["event"] == "focus" for one in events))
        await probe.until(lambda events: any(one["event"] == "shown" for one in events))
        return probe

    async def until(self, true: Callable[[Frame], bool], limit_s: float = 20) -> Frame:
        with anyio.fail_after(limit_s):
            while not true(frame := await self.desktop.capture()):
                await anyio.sleep(0.01)
        return frame

    async def nothing_is_held(self) -> bool:
        """A key that stays down would change the state of the next one."""
        probe = await self.show("after")
        await self.desktop.perform(Press(key="a"))
        await probe.until(lambda events: any(one["event"] == "down" for one in events))
        return bool(probe.of("down")[0]["state"] == 0)

    async def mousepad(self, file: Path | None = None) -> Frame:
        home = self.folder / "home"
        (home / ".config" / "gtk-3.0").mkdir(parents=True, exist_ok=True)
        (home / ".config" / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-cursor-blink=0\n")
        argv = ["mousepad", "--disable-server", *([str(file)] if file else [])]
        await self.desktop.launch(argv, env={"HOME": str(home), "GSETTINGS_BACKEND": "memory"})
        await self.until(lambda frame: frame.window is not None and frame.window.application == "Mousepad")
        return await self.still()

    async def still(self, for_s: float = 0.4) -> Frame:
        """A window that has just come up loses keys: wait until it has painted and rests."""
        frame, since = await self.desktop.capture(), anyio.current_time()
        with anyio.fail_after(20):
            while anyio.current_time() - since < for_s:
                await anyio.sleep(0.02)
                now = await self.desktop.capture()
                if now.pixels is not frame.pixels and changed_box(frame.pixels, now.pixels):
                    since = anyio.current_time() if not _is_caret(frame, now) else since
                frame = now
        return frame


def _is_caret(one: Frame, other: Frame) -> bool:
    box = changed_box(one.pixels, other.pixels)
    return box is not None and box.width <= 3


def on(desktop: Desktop) -> dict[str, str]:
    """Environment of a program that the test itself runs on a desktop."""
    return {"PATH": os.environ["PATH"], "DISPLAY": desktop.display, "XAUTHORITY": desktop.authority}


@dataclass(frozen=True)
class Probe:
    """A self-proving window."""

    log: Path
    title: str

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [one for one in self.events if one["event"] in kinds]

    async def until(self, true: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        with anyio.fail_after(20):
            while not true(self.events):
                await anyio.sleep(0.01)
        return self.events

    def point(self, number: int, at: tuple[int, int] = (100, 120)) -> Point:
        """Middle of a numbered square, for a window placed at `at` without a frame."""
        return Point(at[0] + 30 + 60 * number, at[1] + 42)


@pytest.fixture(scope="module")
async def both(x_server: None) -> AsyncIterator[tuple[Desktop, Desktop]]:
    """One screen, and both controllers on it: the virtual one owns it, the local one is a guest."""
    virtual = await open_virtual(SIZE)
    local = await open_local(virtual.display, virtual.authority)
    yield virtual, local
    await local.close()
    await virtual.close()


@pytest.fixture
async def virtual(both: tuple[Desktop, Desktop]) -> AsyncIterator[Desktop]:
    """A module's desktop, as good as new."""
    yield both[0]
    for desktop in both:
        await desktop.release()
        await desktop.end_programs()
    await both[0].resize(SIZE)


@pytest.fixture(params=["virtual", "local"])
def desktop(request: pytest.FixtureRequest, virtual: Desktop, both: tuple[Desktop, Desktop]) -> Desktop:
    """Both controllers."""
    return virtual if request.param == "virtual" else both[1]


@pytest.fixture
async def fresh(x_server: None) -> AsyncIterator[Desktop]:
    """A desktop for a test that breaks it."""
    desktop = await open_virtual(SIZE)
    yield desktop
    await desktop.close()


@pytest.fixture
def screen(desktop: Desktop, tmp_path: Path) -> Screen:
    return Screen(desktop, tmp_path)
