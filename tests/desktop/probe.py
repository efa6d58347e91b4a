"""A small window that proves what reached it: every input event becomes a JSON line.

Run as `python probe.py LOG TITLE X Y WIDTH HEIGHT [NOTE]`; talks plain X, so nothing stands between us and
the events. NOTE is drawn, and so are the buttons of a small board (numbered squares).
"""

import json
import os
import sys

from Xlib import XK, X, Xutil
from Xlib import display as xdisplay

NAMES = {getattr(XK, name): name[3:] for name in sorted(dir(XK), reverse=True) if name.startswith("XK_")}


def main() -> None:
    log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    title, note = sys.argv[2], (sys.argv[7:] or [""])[0]
    x, y, width, height = (int(one) for one in sys.argv[3:7])
    display = xdisplay.Display()
    screen = display.screen()
    window = screen.root.create_window(
        x,
        y,
        width,
        height,
        0,
        screen.root_depth,
        background_pixel=0xE8E8E0,
        event_mask=X.KeyPressMask
        | X.KeyReleaseMask
        | X.ButtonPressMask
        | X.ButtonReleaseMask
        | X.ButtonMotionMask
        | X.ExposureMask
        | X.FocusChangeMask,
    )
    window.set_wm_name(title)
    window.set_wm_class("probe", "Probe")
    window.change_property(display.intern_atom("_NET_WM_PID"), 6, 32, [os.getpid()])
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition, x=x, y=y)
    window.set_wm_protocols([display.intern_atom("WM_DELETE_WINDOW")])
    window.map()
    ink = window.create_gc(foreground=0x203040, background=0xE8E8E0)
    held: set[int] = set()

    def tell(**what: object) -> None:
        os.write(log, json.dumps(what).encode() + b"\n")

    while True:
        event = display.next_event()
        match event.type:
            case X.Expose:
                if event.count == 0:
                    window.draw_text(ink, 8, 16, f"{title} {note}".encode("latin-1", "replace"))
                    for n in range(6):
                        window.rectangle(ink, 10 + 60 * n, 30, 40, 24)
                        window.draw_text(ink, 26 + 60 * n, 46, str(n).encode())
                    tell(event="shown")
            case X.KeyPress | X.KeyRelease:
                down = event.type == X.KeyPress
                (held.add if down else held.discard)(event.detail)
                column = (1 if event.state & X.ShiftMask else 0) + 2 * ((event.state >> 13) & 3)
                keysym = display.keycode_to_keysym(event.detail, column)
                if event.state & X.LockMask and chr(keysym & 0xFFFFFF).isalpha() and keysym < 0xFF00:
                    keysym = ord(chr(keysym).swapcase())
                name = NAMES.get(keysym, "")
                char = chr(keysym & 0xFFFFFF) if keysym < 0xFF00 or keysym >> 24 == 1 else ""
                tell(event="down" if down else "up", key=name, char=char, state=event.state & 0xFF)
            case X.ButtonPress | X.ButtonRelease:
                kind = "press" if event.type == X.ButtonPress else "release"
                at = [event.root_x, event.root_y]
                tell(event=kind, button=event.detail, at=at, state=event.state & 0xFF)
            case X.MotionNotify:
                tell(event="motion", at=[event.root_x, event.root_y])
            case X.FocusIn | X.FocusOut:
                tell(event="focus" if event.type == X.FocusIn else "blur")
            case X.MappingNotify:
                display.refresh_keyboard_mapping(event)
            case X.ClientMessage:
                return


if __name__ == "__main__":
    main()
