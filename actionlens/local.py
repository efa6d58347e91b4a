"""PyAutoGUI behind the protocol: the eye and the hand on one X display; no other file imports pyautogui.

Runs inside the desk's process only: PyAutoGUI binds one display for the life of a process.
"""

import os
import sys
import time
import types
from collections.abc import Callable
from contextlib import suppress
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
from actionlens.errors import ActionFailed, DesktopUnusable, Elsewhere
from actionlens.held import Held, HeldJournal, left_behind
from actionlens.into import Into
from actionlens.windows import Windows
from ibtr.geometry import Box, Size

_TERMINALS = frozenset(
    "xterm uxterm urxvt gnome-terminal-server gnome-terminal konsole xfce4-terminal alacritty kitty "
    "terminator lxterminal tilix mate-terminal qterminal st".split()
)
_PASTE_S = 3.0
_FOLLOW_S = 3.0  # how long a busy window manager may hold the pointer
_BETWEEN_CLICKS_S = 0.04
_BUTTONS = {"left": 1, "middle": 2, "right": 3}


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
        from actionlens.clipboard import Clipboard
        from actionlens.presses import Presses
        from actionlens.text import Keyboard

        self._root = self._display.screen().root
        self._windows = Windows(self._display)
        self._presses = Presses(xdisplay.Display(display_name))
        self._go_on = go_on
        self._into = Into(self._windows, self._presses, go_on)
        self._journal = HeldJournal(display_name)
        self._keyboard = Keyboard(self._display, self._journal, self._go_on_with_keys, self._presses.sent)
        self.clipboard = Clipboard(display_name, go_on)
        self._grabber: Any = None
        self._grabbed = Size(0, 0)
        self._buttons: set[str] = set()
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
        at = self._root.query_pointer()
        return {
            "pointer": [int(at.root_x), int(at.root_y)],
            "window": self.front(),
            "windows": [window.model_dump(mode="json") for window in self._windows.all()],
            "hints": [list(box) for box in self._windows.hints()],
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
    ) -> dict[str, JsonValue]:
        """Send an action's events, into one window only if it is named.

        Raises:
            OffScreen: a point is not on the screen as it is now; nothing was sent.
            Elsewhere: another window would get them; no button or key went down.
            ActionFailed: the desktop would not take it.
        """
        check_on_screen(action, Box(0, 0, *self.size()))
        self._presses.count()
        self._into = Into(self._windows, self._presses, self._go_on, into, presses)
        try:
            if action.action in KEYBOARD_ACTIONS:
                self._into.expect_keyboard()
            return self._send(action, secret)
        except BaseException:
            self.release()
            raise
        finally:
            self._presses.count()

    def _send(self, action: Action, secret: str | None) -> dict[str, JsonValue]:
        match action:
            case Click():
                self._holding(action.hold, lambda: self._click(action))
            case Move():
                self._go_to(action.x, action.y)
            case Drag():
                self._holding(action.hold, lambda: self._drag(action))
            case Scroll():
                self._scroll(action)
            case Type():
                self._keyboard.type(action.text if secret is None else secret)  # type: ignore[arg-type]
            case Paste():
                return self._paste(action.text)
            case Press():
                self._keyboard.press(action.key, action.presses)
            case Hotkey():
                self._keyboard.hotkey(action.keys)
            case _:
                raise ActionFailed(f"{action.action} sends no input events")
        return {}

    def activate(self, window_id: int) -> None:
        """Bring a window to the front."""
        self._windows.activate(window_id)

    def release(self) -> dict[str, JsonValue]:
        """Let go of every key and button we hold."""
        keys: list[JsonValue] = list(self._keyboard.release())
        buttons: list[JsonValue] = [*sorted(self._buttons)]
        for button in sorted(self._buttons):
            self._gui.mouseUp(button=button)
        self._note_buttons(set())
        return {"keys": keys, "buttons": buttons}

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
        mask = int(self._root.query_pointer().mask)
        for name, number in _BUTTONS.items():
            if number in held.buttons and mask & 1 << (7 + number):
                self._gui.mouseUp(button=name)

    def _note_buttons(self, down: set[str]) -> None:
        self._buttons = down
        self._journal.note(buttons=tuple(sorted(_BUTTONS[name] for name in down)))

    def _go_to(self, x: int, y: int) -> None:
        """Move, and see that the pointer is there.

        X holds the pointer from a press until the window manager has decided on it; what is sent in the
        meantime arrives at another place than it was aimed at.
        """
        self._gui.moveTo(x, y)
        end = time.monotonic() + _FOLLOW_S
        while (at := self._root.query_pointer()) and (at.root_x, at.root_y) != (x, y):
            self._go_on()
            if time.monotonic() > end:
                raise ActionFailed(
                    f"the pointer is at {at.root_x},{at.root_y} and does not go to {x},{y}: a program holds "
                    "it, or somebody moves it"
                )
            time.sleep(0.002)

    def _click(self, action: Click) -> None:
        self._go_to(action.x, action.y)
        self._expect_under(action.x, action.y)
        self._note_buttons({action.button})
        for n in range(action.clicks):
            time.sleep(_BETWEEN_CLICKS_S if n else 0)
            self._presses.sent()
            self._gui.click(action.x, action.y, button=action.button)
        self._note_buttons(set())

    def _expect_under(self, x: int, y: int) -> None:
        """The last look before a button; a pointer that moves once more makes most tooltips go."""
        try:
            self._into.expect_under(x, y)
        except Elsewhere:
            if self._into.named:
                raise
            self._go_to(max(0, x - 1), y)
            self._go_to(x, y)
            self._into.expect_under(x, y)

    def _go_on_with_keys(self) -> None:
        self._go_on()
        self._into.expect_no_other()

    def _drag(self, action: Drag) -> None:
        self._go_to(action.x, action.y)
        self._expect_under(action.x, action.y)
        self._note_buttons({action.button})
        self._presses.sent()
        self._gui.mouseDown(action.x, action.y, button=action.button)
        steps = max(8, round(action.duration_s / 0.02))
        for n in range(1, steps + 1):
            self._go_on()
            x = action.x + (action.to_x - action.x) * n / steps
            y = action.y + (action.to_y - action.y) * n / steps
            self._gui.moveTo(round(x), round(y))
            time.sleep(action.duration_s / steps)
        self._go_to(action.to_x, action.to_y)
        self._gui.mouseUp(action.to_x, action.to_y, button=action.button)
        self._note_buttons(set())

    def _scroll(self, action: Scroll) -> None:
        self._go_to(action.x, action.y)
        self._expect_under(action.x, action.y)
        self._presses.sent(abs(action.dy) + abs(action.dx))
        if action.dy:
            self._gui.vscroll(-action.dy, action.x, action.y)
        if action.dx:
            self._gui.hscroll(action.dx, action.x, action.y)

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
            self.clipboard.offer(before)
        if not taken:
            raise ActionFailed(f"nothing took the text from the clipboard within {_PASTE_S:g} s")
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
