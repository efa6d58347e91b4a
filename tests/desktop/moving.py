"""A window that will not hold still: `python moving.py all|corner|late`.

`all` repaints itself without end, `corner` only a small place, `late` maps empty and paints 0.6 s later.
"""

import sys
import time

from Xlib import X, Xutil
from Xlib import display as xdisplay

how = sys.argv[1]
display = xdisplay.Display()
screen = display.screen()
window = screen.root.create_window(
    200, 150, 500, 400, 0, screen.root_depth, background_pixel=0xFFFFFF, event_mask=X.ExposureMask
)
window.set_wm_name(how)
window.set_wm_normal_hints(flags=Xutil.USPosition, x=200, y=150)
window.map()
while display.next_event().type != X.Expose:
    pass
if how == "late":
    time.sleep(0.6)
size = (20, 20) if how == "corner" else (500, 400)
n = 0
while True:
    n += 1
    ink = window.create_gc(foreground=0x2060A0 if how == "late" else (n * 0x070B0D) & 0xFFFFFF)
    window.fill_rectangle(ink, 0, 0, *size)
    ink.free()
    display.sync()
    time.sleep(0.01)
