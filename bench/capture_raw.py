"""The yardstick of `bench.capture`: the same click and grabs with bare PyAutoGUI, on the same screen.

Reads one line per round (`x,y x,y ...`) and answers with the milliseconds of each repetition as JSON.
"""

import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

sys.modules["mouseinfo"] = types.ModuleType("mouseinfo")
sys.modules["mouseinfo"].MouseInfoWindow = None  # type: ignore[attr-defined]


def main() -> None:
    import cv2
    import mss
    import pyautogui
    from PIL import ImageGrab

    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    grabber = (getattr(mss, "MSS", None) or mss.mss)()

    def pil() -> Any:
        return np.asarray(ImageGrab.grab())

    def raw() -> Any:
        shot = grabber.grab(grabber.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR)  # the quickest way that we know

    def click(grab: Callable[[], Any], x: int, y: int) -> None:
        grab()
        pyautogui.moveTo(x, y)
        pyautogui.click()
        grab()

    for line in sys.stdin:
        places = [tuple(map(int, place.split(","))) for place in line.split()]
        told = {
            "grab_pil": [timed(pil) for _ in places],
            "grab_mss": [timed(raw) for _ in places],
            "click_pil": [timed(lambda at=at: click(pil, *at)) for at in places],  # type: ignore[misc]
            "click_mss": [timed(lambda at=at: click(raw, *at)) for at in places],  # type: ignore[misc]
        }
        print(json.dumps(told), flush=True)


def timed(act: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    main()
