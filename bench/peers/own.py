"""Cases of our own, for a run without a labelled set: the windows of two toolkits, rendered here."""

from __future__ import annotations

from pathlib import Path

import cv2

from bench.reaim.cases import Case
from bench.reaim.toolkits import GTK, TK, capture


def own_cases(folder: Path) -> list[Case]:
    """Every widget of a GTK and of a Tk window; the pictures lie in `folder`."""
    cases: list[Case] = []
    for toolkit, look in (("gtk", GTK[0]), ("tk", TK[0])):
        frame, image = capture(toolkit, look), folder / f"{toolkit}.png"
        cv2.imwrite(str(image), frame.image)
        cases += [
            Case(f"{toolkit}-{name}", image, box, box.center)
            for name, box in frame.boxes.items()
            if not name.startswith(("label:", "name:"))
        ]
    return cases
