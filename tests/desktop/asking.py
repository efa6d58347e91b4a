"""A window that asks before it deletes: `python asking.py '{"log": ..., "out": ..., "question": ...}'`.

What is typed stands in its field, and in the question in place of `{}`. `Delete` asks, in a dialog of its own
or, with `sheet`, in a sheet over the window; `Yes` writes the question to `out` and closes it, unless the
dialog is `deaf`: then it only shows that it was pressed. One that is younger than `deaf_s` ignores it. Every
click on a button is a JSON line in `log`.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from Xlib import X, Xutil
from Xlib import display as xdisplay

WIDTH, HEIGHT = 520, 360
ASKING = (90, 60, 380, 130)
DELETE, NO, YES = (20, 300, 100, 34), (130, 84, 90, 30), (250, 84, 90, 30)


class Asking:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan, self.text = plan, ""
        self.log = os.open(plan["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.display = xdisplay.Display()
        self.window = self._window("Orders", 100, 100, WIDTH, HEIGHT)
        self.dialog: Any = None
        self.asked = self.pressed = False
        self.since = 0.0

    def _window(self, title: str, x: int, y: int, width: int, height: int, owner: Any = None) -> Any:
        screen = self.display.screen()
        window = screen.root.create_window(
            x, y, width, height, 0, screen.root_depth,
            background_pixel=0xF2F1F0,
            event_mask=X.KeyPressMask | X.ButtonPressMask | X.ExposureMask,
        )  # fmt: skip
        window.set_wm_name(title)
        window.set_wm_class("asking", "Asking")
        window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition, x=x, y=y)
        if owner is not None:
            window.set_wm_transient_for(owner)
        window.map()
        return window

    def tell(self, **what: object) -> None:
        os.write(self.log, json.dumps(what).encode() + b"\n")

    def draw(self) -> None:
        ink = self.window.create_gc(foreground=0x303030, background=0xF2F1F0)
        ground = self.window.create_gc(foreground=0xF2F1F0)
        self.window.fill_rectangle(ground, 0, 0, WIDTH, HEIGHT)
        self.window.rectangle(ink, 20, 20, 300, 24)
        self.window.draw_text(ink, 28, 36, self.text.encode())
        for row in range(7):
            self.window.draw_text(ink, 30, 90 + 26 * row, f"order number {1041 + row}, open".encode())
        self._button(self.window, DELETE, "Delete")
        if self.asked:
            self._ask(self.dialog or self.window, (0, 0) if self.dialog else ASKING[:2])
        self.display.sync()
        self.tell(event="asked" if self.asked else "shown")

    def _ask(self, window: Any, at: tuple[int, ...]) -> None:
        ink = window.create_gc(foreground=0x303030, background=0xF2F1F0)
        ground = window.create_gc(foreground=0xF2F1F0)
        window.fill_rectangle(ground, at[0], at[1], *ASKING[2:])
        window.rectangle(ink, at[0], at[1], ASKING[2] - 1, ASKING[3] - 1)
        window.draw_text(ink, at[0] + 24, at[1] + 40, self.question.encode())
        for place, label in ((NO, "No"), (YES, "Yes")):
            self._button(window, (place[0] + at[0], place[1] + at[1], *place[2:]), label)
        if self.pressed:
            window.rectangle(ink, at[0] + YES[0] + 3, at[1] + YES[1] + 3, YES[2] - 6, YES[3] - 6)

    def _button(self, window: Any, place: tuple[int, ...], label: str) -> None:
        face = window.create_gc(foreground=0xFCFCFC)
        ink = window.create_gc(foreground=0x303030, background=0xFCFCFC)
        window.fill_rectangle(face, *place)
        window.rectangle(ink, *place)
        window.draw_text(ink, place[0] + 26, place[1] + 20, label.encode())

    @property
    def question(self) -> str:
        return str(self.plan["question"]).replace("{}", self.text)

    def click(self, window: Any, x: int, y: int) -> None:
        at = ASKING[:2] if self.asked and self.dialog is None else (0, 0)
        hit = [name for name, place in (("No", NO), ("Yes", YES)) if _inside(place, x - at[0], y - at[1])]
        if self.asked and hit and (self.dialog is None or window == self.dialog):
            self.tell(event="click", button=hit[0])
            if time.monotonic() - self.since < self.plan.get("deaf_s", 0.0):
                return
            if self.plan.get("deaf"):
                self.pressed = True
                self.draw()
            else:
                self._answer(hit[0])
        elif not self.asked and _inside(DELETE, x, y):
            self.tell(event="click", button="Delete")
            self.asked, self.since = True, time.monotonic()
            if not self.plan.get("sheet"):
                self.dialog = self._window("Confirm", 190, 180, *ASKING[2:], owner=self.window)
            self.draw()

    def _answer(self, answer: str) -> None:
        if answer == "Yes":
            Path(self.plan["out"]).write_text(self.question)
        if self.dialog is not None:
            self.dialog.destroy()
        self.asked, self.dialog = False, None
        self.draw()

    def run(self) -> None:
        while True:
            event = self.display.next_event()
            if event.type == X.Expose:
                self.draw()
            elif event.type == X.ButtonPress:
                self.click(event.window, event.event_x, event.event_y)
            elif event.type == X.KeyPress:
                letter = self.display.keycode_to_keysym(event.detail, 0)
                self.text += chr(letter) if 32 <= letter < 127 else ""
                self.draw()


def _inside(place: tuple[int, ...], x: int, y: int) -> bool:
    return place[0] <= x < place[0] + place[2] and place[1] <= y < place[1] + place[3]


if __name__ == "__main__":
    Asking(json.loads(sys.argv[1])).run()
