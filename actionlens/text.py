"""Any string, exactly, whatever the keyboard layout: keys by what they mean now, spare keys for the rest.

A character that the layout has is struck with the modifiers it needs. Any other is bound to a key code that
nothing uses; several are bound at once, and a code is bound anew only when the program has read the old
meaning (`reader`).
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from Xlib import XK, X
from Xlib.ext import xtest

from actionlens.errors import ActionFailed
from actionlens.held import Held, HeldJournal
from actionlens.reader import Reader

_NAMED_KEYSYMS = {
    "enter": "Return",
    "tab": "Tab",
    "space": "space",
    "backspace": "BackSpace",
    "delete": "Delete",
    "escape": "Escape",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "capslock": "Caps_Lock",
    "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock",
    "printscreen": "Print",
    "pause": "Pause",
    "menu": "Menu",
    "shift": "Shift_L",
    "ctrl": "Control_L",
    "alt": "Alt_L",
    "super": "Super_L",
} | {f"f{n}": f"F{n}" for n in range(1, 25)}

_HELD = {X.ShiftMask: "shift", X.ControlMask: "ctrl", X.Mod1Mask: "alt", X.Mod4Mask: "super"}
_FAREWELL_S = 0.3  # how long a program may take to read before we give the spare keys back all the same
_PRESSING = " \t\n\r"
"""Characters that would press a button: sent when all before them was read, and nothing has come up."""
_PATIENCE_S = 2.0  # how long a person may go on holding a modifier before we give up


class Stroke(NamedTuple):
    """A key code, and whether shift goes with it."""

    code: int
    shift: bool


class Keyboard:
    """Strikes keys and types text over one display connection."""

    def __init__(
        self,
        display: Any,
        journal: HeldJournal,
        go_on: Callable[[], None],
        sent: Callable[[int], None],
        last_look: Callable[[], None] = lambda: None,
    ) -> None:
        """Take over a connection; `go_on` is asked between two keys, `sent` is told of every press.

        `last_look` is quick, and asked right before a character that would press a button.
        """
        self._display, self._journal, self._go_on, self._sent = display, journal, go_on, sent
        self._last_look = last_look
        self._bound: dict[int, int] = {}  # keysym -> spare code that we gave it to
        self._down: list[int] = []
        self._layout: dict[int, Stroke] = {}
        self._spare: set[int] = set()
        self._reader = Reader(display, go_on)
        self._under_way = 0  # characters that we sent since a program was known to have read all
        self.typed = 0  # characters of the last text, or presses of the last key, that were sent
        self._lent: set[int] = set()  # spare codes that another driver of this display has bound

    # -- what the product calls ------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Key a text in.

        Raises:
            ActionFailed: a person holds a modifier down, or the keyboard has no spare key at all.
        """
        self.typed = 0
        self._expect_no_modifier()
        self._read_layout()
        caps = bool(self._mask() & X.LockMask)
        if caps:
            self._journal.note(caps_lifted=True)
            self._strike(self._stroke(XK.XK_Caps_Lock))
        try:
            while text:
                part, text = self._typable(text)
                for char in part:
                    self._go_on()
                    if char in _PRESSING and self.typed:
                        self._reader.keep_up()
                        self._last_look()
                    self._strike(self._stroke(_keysym(char)))
                    self._under_way += 1
                    self.typed += 1
                self._display.sync()
        finally:
            if caps:
                self._strike(self._stroke(XK.XK_Caps_Lock))
                self._display.sync()
                self._journal.note(caps_lifted=False)

    def caught_up(self, patience_s: float, go_on: Callable[[], None]) -> bool:
        """Whether every program that got keys of ours has read them, within so long."""
        self._display.sync()
        return self._reader.caught_up(self._under_way, time.monotonic() + patience_s, go_on)

    def press(self, key: str, times: int = 1) -> None:
        """Strike a key by its canonical name."""
        self.typed = 0
        self._read_layout()
        stroke = self._stroke(_key_keysym(key))
        for _ in range(times):
            self._go_on()
            self._strike(stroke)
            self.typed += 1
        self._display.sync()

    def hotkey(self, keys: tuple[str, ...]) -> None:
        """Strike the last key while the others are held."""
        self._expect_no_modifier()
        self._read_layout()
        stroke = self._stroke(_key_keysym(keys[-1]))
        try:
            for key in keys[:-1]:
                self.down(key)
            self._strike(stroke._replace(shift=stroke.shift and "shift" not in keys))
        finally:
            self.release()

    def down(self, key: str) -> None:
        """Hold a key until `release`."""
        self._read_layout()
        code = self._stroke(_key_keysym(key)).code
        self._down.append(code)
        self._journal.note(keys=tuple(self._down))
        self._sent(1)
        xtest.fake_input(self._display, X.KeyPress, code)
        self._display.sync()

    def release(self) -> list[int]:
        """Let go of every key we hold; the codes."""
        codes, self._down = self._down[::-1], []
        for code in codes:
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()
        self._journal.note(keys=())
        return codes

    def restore(self) -> None:
        """Give the spare key codes back."""
        if self._bound and self._under_way:
            with suppress(Exception):  # late is better than never
                self._reader.wait(self._under_way, _FAREWELL_S)
        set_meanings(self._display, dict.fromkeys(self._bound.values(), X.NoSymbol))
        self._bound.clear()
        self._display.sync()
        self._journal.note(borrowed={})

    def take_over(self, held: Held) -> None:
        """Let go of what a desk that died held, and give back what it had borrowed."""
        down = self._display.query_keymap()
        for code in held.keys:
            if down[code // 8] & 1 << code % 8:
                xtest.fake_input(self._display, X.KeyRelease, code)
        ours = [
            code for code, sym in held.borrowed.items() if self._display.keycode_to_keysym(code, 0) == sym
        ]
        set_meanings(self._display, dict.fromkeys(ours, X.NoSymbol))
        self._display.sync()
        if held.caps_lifted and not self._mask() & X.LockMask:
            self.press("capslock")

    # -- how -------------------------------------------------------------------------------------

    def _strike(self, stroke: Stroke) -> None:
        codes = [self._layout[XK.XK_Shift_L].code, stroke.code] if stroke.shift else [stroke.code]
        self._down += codes
        self._sent(len(codes))
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.flush()
        del self._down[-len(codes) :]

    def _stroke(self, keysym: int) -> Stroke:
        if keysym not in self._layout and keysym not in self._bound:
            self._bind([keysym])
        return self._layout.get(keysym) or Stroke(self._bound[keysym], shift=False)

    def _typable(self, text: str) -> tuple[str, str]:
        """Split off as much as the layout and the spare keys can do in one go, with the spare keys bound."""
        wanted: list[int] = []
        room = len(self._spare) + len(self._bound) + len(self._lent)
        for at, char in enumerate(text):
            keysym = _keysym(char)
            if keysym in self._layout or keysym in wanted:
                continue
            if len(wanted) == room and at:
                self._bind(wanted)
                return text[:at], text[at:]
            wanted.append(keysym)
        self._bind(wanted)
        return text, ""

    def _bind(self, keysyms: list[int]) -> None:
        new = [keysym for keysym in keysyms if keysym not in self._bound]
        if not new:
            return
        if len(self._spare) < len(new):
            stale = [keysym for keysym in self._bound if keysym not in keysyms]
            self._spare |= {self._bound.pop(keysym) for keysym in stale} | self._lent
            self._lent.clear()
            self._display.sync()
            self._reader.wait(self._under_way)
            self._under_way = 0
        if len(self._spare) < len(new):
            raise ActionFailed(f"the keyboard has {len(self._spare)} spare keys, {len(new)} are needed")
        codes = sorted(self._spare)[-len(new) :]  # neighbours, as many as there are
        self._spare.difference_update(codes)
        meanings = dict(zip(codes, new, strict=True))
        self._bound |= {keysym: code for code, keysym in meanings.items()}
        self._journal.note(borrowed={code: keysym for keysym, code in self._bound.items()})
        set_meanings(self._display, meanings)
        self._display.sync()

    def _read_layout(self) -> None:
        """Ask what each key means now: people switch layouts, and other programs bind keys too."""
        self._reader.begin()
        first = self._display.display.info.min_keycode
        rows = self._display.get_keyboard_mapping(first, self._display.display.info.max_keycode - first + 1)
        table = [(first + n, list(row)) for n, row in enumerate(rows)]
        meaning = {code: row[0] for code, row in table if row}
        self._bound = {keysym: code for keysym, code in self._bound.items() if meaning.get(code) == keysym}
        ours, column = set(self._bound.values()), 2 * self._group()
        taken = ours | {code for codes in self._display.get_modifier_mapping() for code in codes}
        self._spare = {code for code, row in table if not any(row) and code not in taken}
        self._lent = {code for code, row in table if _is_borrowed(row) and code not in taken}
        self._layout = {}
        ours |= self._lent  # what a borrowed key means may change at any time
        for level, shift in ((column, False), (column + 1, True), (0, False)):
            for code, row in table:
                usable = len(row) > level and row[level] and code not in ours
                if usable and (level != 0 or column == 0 or row[level] > 0xFF00):
                    self._layout.setdefault(row[level], Stroke(code, shift))

    def _mask(self) -> int:
        return int(self._display.screen().root.query_pointer().mask)

    def _group(self) -> int:
        return (self._mask() >> 13) & 3

    def _expect_no_modifier(self) -> None:
        end = time.monotonic() + _PATIENCE_S
        while held := [name for bit, name in _HELD.items() if self._mask() & bit]:
            self._go_on()
            if time.monotonic() > end:
                raise ActionFailed(f"{' and '.join(held)} is held down: nothing was typed")
            time.sleep(0.02)


def set_meanings(display: Any, meanings: Mapping[int, int]) -> None:
    """Give key codes their meaning; neighbours in one request, for each makes every program read them all."""
    codes = sorted(meanings)
    runs = [code for code in codes if code - 1 not in meanings]
    for first in runs:
        end = next(code for code in range(first, 257) if code not in meanings)
        display.change_keyboard_mapping(first, [[meanings[code]] * 4 for code in range(first, end)])


def _is_borrowed(row: list[int]) -> bool:
    """Whether a key was bound as we bind one: no layout gives a key the same rare character four times."""
    return len(row) >= 4 and row[0] >= 0x01000100 and row[:4] == [row[0]] * 4


def _key_keysym(key: str) -> int:
    name = _NAMED_KEYSYMS.get(key)
    return int(XK.string_to_keysym(name)) if name else _keysym(key)


def _keysym(char: str) -> int:
    """X keysym of a character; Latin-1 stands for itself, the rest by the Unicode rule."""
    if char == "\n":
        return int(XK.XK_Return)
    if char == "\t":
        return int(XK.XK_Tab)
    point = ord(char)
    return point if 0x20 <= point <= 0x7E or 0xA0 <= point <= 0xFF else 0x01000000 + point
