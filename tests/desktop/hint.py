"""Windows that lie over others: `python hint.py KIND X Y WIDTH HEIGHT`; a tooltip goes once it is entered.

KIND is a window type of EWMH (`TOOLTIP`, `POPUP_MENU`), shown past the window manager, or `DIALOG`. With
`stays` at the end a tooltip does not go.
"""

import sys

from Xlib import X, Xatom
from Xlib import display as xdisplay


def main(kind: str, x: str, y: str, width: str, height: str, stays: str = "") -> None:
    display = xdisplay.Display()
    screen = display.screen()
    window = screen.root.create_window(
        *map(int, (x, y, width, height)), 0, screen.root_depth,
        background_pixel=0x101010, event_mask=X.EnterWindowMask, override_redirect=kind != "DIALOG",
    )  # fmt: skip
    window.set_wm_name(kind)
    window.set_wm_class(kind.lower(), kind.title())
    window.change_property(
        display.intern_atom("_NET_WM_WINDOW_TYPE"),
        Xatom.ATOM,
        32,
        [display.intern_atom(f"_NET_WM_WINDOW_TYPE_{kind}")],
    )
    window.map()
    display.sync()
    while True:
        if display.next_event().type == X.EnterNotify and kind == "TOOLTIP" and not stays:
            window.unmap()
            display.sync()


if __name__ == "__main__":
    main(*sys.argv[1:])
