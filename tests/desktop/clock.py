"""A window whose title never rests: `python clock.py`."""

import time

from Xlib import display as xdisplay

display = xdisplay.Display()
screen = display.screen()
window = screen.root.create_window(20, 60, 200, 80, 0, screen.root_depth, background_pixel=0xE8E8E0)
window.set_wm_class("clock", "Clock")
n = 0
while True:
    n += 1
    window.set_wm_name(f"tick {n}")
    window.map()
    display.sync()
    time.sleep(0.005)
