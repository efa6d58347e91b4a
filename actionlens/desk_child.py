"""The process that owns one display: it obeys the pipe, and on its end-of-file lets go of all and exits.

Started as `python -m actionlens.desk_child`; standard output is the pipe's, so that a stray print cannot
break it.
"""

import json
import mmap
import os
import select
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from actionlens.actions import ACTION
from actionlens.authority import ensure_cookie
from actionlens.errors import ActionFailed, DesktopUnusable, Sent, sent_before
from actionlens.level import Level
from actionlens.local import LocalDisplay
from actionlens.programs import Programs, become_subreaper, clean_environment, end_children
from actionlens.stop import Stop
from actionlens.virtual import VirtualScreen
from actionlens.wire import Message, Wire, WireClosed
from ibtr.errors import EchoPathError
from ibtr.geometry import Size

_SESSION = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP")


class Desk:
    """One desktop and what may be asked of it."""

    def __init__(self, plan: Message, folder: Path, stop: Stop) -> None:
        self._frame_fd: int = plan["frame_fd"]
        self.stop = stop
        self._screen: VirtualScreen | None = None
        if plan["kind"] == "virtual":
            become_subreaper()
            self._screen = VirtualScreen(Size(*plan["size"]), folder)
            display = self._screen.display
            self._programs = Programs(self._screen.environment, leash=True)
        else:
            display = plan["display"]
            ensure_cookie(display, folder)
            session = {name: os.environ[name] for name in _SESSION if name in os.environ}
            authority = os.environ.get("XAUTHORITY", "")
            self._programs = Programs(
                clean_environment(DISPLAY=display, XAUTHORITY=authority, **session), leash=False
            )
        self.display = display
        self.local = LocalDisplay(display, stop.check)
        self._shared: Any = None  # the last frame, in memory that both processes see
        self.calls: dict[str, Callable[[Message], Message]] = {
            "capture": self._capture,
            "front": lambda _: {"window": self.local.front()},
            "under": lambda message: {"window": self.local.under(*message["at"])},
            "perform": self._perform,
            "caught_up": lambda _: {"read": self.local.caught_up()},
            "release": lambda _: self.local.release(),
            "launch": self._launch,
            "ended": self._ended,
            "activate": self._activate,
            "end_programs": self._end_programs,
            "resize": self._resize,
        }

    def _capture(self, _: Message) -> Message:
        pixels, size = self.local.grab()
        at = datetime.now(UTC).isoformat()
        words = pixels.view(np.uint32)
        same = self._shared is not None and np.array_equal(self._shared, words)
        if not same:
            self._share(words)
        return {"same": same, "image": list(size), "screen": list(size), "at": at, **self.local.context()}

    def _share(self, words: Any) -> None:
        if self._shared is None or self._shared.shape != words.shape:
            os.ftruncate(self._frame_fd, max(words.nbytes, os.fstat(self._frame_fd).st_size))
            memory = mmap.mmap(self._frame_fd, words.nbytes)
            self._shared = np.frombuffer(memory, np.uint32).reshape(words.shape)
        np.copyto(self._shared, words)

    def _perform(self, message: Message) -> Message:
        action = ACTION.validate_python(message["action"])
        self.stop.begin(message["number"])
        how = {name: message.get(name) for name in ("secret", "into", "presses")}
        return {"output": self.local.perform(action, **how, corner=bool(message.get("corner")))}

    def _launch(self, message: Message) -> Message:
        return {"pid": self._programs.start(message["argv"], message.get("cwd"), message.get("env"))}

    def _ended(self, message: Message) -> Message:
        ended = self._programs.ended(int(message["pid"]))
        return {"ended": None if ended is None else {"code": ended[0], "said": ended[1]}}

    def _activate(self, message: Message) -> Message:
        self.local.activate(int(message["window"]))
        return {}

    def _end_programs(self, _: Message) -> Message:
        self._programs.end_all()
        return {}

    def _resize(self, message: Message) -> Message:
        if self._screen is None:
            raise ActionFailed("only a virtual desktop can be resized")
        self._screen.resize(Size(*message["size"]))
        return {}

    def end(self) -> None:
        """Let go of everything."""
        self.local.leave(keep_clipboard=self._screen is None)
        if self._screen is not None:
            self._programs.end_all()
            self._screen.end()
            end_children()


def serve(wire: Wire, desk: Desk) -> None:
    """Answer until the pipe ends or we are told to."""
    clipboard = desk.local.clipboard
    while True:
        while not wire.pending:
            ready = select.select([wire.fileno(), clipboard.fileno(), desk.stop.fd], [], [])[0]
            if desk.stop.fd in ready:
                return
            if clipboard.fileno() in ready:
                clipboard.pump()
            if wire.fileno() in ready:
                break
        message = wire.receive()
        wire.send(_answer(desk, message))


def _answer(desk: Desk, message: Message) -> Message:
    try:
        return {"ok": desk.calls[message["call"]](message)}
    except EchoPathError as exc:
        return {"failed": type(exc).__name__, "text": str(exc), "sent": sent_before(exc)}
    except Exception as exc:  # noqa: BLE001 - the boundary: whatever went wrong becomes the answer
        kind = "DesktopLost" if "Connection" in type(exc).__name__ else "ActionFailed"
        return {"failed": kind, "text": f"{type(exc).__name__}: {exc}", "sent": Sent.UNKNOWN}


def main() -> int:
    """Own a display until told to stop."""
    wire_out = os.dup(1)
    os.dup2(2, 1)
    wire = Wire(os.dup(0), wire_out)
    plan = json.loads(sys.argv[1])
    folder = Path(plan["folder"])
    stop = Stop(wire.fileno(), Level(plan["level_fd"]))
    stop.listen()
    try:
        try:
            desk = Desk(plan, folder, stop)
        except DesktopUnusable as exc:
            wire.send({"failed": "DesktopUnusable", "text": str(exc), "sent": Sent.NOTHING})
            return 1
        try:
            wire.send({"ok": {"display": desk.display, "authority": os.environ.get("XAUTHORITY", "")}})
            serve(wire, desk)
        except WireClosed:
            return 0
        finally:
            desk.end()
    finally:
        with suppress(OSError):
            shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
