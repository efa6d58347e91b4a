"""A small form that can be told to go wrong: run as `python form.py '{"log": ..., "out": ..., ...}'`.

Buttons Clear, Save, Load, Quit and one text field. Save writes the field to `out`. Every click, on a button
or beside one, is a JSON line in `log`. With `leaves` the buttons go when the first key comes, and the file of
that name is made; a form that `wakes` with it is blank until then. `menu_at` puts them there, into a window
past the window manager, without a class; `popup` makes the whole form such a window, of the class `class`.
With `suggests` a click on Load shows the text once more, light on dark, as a list of earlier values would.
With `garbles` the field shows its text backwards and in capitals, as a program with a bug might.
With `switch` Clear is a toggle, pressed from the beginning if that is "on", and Save writes "on" or "off";
the button that was clicked last has a ring around it. With `ticks` it shows that in a box instead. With
`whole_twice` field and buttons are there once more, so many pixels below: nothing tells the two apart. Save
takes `busy_s`, in which the form reads nothing. With `lights` a button of the other look is drawn anew while
the pointer is on it. `open_menu` shows a menu there from the beginning. It answers pings, as programs do.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Timer
from typing import Any

from Xlib import X, Xatom, Xutil
from Xlib import display as xdisplay
from Xlib.protocol import event as xevent

BUTTONS = ("Clear", "Save", "Load", "Quit")
WIDTH, HEIGHT = 420, 220


class Form:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan, self.text = plan, plan.get("text", "")
        self.pressed: str | None = None
        self.lit: str | None = None
        self.suggesting = False
        self.on = plan.get("switch") == "on"
        self.log = os.open(plan["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.display = xdisplay.Display()
        self.ground = 0x202428 if plan.get("dark") else 0xF2F1F0
        self.ink = 0xE0E0E0 if plan.get("dark") else 0x303030
        x, y = plan.get("at", (100, 100))
        self.window = self._window("Form", x, y, WIDTH, plan.get("height", HEIGHT), plan.get("class", "Form"))
        self.boxes = self._places()
        self.menu: Any = None

    def _window(
        self, title: str, x: int, y: int, width: int, height: int, name: str = "Form", *, popup: bool = False
    ) -> Any:
        screen = self.display.screen()
        window = screen.root.create_window(
            x, y, width, height, 0, screen.root_depth,
            background_pixel=self.ground,
            event_mask=X.KeyPressMask | X.ButtonPressMask | X.ButtonReleaseMask | X.ExposureMask
            | (X.PointerMotionMask if self.plan.get("lights") else 0),
            override_redirect=popup or self.plan.get("popup", False),
        )  # fmt: skip
        if name:
            window.set_wm_name(title)
            window.set_wm_class(name.lower(), name)
            window.set_wm_protocols([self.display.intern_atom("_NET_WM_PING")])
        window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition, x=x, y=y)
        window.map()
        return window

    def _places(self) -> list[tuple[str, int, int]]:
        left, top = self.plan.get("shift", (0, 0))
        places = [(name, 20 + left + 100 * n, 70 + top) for n, name in enumerate(BUTTONS)]
        places = [one for one in places if one[0] not in self.plan.get("without", [])]
        if apart := self.plan.get("whole_twice"):
            return places + [(name, x, y + apart) for name, x, y in places]
        return places + [(name, x, y + 60) for name, x, y in places if name in self.plan.get("twice", [])]

    def tell(self, **what: object) -> None:
        os.write(self.log, json.dumps(what).encode() + b"\n")

    def draw(self) -> None:
        self._draw(self.window, self.boxes if self.menu is None else [])
        if self.menu is not None:
            self._draw(self.menu, self.boxes)
        self.display.sync()
        self.tell(event="shown")

    def _draw(self, window: Any, boxes: list[tuple[str, int, int]]) -> None:
        pen = window.create_gc(foreground=self.ink, background=self.ground)
        back = window.create_gc(foreground=self.ground)
        dark = window.create_gc(foreground=0x202020, background=0xFFFFFF)
        text = self.text[::-1].upper() if self.plan.get("garbles") else self.text
        for top in {0, self.plan.get("whole_twice", 0)}:
            window.rectangle(pen, 20, top + 20, 380, 30)
            back.change(foreground=0xFFFFFF)
            window.fill_rectangle(back, 21, top + 21, 379, 29)
            window.draw_text(dark, 28, top + 40, text.encode("latin-1", "replace"))
        if self.suggesting:
            back.change(foreground=0x204080)
            window.fill_rectangle(back, 200, 140, 200, 30)
            light = window.create_gc(foreground=0xF0F0F0, background=0x204080)
            window.draw_text(light, 211, 160, self.text.encode("latin-1", "replace"))
        for name, x, y in boxes:
            if name == self.lit:
                back.change(foreground=0xF4F0D0)
                window.fill_rectangle(back, x, y, 80, 34)
                for inset in (0, 1, 4, 5):
                    window.rectangle(pen, x + inset, y + inset, 79 - 2 * inset, 33 - 2 * inset)
                label = window.create_gc(foreground=0x303030, background=0xF4F0D0)
                window.draw_text(label, x + 14, y + 24, name.upper().encode())
            elif self.plan.get("look") == "other":
                round_ = window.create_gc(foreground=0x3060A0)
                window.fill_rectangle(round_, x, y, 80, 34)
                label = window.create_gc(foreground=0xFFFFFF, background=0x3060A0)
                window.draw_text(label, x + 10, y + 22, name.upper().encode())
            else:
                if name == "Clear" and self.plan.get("ticks"):
                    box = window.create_gc(foreground=0x284868 if self.on else 0xFFFFFF)
                    window.fill_rectangle(box, x + 8, y + 11, 13, 13)
                    window.rectangle(pen, x + 8, y + 11, 12, 12)
                elif name == "Clear" and self.on:
                    back.change(foreground=0xC4CAD0)
                    window.fill_rectangle(back, x, y, 80, 34)
                if name == self.pressed and self.plan.get("switch"):
                    back.change(foreground=0xC8D4E8)
                    window.rectangle(back, x + 1, y + 1, 78, 32)
                window.rectangle(pen, x, y, 80, 34)
                window.rectangle(pen, x + 2, y + 2, 76, 30)
                window.draw_text(pen, x + 26, y + 22, name.encode())

    def leave(self) -> None:
        """The buttons go: to a menu, or to a form that waits for them."""
        if place := self.plan.get("menu_at"):
            self.menu = self._window("", place[0], place[1], WIDTH, HEIGHT, "", popup=True)
        elif wake := self.plan.get("leaves"):
            self.boxes = []
            Path(wake).touch()

    def _button_at(self, x: int, y: int) -> str | None:
        return next(
            (name for name, left, top in self.boxes if left <= x <= left + 80 and top <= y <= top + 34), None
        )

    def move(self, x: int, y: int) -> None:
        if (name := self._button_at(x, y)) != self.lit:
            self.lit = name
            self.window.clear_area(0, 0, 0, 0, True)

    def show_menu(self, x: int, y: int) -> None:
        menu = self._window("", x, y, 160, 120, "", popup=True)
        kinds = [self.display.intern_atom("_NET_WM_WINDOW_TYPE_POPUP_MENU")]
        menu.change_property(self.display.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, kinds)

    def click(self, x: int, y: int) -> None:
        name = self._button_at(x, y)
        self.pressed = name
        self.tell(event="click", button=name, at=[x, y])
        if name == "Save":
            time.sleep(self.plan.get("busy_s", 0))
            if late := self.plan.get("late_s"):  # what a slow disk or a busy program does
                Timer(late, lambda: Path(self.plan["out"]).write_text(self.text)).start()
            else:
                Path(self.plan["out"]).write_text(self._saved())
        self.on ^= name == "Clear" and bool(self.plan.get("switch"))
        if name == "Clear":
            self.text = ""
        self.suggesting |= name == "Load" and self.plan.get("suggests", False)
        if name and name == self.plan.get("thief_after"):
            self._window("Thief", 700, 420, 300, 120, "Thief")
        if name and name == self.plan.get("kill_after"):
            os.kill(self.plan["kill"], signal.SIGKILL)
        if name and name == self.plan.get("dialog_after"):
            self._window("Are you sure?", 160, 150, 300, 140)
        self.window.clear_area(0, 0, 0, 0, True)

    def _saved(self) -> str:
        return ("on" if self.on else "off") if self.plan.get("switch") else str(self.text)

    def _answer(self, ping: Any) -> None:
        """A ping comes back to the screen as it is."""
        root = self.display.screen().root
        answer = xevent.ClientMessage(window=root, client_type=ping.client_type, data=ping.data)
        root.send_event(answer, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.display.flush()

    def run(self) -> None:
        if wake := self.plan.get("wakes"):
            self.display.sync()
            self.tell(event="shown")
            while not Path(wake).exists():
                time.sleep(0.005)
            self.draw()
        if place := self.plan.get("open_menu"):
            self.show_menu(*place)
        if self.plan.get("dialog"):
            x, y = self.plan.get("at", (100, 100))
            self._window("Tip of the day", x + 10, y + 40, 390, 170)
        while True:
            event = self.display.next_event()
            if event.type == X.Expose and event.count == 0 and event.window == self.window:
                self.draw()
            elif event.type == X.ButtonPress and event.window in (self.window, self.menu):
                self.click(event.event_x, event.event_y)
            elif event.type == X.MotionNotify:
                self.move(event.event_x, event.event_y)
            elif event.type == X.ButtonRelease:
                if self.pressed and self.pressed == self.plan.get("warp_after"):
                    self.display.screen().root.warp_pointer(*self.plan["warp_to"])  # as a person would
            elif event.type == X.ButtonPress:
                self.tell(event="elsewhere")
                event.window.destroy()
            elif event.type == X.KeyPress:
                keysym = self.display.keycode_to_keysym(event.detail, 1 if event.state & 1 else 0)
                char = chr(keysym) if 32 <= keysym < 256 else ""
                self.tell(event="key", char=char, window="form" if event.window == self.window else "other")
                if event.window == self.window:
                    if not self.text:
                        self.leave()
                    self.text += char
                    self.window.clear_area(0, 0, 0, 0, True)
            elif event.type == X.ClientMessage:
                self._answer(event)
            elif event.type == X.MappingNotify:
                self.display.refresh_keyboard_mapping(event)


if __name__ == "__main__":
    Form(json.loads(sys.argv[1])).run()
