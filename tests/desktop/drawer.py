"""A window whose menu comes sliding: run as `python drawer.py '{"log": ..., "out": ..., "how": ...}'`.

`Open` shows four rows: at once, sliding down into their place, swinging for ever, or with the whole window
gliding away. A click counts for what lies under the pointer at that moment. `Print` writes `out`.
"""

import json
import os
import select
import sys
from pathlib import Path
from typing import Any

from Xlib import X, Xutil
from Xlib import display as xdisplay

ROWS = ("Copy", "Paste", "Delete", "Print")
WIDTH, HEIGHT, ROW = 360, 420, 44
OPEN = (20, 12, 100, 34)
TOP = 200  # of the first row, in its place
STEP = 4  # a tenth of a row: whoever clicks on what was there one picture ago still hits it


class Drawer:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan, self.how = plan, plan["how"]
        self.log = os.open(plan["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.display = xdisplay.Display()
        screen = self.display.screen()
        self.at = list(plan.get("at", (100, 100)))
        self.window = screen.root.create_window(
            *self.at, WIDTH, HEIGHT, 0, screen.root_depth,
            background_pixel=0xF2F1F0, event_mask=X.ButtonPressMask | X.ExposureMask,
        )  # fmt: skip
        self.window.set_wm_name("Drawer")
        self.window.set_wm_class("drawer", "Drawer")
        self.window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition, x=self.at[0], y=self.at[1])
        self.window.map()
        self.top: int | None = None
        self.pictures = 0

    def tell(self, **what: object) -> None:
        os.write(self.log, json.dumps(what).encode() + b"\n")

    def draw(self) -> None:
        ink = self.window.create_gc(foreground=0x303030, background=0xF2F1F0)
        ground = self.window.create_gc(foreground=0xF2F1F0)
        self.window.fill_rectangle(ground, 0, 0, WIDTH, HEIGHT)
        self.window.rectangle(ink, *OPEN)
        self.window.draw_text(ink, 50, 33, b"Open")
        for number, name in enumerate(ROWS if self.top is not None else ()):
            top = (self.top or 0) + number * ROW
            self.window.rectangle(ink, 30, top, 200, ROW - 6)
            self.window.rectangle(ink, 34 + 8 * number, top + 10, 14, 14)
            self.window.draw_text(ink, 100, top + 24, name.encode())
        ink.free()
        ground.free()
        self.display.sync()

    def click(self, x: int, y: int) -> None:
        name = "Open" if OPEN[0] <= x <= OPEN[0] + OPEN[2] and OPEN[1] <= y <= OPEN[1] + OPEN[3] else None
        if name is None and self.top is not None and 30 <= x <= 230 and y >= self.top:
            row = (y - self.top) // ROW
            name = ROWS[row] if row < len(ROWS) else None
        self.tell(event="click", button=name, at=[x, y])
        if name == "Open":
            self.top = TOP if self.how in ("still", "glides") else 60
            self.pictures = 0
        elif name == "Print":
            Path(self.plan["out"]).write_text("printed")
        self.draw()

    def move(self) -> bool:
        """One picture of whatever moves; whether there are more."""
        self.pictures += 1
        if self.top is None:
            return False
        if self.how == "slides" and self.top < TOP:
            self.top = min(TOP, self.top + STEP)
        elif self.how == "swings":
            self.top = 60 + STEP * abs(30 - self.pictures % 60)
        elif self.how == "glides" and self.pictures < 60:
            self.at[0] += STEP
            self.window.configure(x=self.at[0], y=self.at[1])
        else:
            return False
        self.draw()
        return True

    def run(self) -> None:
        moving, shown = False, False
        while True:
            while not moving or self.display.pending_events():
                event = self.display.next_event()
                if event.type == X.Expose and event.count == 0:
                    self.draw()
                    if not shown:
                        self.tell(event="shown")
                    shown = True
                elif event.type == X.ButtonPress:
                    self.click(event.event_x, event.event_y)
                    moving = self.how != "still"
                    if moving:
                        break
            select.select([], [], [], self.plan.get("picture_s", 0.016))
            moving = self.move()


if __name__ == "__main__":
    Drawer(json.loads(sys.argv[1])).run()
