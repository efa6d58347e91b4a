"""The yardstick of `bench.replayed`: a bare PyAutoGUI click and a grab of the whole screen.

Reads one line per round (`x,y x,y ...`) and answers with the milliseconds of each click and grab as JSON.
"""

import json
import sys
import time
import types

sys.modules["mouseinfo"] = types.ModuleType("mouseinfo")
sys.modules["mouseinfo"].MouseInfoWindow = None  # type: ignore[attr-defined]


def main() -> None:
    import pyautogui
    from PIL import ImageGrab

    pyautogui.PAUSE, pyautogui.FAILSAFE = 0, False
    for line in sys.stdin:
        taken: list[float] = []
        for place in line.split():
            x, y = map(int, place.split(","))
            begun = time.perf_counter()
            pyautogui.click(x, y)
            ImageGrab.grab()  # what `pyautogui.screenshot` calls, without its own detours
            taken.append((time.perf_counter() - begun) * 1000)
        print(json.dumps(taken), flush=True)


if __name__ == "__main__":
    main()
