"""The pointer and its buttons: each click is looked at once more when the pointer is there.

A window manager gets a click first, and X keeps what the pointer does until it has passed that on; keys are
not kept. So an action with buttons is over when the X server says that they are up again.
"""

import time
from collections.abc import Callable
from typing import Any

from actionlens.actions import Click, Drag, Scroll
from actionlens.errors import ActionFailed, Elsewhere
from actionlens.held import Held, HeldJournal
from actionlens.into import Into
from actionlens.presses import Presses

_HOLD_S = 3.0  # how long a busy window manager may hold the pointer
_ASK_AGAIN_S = 0.0005
_BETWEEN_CLICKS_S = 0.04
_BUTTONS = {"left": 1, "middle": 2, "right": 3}
_ANY_BUTTON = 0x1F00  # of X's mask: the three and the wheel


class Mouse:
    """PyAutoGUI's hand on one display."""

    def __init__(
        self, gui: Any, root: Any, journal: HeldJournal, presses: Presses, go_on: Callable[[], None]
    ) -> None:
        """Take over; `go_on` is asked between two events, and raises to break off."""
        self._gui, self._root, self._journal, self._presses = gui, root, journal, presses
        self._go_on = go_on
        self._buttons: set[str] = set()
        self._others = 0

    def click(self, action: Click, into: Into) -> None:
        """Press and let go, as often as asked for."""
        self.go_to(action.x, action.y)
        self._expect_under(action.x, action.y, into)
        self._begin({action.button})
        for n in range(action.clicks):
            time.sleep(_BETWEEN_CLICKS_S if n else 0)
            self._presses.sent()
            self._gui.click(action.x, action.y, button=action.button)
        self._note(set())
        self._expect_passed_on()

    def drag(self, action: Drag, into: Into) -> None:
        """Press, go there in small steps, let go."""
        self.go_to(action.x, action.y)
        self._expect_under(action.x, action.y, into)
        self._begin({action.button})
        self._presses.sent()
        self._gui.mouseDown(action.x, action.y, button=action.button)
        steps = max(8, round(action.duration_s / 0.02))
        for n in range(1, steps + 1):
            self._go_on()
            x = action.x + (action.to_x - action.x) * n / steps
            y = action.y + (action.to_y - action.y) * n / steps
            self._gui.moveTo(round(x), round(y))
            time.sleep(action.duration_s / steps)
        self.go_to(action.to_x, action.to_y)
        self._gui.mouseUp(action.to_x, action.to_y, button=action.button)
        self._note(set())
        self._expect_passed_on()

    def scroll(self, action: Scroll, into: Into) -> None:
        """Turn the wheel."""
        self.go_to(action.x, action.y)
        self._expect_under(action.x, action.y, into)
        self._begin(set())
        self._presses.sent(abs(action.dy) + abs(action.dx))
        if action.dy:
            self._gui.vscroll(-action.dy, action.x, action.y)
        if action.dx:
            self._gui.hscroll(action.dx, action.x, action.y)
        self._expect_passed_on()

    def go_to(self, x: int, y: int) -> None:
        """Move, and see that the pointer is there.

        X holds the pointer from a press until the window manager has decided on it; what is sent in the
        meantime arrives at another place than it was aimed at.
        """
        self._gui.moveTo(x, y)
        end = time.monotonic() + _HOLD_S
        while (at := self._root.query_pointer()) and (at.root_x, at.root_y) != (x, y):
            self._go_on()
            if time.monotonic() > end:
                raise ActionFailed(
                    f"the pointer is at {at.root_x},{at.root_y} and does not go to {x},{y}: a program holds "
                    "it, or somebody moves it"
                )
            time.sleep(_ASK_AGAIN_S)

    def release(self) -> list[str]:
        """Let go of every button we hold; their names."""
        held = sorted(self._buttons)
        for button in held:
            self._gui.mouseUp(button=button)
        self._note(set())
        if held:
            self._passed_on()
        return held

    def take_over(self, held: Held) -> None:
        """Let go of what a desk that was killed held here."""
        mask = int(self._root.query_pointer().mask)
        for name, number in _BUTTONS.items():
            if number in held.buttons and mask & 1 << (7 + number):
                self._gui.mouseUp(button=name)

    def _expect_under(self, x: int, y: int, into: Into) -> None:
        """The last look before a button; a pointer that moves once more makes most tooltips go."""
        try:
            into.expect_under(x, y)
        except Elsewhere:
            if into.named:
                raise
            self.go_to(max(0, x - 1), y)
            self.go_to(x, y)
            into.expect_under(x, y)

    def _begin(self, buttons: set[str]) -> None:
        """These go down next; what is down already is of others."""
        self._others = self._down()
        self._note(buttons)

    def _expect_passed_on(self) -> None:
        """Keys sent now would overtake a click that is held, into another window or another field."""
        if not self._passed_on():
            raise ActionFailed(
                f"it was clicked, and after {_HOLD_S:g} s no window has got all of it: a program holds the "
                "pointer, or somebody holds a button down"
            )

    def _passed_on(self) -> bool:
        """Whether what we pressed has gone where it belongs; nothing to break off: it was sent."""
        end = time.monotonic() + _HOLD_S
        while self._down() & ~self._others:
            if time.monotonic() > end:
                return False
            time.sleep(_ASK_AGAIN_S)
        return True

    def _down(self) -> int:
        """The buttons that are down, as X's mask."""
        return int(self._root.query_pointer().mask) & _ANY_BUTTON

    def _note(self, down: set[str]) -> None:
        self._buttons = down
        self._journal.note(buttons=tuple(sorted(_BUTTONS[name] for name in down)))
