"""Our end of the pipe to a desk: the process that owns one display."""

import json
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
from anyio import CapacityLimiter, to_thread
from pydantic import JsonValue

from actionlens import errors
from actionlens.actions import ACTION, Action, longest_s
from actionlens.controller import Frame, ProgramEnd
from actionlens.errors import ActionFailed, DesktopLost, DesktopUnusable, Sent
from actionlens.frames import Pixels
from actionlens.level import Level, open_level
from actionlens.observation import Popup, Under, Window
from actionlens.wire import Message, Wire, WireClosed, WireTimeout
from actionlens.xlib import need_whole_xlib
from ibtr.errors import EchoPathError
from ibtr.geometry import Box, Point, Size

_START_S = 30.0
_CALL_S = 30.0
FULL_HD = Size(1920, 1080)


class Desktop:
    """A Controller whose display lives in a process of its own; see `open_virtual` and `open_local`."""

    def __init__(
        self, kind: str, process: "subprocess.Popen[bytes]", frame_fd: int, level: Level, folder: str
    ) -> None:
        assert process.stdin and process.stdout
        self._kind, self._process, self._frame_fd, self._folder = kind, process, frame_fd, folder
        self._level, self._asked = level, 0
        self._wire = Wire(process.stdout.fileno(), process.stdin.fileno())
        self._hand = CapacityLimiter(1)
        self._pixels: Pixels | None = None
        self._shared: Pixels | None = None
        self.display = ""
        self.authority = ""

    @property
    def name(self) -> str:
        """`virtual :3`, `local :0`."""
        return f"{self._kind} {self.display}"

    @property
    def place(self) -> str:
        """The display is the desktop, whoever drives it; `:0.0` and `:0` are one."""
        return self.display.partition(":")[0] + ":" + self.display.rpartition(":")[2].partition(".")[0]

    @property
    def pid(self) -> int:
        """The process that owns the display."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether that process is still there."""
        return self._process.poll() is None

    async def capture(self) -> Frame:
        """Grab the whole screen."""
        return await to_thread.run_sync(self._capture, limiter=self._hand)

    async def front(self) -> Window | None:
        """The window that has the keyboard."""
        told = (await self._ask("front", {}))["window"]
        return Window.model_validate(told) if told else None

    async def under(self, point: Point) -> Under | None:
        """What a click at `point` would reach."""
        told = (await self._ask("under", {"at": [round(point.x), round(point.y)]}))["window"]
        return Under.model_validate(told) if told else None

    async def perform(
        self,
        action: Action,
        *,
        secret: str | None = None,
        into: int | None = None,
        presses: int | None = None,
        corner: bool = False,
    ) -> dict[str, JsonValue]:
        """Send the input events of an action, into one window only if it is named."""
        self._asked += 1
        said = ACTION.dump_python(action, mode="json")
        message: Message = {"number": self._asked, "action": said, "secret": secret}
        message |= {"into": into, "presses": presses, "corner": corner}
        answer = await self._ask("perform", message, _CALL_S + longest_s(action))
        output: dict[str, JsonValue] = answer["output"]
        return output

    async def caught_up(self) -> bool:
        """Whether the programs that got our keys have read them."""
        return bool((await self._ask("caught_up", {}))["read"])

    def interrupt(self) -> None:
        """Break off every action that was asked for so far; without one, nothing happens."""
        if self._frame_fd >= 0:
            self._level.rise(self._asked)

    async def release(self) -> None:
        """Let go of every key and button."""
        await self._ask("release", {})

    async def launch(
        self, argv: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> int:
        """Start a program; its pid."""
        message: Message = {"argv": list(argv), "cwd": str(cwd) if cwd else None, "env": dict(env or {})}
        return int((await self._ask("launch", message))["pid"])

    async def ended(self, pid: int) -> ProgramEnd | None:
        """How a program ended that was launched here, if nothing is left of it."""
        told = (await self._ask("ended", {"pid": pid}))["ended"]
        return ProgramEnd(int(told["code"]), str(told["said"])) if told else None

    async def activate(self, window_id: int) -> None:
        """Ask the window manager to bring a window to the front."""
        await self._ask("activate", {"window": window_id})

    async def end_programs(self) -> None:
        """End every program that was launched here."""
        await self._ask("end_programs", {})

    async def resize(self, size: Size) -> None:
        """Change the size of a virtual screen."""
        await self._ask("resize", {"size": list(size)})

    async def close(self) -> None:
        """End the desk and wait until it has gone."""
        await to_thread.run_sync(self.end)

    def kill(self) -> None:
        """End the desk's process at once: whoever waits for an answer of it gets DesktopLost."""
        self._process.kill()

    def end(self) -> None:
        """Hang up; the desk lets go of everything and exits. Safe to call twice."""
        if self._process.stdin and not self._process.stdin.closed:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        if self._frame_fd >= 0:
            os.close(self._frame_fd)
            self._frame_fd = -1
            self._level.close()
        shutil.rmtree(self._folder, ignore_errors=True)  # the desk does it too, unless it was killed

    async def _ask(self, call: str, message: Message, timeout_s: float = _CALL_S) -> Message:
        return await to_thread.run_sync(self._call, call, message, timeout_s, limiter=self._hand)

    def _capture(self) -> Frame:
        told = self._call("capture", {})
        if not told["same"] or self._pixels is None:
            self._pixels = self._read_frame(Size(*told["image"]))
        return Frame(
            pixels=self._pixels,
            at=datetime.fromisoformat(told["at"]),
            screen=Size(*told["screen"]),
            origin=Point(0, 0),
            pointer=Point(*told["pointer"]),
            window=Window.model_validate(told["window"]) if told["window"] else None,
            windows=tuple(Window.model_validate(one) for one in told["windows"]),
            hints=tuple(Box(*one) for one in told["hints"]),
            popups=tuple(Popup.model_validate(one) for one in told["popups"]),
            presses=told["presses"],
        )

    def _read_frame(self, size: Size) -> Pixels:
        """What the desk wrote into the memory that we share, as an array that stays as it is."""
        shape = (size.height, size.width, 4)
        if self._shared is None or self._shared.shape != shape:
            memory = mmap.mmap(self._frame_fd, size.width * size.height * 4, prot=mmap.PROT_READ)
            self._shared = np.frombuffer(memory, np.uint8).reshape(shape)
        pixels = np.asarray(cv2.cvtColor(self._shared, cv2.COLOR_BGRA2BGR), np.uint8)
        pixels.flags.writeable = False
        return pixels

    def _call(self, call: str, message: Message, timeout_s: float = _CALL_S) -> Message:
        try:
            self._wire.send({"call": call, **message})
            return self.hear(timeout_s)
        except WireClosed as exc:
            raise DesktopLost(f"the desktop {self.name} is gone (its process ended)") from exc
        except WireTimeout as exc:
            self._process.kill()
            raise DesktopLost(f"the desktop {self.name} did not answer `{call}` in {timeout_s:g} s") from exc

    def hear(self, timeout_s: float) -> Message:
        """One answer of the desk, its refusals raised as what they were there."""
        answer = self._wire.receive(timeout_s)
        if "ok" in answer:
            told: Message = answer["ok"]
            return told
        kind = getattr(errors, answer["failed"], ActionFailed)
        error = EchoPathError.__new__(kind)
        error.args = (answer["text"],)
        if isinstance(error, ActionFailed):
            error.sent = Sent(answer["sent"])
        raise error


async def open_virtual(size: Size = FULL_HD) -> Desktop:
    """A private desktop of our own.

    Raises:
        DesktopUnusable: this machine cannot have one; says what to install.
    """
    _expect_linux()
    return await to_thread.run_sync(_open, {"kind": "virtual", "size": list(size)})


async def open_local(display: str | None = None, authority: str | None = None) -> Desktop:
    """The user's own screen.

    Raises:
        DesktopUnusable: there is none we can drive; says why.
    """
    _expect_linux()
    if display is None and os.environ.get("XDG_SESSION_TYPE") == "wayland":
        raise DesktopUnusable(
            "this is a Wayland session, whose screen cannot be grabbed or driven through X: log in to an X11 "
            "session, or use the virtual desktop (ECHOPATH_DESKTOP=virtual)"
        )
    named = display or os.environ.get("DISPLAY")
    if not named:
        raise DesktopUnusable(
            "no DISPLAY: this process was started without a screen. Pass DISPLAY and XAUTHORITY to it "
            "(Codex: env_vars), or use the virtual desktop"
        )
    return await to_thread.run_sync(_open, {"kind": "local", "display": named}, authority)


def _expect_linux() -> None:
    if not sys.platform.startswith("linux"):
        raise DesktopUnusable(
            f"driving a desktop on {sys.platform} does not work yet: it needs Linux with X11 or Xvfb. "
            "Reading runs and memories works here"
        )


def _open(plan: Message, authority: str | None = None) -> Desktop:
    need_whole_xlib()
    folder = tempfile.mkdtemp(prefix="echopath-desk-")
    frame_fd, level_fd = os.memfd_create("echopath-frame"), open_level()
    plan = {**plan, "folder": folder, "frame_fd": frame_fd, "level_fd": level_fd}
    try:
        process = _start(plan, authority)
    except BaseException as exc:
        for one in (frame_fd, level_fd):
            os.close(one)
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(exc, OSError):
            raise DesktopUnusable(f"the {plan['kind']} desktop cannot be started: {exc}") from exc
        raise
    desktop = Desktop(plan["kind"], process, frame_fd, Level(level_fd), folder)
    try:
        told = desktop.hear(_START_S)
        desktop.display, desktop.authority = told["display"], told["authority"]
    except (WireClosed, WireTimeout) as exc:
        desktop.end()
        raise DesktopUnusable(f"the {plan['kind']} desktop did not start: its process ended") from exc
    except EchoPathError:
        desktop.end()
        raise
    return desktop


def _start(plan: Message, authority: str | None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "actionlens.desk_child", json.dumps(plan)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(plan["frame_fd"], plan["level_fd"]),
        start_new_session=True,
        cwd="/",
        env={**os.environ, **({"XAUTHORITY": authority} if authority else {}), "PYTHONPATH": _import_path()},
    )


def _import_path() -> str:
    """Where this package was imported from: the child must run the same one."""
    here = str(Path(__file__).resolve().parent.parent)
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
