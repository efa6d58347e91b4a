"""PyAutoGUI behind the protocol: the eye and the hand on one X display; no other file imports pyautogui.

Runs inside the desk's process only: PyAutoGUI binds one display for the life of a process.
"""

import os
import sys
import types
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from pydantic import JsonValue

from actionlens.actions import (
    KEYBOARD_ACTIONS,
    Action,
    Click,
    Drag,
    Hotkey,
    Move,
    Paste,
    Press,
    Scroll,
    Type,
    check_on_screen,
)
from actionlens.corner import Corner
from actionlens.errors import ActionFailed, DesktopUnusable, Sent
from actionlens.held import Held, HeldJournal, left_behind
from actionlens.into import Into
from actionlens.mouse import Mouse
from actionlens.one_window import OneWindow
from actionlens.windows import Windows
from ibtr.geometry import Box, Size

_TERMINALS = frozenset(
    "xterm uxterm urxvt gnome-terminal-server gnome-terminal konsole xfce4-terminal alacritty kitty "
    "terminator lxterminal tilix mate-terminal qterminal st".split()
)
_PASTE_S = 3.0
_READ_S = 10.0  # how long a program may hang before its keys count as unread


class LocalDisplay:
    """One X display, entered once; every call is synchronous and returns when the server has the events."""

    def __init__(self, display_name: str, go_on: Callable[[], None] = lambda: None) -> None:
        """Enter the display; `go_on` is asked between two input events, and raises to break off."""
        os.environ["DISPLAY"] = display_name
        try:
            from Xlib import display as xdisplay

            self._display: Any = xdisplay.Display(display_name)
        except Exception as exc:
            raise DesktopUnusable(
                f"the display {display_name} does not answer ({type(exc).__name__}: {exc}). "
                "Is it running, and is XAUTHORITY set? `echopath doctor` says more"
            ) from exc
        self._gui: Any = _import_pyautogui()
        from actionlens.arrivals import Arrivals
        from actionlens.clipboard import Clipboard
        from actionlens.presses import Presses
        from actionlens.text import Keyboard

        self._root = self._display.screen().root
        self._windows = Windows(self._display)
        self._presses = Presses(xdisplay.Display(display_name))
        self._told, self._corner = go_on, Corner(self._root)
        self._into = Into(self._windows, self._presses, self._go_on)
        self._arrivals = Arrivals(xdisplay.Display(display_name))
        self._typed_into: OneWindow | None = None
        self._journal = HeldJournal(display_name)
        self._keyboard = Keyboard(
            self._display, self._journal, self._go_on_with_keys, self._presses.sent, self._expect_one_window
        )
        self.clipboard = Clipboard(display_name, self._go_on)
        self._grabber: Any = None
        self._grabbed = Size(0, 0)
        self._mouse = Mouse(self._gui, self._root, self._journal, self._presses, self._go_on)
        for held in left_behind(display_name):
            self._take_over(held)

    # -- the eye ---------------------------------------------------------------------------------

    def size(self) -> Size:
        """The screen now; PyAutoGUI's own answer is stale after a resize."""
        shape = self._root.get_geometry()
        return Size(int(shape.width), int(shape.height))

    def grab(self) -> tuple["np.ndarray[Any, np.dtype[np.uint8]]", Size]:
        """The whole screen as BGRA rows, and its size."""
        import mss

        size = self.size()
        if self._grabber is None or self._grabbed != size:
            if self._grabber is not None:
                self._grabber.close()
            new = getattr(mss, "MSS", None) or mss.mss  # the old name warns in newer versions
            self._grabber, self._grabbed = new(), size  # its buffer fits one size only
        shot = self._grabber.grab({"left": 0, "top": 0, "width": size.width, "height": size.height})
        return np.frombuffer(shot.raw, np.uint8).reshape(size.height, size.width, 4), size

    def context(self) -> dict[str, JsonValue]:
        """Pointer and windows."""
        at, scene = self._root.query_pointer(), self._windows.scene()
        return {
            "pointer": [int(at.root_x), int(at.root_y)],
            "window": scene.front.model_dump(mode="json") if scene.front else None,
            "windows": [window.model_dump(mode="json") for window in scene.windows],
            "hints": [list(box) for box in scene.hints],
            "popups": [popup.model_dump(mode="json") for popup in scene.popups],
            "presses": self._presses.count(),
        }

    def front(self) -> JsonValue:
        """The active window."""
        active = self._windows.active()
        return active.model_dump(mode="json") if active else None

    def under(self, x: int, y: int) -> JsonValue:
        """What a click at a place would reach."""
        found = self._windows.at(x, y)
        return found.model_dump(mode="json") if found else None

    # -- the hand --------------------------------------------------------------------------------

    def perform(
        self,
        action: Action,
        secret: str | None = None,
        into: int | None = None,
        presses: int | None = None,
        *,
        corner: bool = False,
    ) -> dict[str, JsonValue]:
        """Send an action's events, into one window only if it is named.

        Raises:
            OffScreen: a point is not on the screen as it is now; nothing was sent.
            Elsewhere: another window would get them; no button or key went down.
            ActionFailed: the desktop would not take it; says how much was sent.
        """
        self._presses.begin()
        try:
            self._told()
            check_on_screen(action, screen := Box(0, 0, *self.size()))
            self._corner.begin(action.points(), screen, heeded=corner)
            self._into = Into(self._windows, self._presses, self._go_on, into, presses)
            if action.action in KEYBOARD_ACTIONS:
                self._into.expect_keyboard()
            return self._send(action, secret)
        except BaseException as exc:
            if isinstance(exc, ActionFailed):
                exc.sent = Sent.SOME if self._presses.ours else Sent.NOTHING
            self.release()
            raise
        finally:
            self._presses.count()

    def _send(self, action: Action, secret: str | None) -> dict[str, JsonValue]:
        match action:
            case Click():
                self._holding(action.hold, lambda: self._mouse.click(action, self._into))
            case Move():
                self._mouse.go_to(action.x, action.y)
            case Drag():
                self._holding(action.hold, lambda: self._mouse.drag(action, self._into))
            case Scroll():
                self._mouse.scroll(action, self._into)
            case Type():
                self._type(action.text or "", secret)
            case Paste():
                return self._paste(action.text)
            case Press():
                with self._telling(action.presses, "presses"):
                    self._keyboard.press(action.key, action.presses)
            case Hotkey():
                self._keyboard.hotkey(action.keys)
            case _:
                raise ActionFailed(f"{action.action} sends no input events")
        return {}

    def caught_up(self) -> bool:
        """Whether the programs that got our keys have read them; waits for that, but not for ever."""
        try:
            return self._keyboard.caught_up(_READ_S, self._told)
        except ActionFailed:  # told to break off
            return False

    def activate(self, window_id: int) -> None:
        """Bring a window to the front."""
        self._windows.activate(window_id)

    def release(self) -> dict[str, JsonValue]:
        """Let go of every key and button we hold."""
        keys: list[JsonValue] = list(self._keyboard.release())
        return {"keys": keys, "buttons": [*self._mouse.release()]}

    def leave(self, *, keep_clipboard: bool) -> None:
        """Let go, give borrowed keys back, and leave the clipboard to somebody who stays."""
        with suppress(Exception):  # the display may be gone already
            self.release()
            self._keyboard.restore()
            self._journal.close()
            if keep_clipboard and self.clipboard.content:
                from actionlens.clipboard_keeper import leave_to_a_keeper

                leave_to_a_keeper(self._display.get_display_name(), self.clipboard.content)

    def _take_over(self, held: Held) -> None:
        """Let go of what a desk that was killed held here."""
        self._keyboard.take_over(held)
        self._mouse.take_over(held)

    def _go_on(self) -> None:
        """Between two input events."""
        self._told()
        self._corner.check()

    def _go_on_with_keys(self) -> None:
        self._go_on()
        self._into.expect_no_other()
        self._expect_one_window()

    def _expect_one_window(self) -> None:
        if self._typed_into is not None:
            self._typed_into.expect()

    def _type(self, text: str, secret: str | None) -> None:
        """Key a text in; what breaks it off tells how far it came, unless that tells about a secret."""
        self._typed_into = OneWindow(self._windows, self._arrivals, self._into.named)
        try:
            if secret is not None:
                self._keyboard.type(secret)
                return
            with self._telling(len(text), "characters"):
                self._keyboard.type(text)
        finally:
            self._typed_into.end()
            self._typed_into = None

    @contextmanager
    def _telling(self, asked: int, what: str) -> Generator[None]:
        """What breaks keys off tells how many were sent."""
        try:
            yield
        except ActionFailed as exc:
            if not self._keyboard.typed:
                raise
            raise ActionFailed(f"{exc} ({self._keyboard.typed} of {asked} {what} were sent)") from exc

    def _holding(self, keys: tuple[str, ...], act: Callable[[], None]) -> None:
        try:
            for key in keys:
                self._keyboard.down(key)
            act()
        finally:
            self.release()

    def _paste(self, text: str) -> dict[str, JsonValue]:
        from actionlens.clipboard import as_text

        before, whole = self.clipboard.read()
        active = self._windows.active()
        terminal = active is not None and active.application.lower() in _TERMINALS
        keys = ("ctrl", "shift", "v") if terminal else ("ctrl", "v")
        self.clipboard.offer(as_text(text))
        try:
            taken = self.clipboard.wait_fetched(lambda: self._keyboard.hotkey(keys), _PASTE_S)
            self.clipboard.settle(0.05)
        finally:
            if mine := self.clipboard.ours():
                self.clipboard.offer(before)
        if not taken:
            raise ActionFailed(f"nothing took the text from the clipboard within {_PASTE_S:g} s")
        if not mine:
            return {"clipboard": "left to whoever copied something meanwhile"}
        return {"clipboard": "restored" if whole else "partly restored"}


def _import_pyautogui() -> Any:
    """PyAutoGUI without its traps: no exit for want of tkinter, no pauses, no corner exception."""
    stub = types.ModuleType("mouseinfo")
    stub.MouseInfoWindow = lambda *_: None  # type: ignore[attr-defined]
    sys.modules.setdefault("mouseinfo", stub)
    try:
        import pyautogui
    except Exception as exc:
        raise DesktopUnusable(f"PyAutoGUI does not start here: {type(exc).__name__}: {exc}") from exc
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = (
        False  # shrinking a screen puts the pointer into the corner; our own stop is elsewhere
    )
    return pyautogui
