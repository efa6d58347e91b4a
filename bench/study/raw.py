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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

NEAR = 12  # mean difference, in levels, up to which a place looks as it should
PLAIN = 10  # deviation, in levels, of a picture without structure
ALIKE = 0.9  # correlation from which a search takes a place
LONGEST_S = 15.0


Off = tuple[int, int]
"""How far from where it was a picture is now."""


class Script:
    """What the script knows of its desktop."""

    def __init__(self, *, search: bool, pause: float) -> None:
        import pyautogui

        self._hand, self._search = pyautogui, search
        pyautogui.PAUSE, pyautogui.FAILSAFE = pause, False

    def wait_for(self, step: dict[str, Any]) -> Off:
        """Look until the step's picture is there; nothing to wait for without one."""
        from PIL import Image

        if step["picture"] is None:
            return 0, 0
        shown = Image.open(io.BytesIO(base64.b64decode(step["picture"]))).convert("RGB")
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            off = self._look(shown, *step["at"])
            if off is not None:
                return off
            time.sleep(0.02)
        raise SystemExit(f"step {step['number']}: the place does not look as it should")

    def act(self, step: dict[str, Any], off: Off) -> None:
        """What the step does, where its picture is."""
        match step["action"]:
            case "click":
                at = step["x"] + off[0], step["y"] + off[1]
                self._hand.click(*at, clicks=step["clicks"], button=step["button"])
            case "move":
                self._hand.moveTo(step["x"], step["y"])
            case "type":
                self._hand.write(step["text"])
            case "press":
                self._hand.press(step["key"])
            case _:
                self._hand.hotkey(*step["keys"])

    def _look(self, shown: Image.Image, left: int, top: int) -> Off | None:
        from PIL import ImageChops, ImageGrab, ImageStat

        if self._search and max(ImageStat.Stat(shown).stddev) > PLAIN:  # a plain place is found anywhere
            return self._found(shown, left, top)
        seen = ImageGrab.grab((left, top, left + shown.width, top + shown.height)).convert("RGB")
        return (0, 0) if max(ImageStat.Stat(ImageChops.difference(seen, shown)).mean) <= NEAR else None

    def _found(self, shown: Image.Image, left: int, top: int) -> Off | None:
        from PIL import ImageGrab

        screen = ImageGrab.grab().convert("RGB")
        try:
            places = list(self._hand.locateAll(shown, screen, confidence=ALIKE))
        except (
            self._hand.pyscreeze.ImageNotFoundException
        ):  # a generator's, which PyAutoGUI does not translate
            return None
        near = min(places, key=lambda at: abs(at.left - left) + abs(at.top - top), default=None)
        return None if near is None else (int(near.left) - left, int(near.top) - top)


def main() -> None:
    """Steps on stdin; the moment of the first look on stdout."""
    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    script = Script(search=asked["search"], pause=asked["pause"])
    print(json.dumps({"begun": time.time()}), flush=True)
    for step in asked["steps"]:
        script.act(step, script.wait_for(step))


if __name__ == "__main__":
    main()
