"""A window that takes its time over every key: `python slow.py LOG "ping"|"no ping"`.

The one sleeps over them but answers a ping in its turn, the other works without a pause and answers none.
"""

import os
import sys
import time
from pathlib import Path

from Xlib import X
from Xlib import display as xdisplay

OVER_A_KEY_S = 0.03

display = xdisplay.Display()
root = display.screen().root
ping = display.intern_atom("_NET_WM_PING")
window = root.create_window(200, 150, 500, 400, 0, display.screen().root_depth, event_mask=X.KeyPressMask)
window.set_wm_name("slow")
if sys.argv[2] == "ping":
    window.set_wm_protocols([ping])
else:
    window.change_property(display.intern_atom("_NET_WM_PID"), 6, 32, [os.getpid()])
window.map()
display.sync()
log = Path(sys.argv[1])
log.touch()
while True:
    event = display.next_event()
    match event.type:
        case X.KeyPress:
            if sys.argv[2] == "ping":
                time.sleep(OVER_A_KEY_S)
            else:
                end = time.process_time() + OVER_A_KEY_S
                while time.process_time() < end:
                    pass
            with log.open("a") as file:
                file.write(chr(display.keycode_to_keysym(event.detail, 0) & 0xFFFFFF))
        case X.MappingNotify:
            display.refresh_keyboard_mapping(event)
        case X.ClientMessage if event.data[1][0] == ping:
            event.window = root
            root.send_event(event, event_mask=X.SubstructureNotifyMask | X.SubstructureRedirectMask)
            display.flush()
