"""A window that opens a dialog of its own: `python dialog.py LOG AFTER [goes]`; every key becomes a line.

The dialog comes with the key number AFTER. With `goes` it takes a space as the press of its button, whichever
window got it, as a modal dialog does, and is gone before anybody can see it.
"""

import json
import os
import sys
from typing import Any

from Xlib import X, Xatom
from Xlib import display as xdisplay


def main(path: str, after: str, goes: str = "") -> None:
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    display = xdisplay.Display()
    root = display.screen().root
    ping, modal = (display.intern_atom(name) for name in ("_NET_WM_PING", "_NET_WM_STATE_MODAL"))
    keys, dialog = 0, None

    def window(title: str, x: int) -> Any:
        depth, mask = display.screen().root_depth, X.KeyPressMask | X.FocusChangeMask
        made = root.create_window(x, 100, 300, 150, 0, depth, background_pixel=0xE8E8E0, event_mask=mask)
        made.set_wm_name(title)
        made.set_wm_class("dialog", "Dialog")
        made.set_wm_protocols([ping])
        if title != "Text":
            made.change_property(display.intern_atom("_NET_WM_STATE"), Xatom.ATOM, 32, [modal])
        made.map()
        display.flush()
        return made

    def tell(**what: object) -> None:
        os.write(log, json.dumps(what).encode() + b"\n")

    first = window("Text", 100)
    while True:
        event = display.next_event()
        match event.type:
            case X.FocusIn if event.window == first:
                tell(event="focus")
            case X.KeyPress:
                keys += 1
                char = chr(display.keycode_to_keysym(event.detail, 0) & 0xFFFFFF)
                tell(event="key", char=char, own=event.window == first)
                if dialog is not None and goes and char == " ":
                    dialog.destroy()
                if keys == int(after):
                    dialog = window("Install now?", 500)
            case X.ClientMessage:
                answer = event.data[1]
                if answer[0] == ping:
                    event.window = root
                    root.send_event(event, event_mask=X.SubstructureNotifyMask | X.SubstructureRedirectMask)
                    display.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
