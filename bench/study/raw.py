"""A plain PyAutoGUI script for the same work: it knows every place, waits for the pixels there, and clicks.

Run by the study as a process of its own (PyAutoGUI binds one display per process): steps on stdin as JSON,
the moment of the first look on stdout. No model, no search, no proof: the least that the work can take.
"""

from __future__ import annotations

import base64
import io
import json
import sys
import time
from typing import Any

NEAR = 12  # mean difference, in levels, up to which a place looks as it should
LONGEST_S = 15.0


def main() -> None:
    import pyautogui
    from PIL import Image, ImageChops, ImageGrab, ImageStat

    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    pyautogui.PAUSE, pyautogui.FAILSAFE = asked["pause"], False

    def wait_for(step: dict[str, Any]) -> None:
        shown = Image.open(io.BytesIO(base64.b64decode(step["picture"]))).convert("RGB")
        left, top = step["at"]
        box = (left, top, left + shown.width, top + shown.height)
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            seen = ImageGrab.grab(box).convert("RGB")
            if max(ImageStat.Stat(ImageChops.difference(seen, shown)).mean) <= NEAR:
                return
            time.sleep(0.02)
        raise SystemExit(f"step {step['number']}: the place does not look as it should")

    print(json.dumps({"begun": time.time()}), flush=True)
    for step in asked["steps"]:
        wait_for(step)
        match step["action"]:
            case "click":
                pyautogui.click(step["x"], step["y"], clicks=step["clicks"], button=step["button"])
            case "type":
                pyautogui.write(step["text"])
            case "press":
                pyautogui.press(step["key"])
            case _:
                pyautogui.hotkey(*step["keys"])


if __name__ == "__main__":
    main()
