"""A plain PyAutoGUI script for the same work: it waits for the same targets, by pixels, and clicks.

Run by the study as a process of its own (PyAutoGUI binds one display per process): steps on stdin as JSON,
the moment of the first look on stdout. It has a picture of every target from this very screen, so that it
always finds it, and no check, no proof, no other scale. It either searches the whole screen for it, as
scripts do whose windows move (`locateAll`), or is told every place: the least that the work can take.
"""

from __future__ import annotations

import base64
import io
import json
import sys
import time
from typing import Any

NEAR = 12  # mean difference, in levels, up to which a place looks as it should
PLAIN = 10  # deviation, in levels, of a picture without structure
ALIKE = 0.9  # correlation from which a search takes a place
LONGEST_S = 15.0


def main() -> None:
    import pyautogui
    from PIL import Image, ImageChops, ImageGrab, ImageStat

    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    pyautogui.PAUSE, pyautogui.FAILSAFE = asked["pause"], False

    def look(shown: Image.Image, left: int, top: int) -> tuple[int, int] | None:
        """How far from where it was the picture is now."""
        if asked["search"] and max(ImageStat.Stat(shown).stddev) > PLAIN:  # a plain place is found anywhere
            found = locate_all(shown, confidence=ALIKE)
            near = min(found, key=lambda at: abs(at.left - left) + abs(at.top - top), default=None)
            return None if near is None else (int(near.left) - left, int(near.top) - top)
        seen = ImageGrab.grab((left, top, left + shown.width, top + shown.height)).convert("RGB")
        return (0, 0) if max(ImageStat.Stat(ImageChops.difference(seen, shown)).mean) <= NEAR else None

    def locate_all(shown: Image.Image, confidence: float) -> list[Any]:
        try:
            return list(pyautogui.locateAll(shown, ImageGrab.grab().convert("RGB"), confidence=confidence))
        except pyautogui.ImageNotFoundException:
            return []

    def wait_for(step: dict[str, Any]) -> tuple[int, int]:
        if step["picture"] is None:
            return 0, 0
        shown = Image.open(io.BytesIO(base64.b64decode(step["picture"]))).convert("RGB")
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            off = look(shown, *step["at"])
            if off is not None:
                return off
            time.sleep(0.02)
        raise SystemExit(f"step {step['number']}: the place does not look as it should")

    print(json.dumps({"begun": time.time()}), flush=True)
    for step in asked["steps"]:
        right, down = wait_for(step)
        match step["action"]:
            case "click":
                pyautogui.click(
                    step["x"] + right, step["y"] + down, clicks=step["clicks"], button=step["button"]
                )
            case "type":
                pyautogui.write(step["text"])
            case "press":
                pyautogui.press(step["key"])
            case _:
                pyautogui.hotkey(*step["keys"])


if __name__ == "__main__":
    main()
