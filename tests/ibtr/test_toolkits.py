import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from ibtr import remember
from ibtr.aim import probe
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels
from ibtr.report import Aim

pytestmark = pytest.mark.desktop


def frame(folder: Path, name: str) -> tuple[Pixels, dict[str, Box]]:
    image = np.asarray(cv2.imread(str(folder / f"{name}.png")), np.uint8)
    boxes = json.loads((folder / f"{name}.json").read_text())
    return image, {key: Box(*value) for key, value in boxes.items()}


def middle(box: Box) -> Point:
    return Point(box.x + box.width // 2, box.y + box.height // 2)


def test_every_widget_of_a_gtk_window_is_found_on_another_screen_and_nothing_else_is_clicked(
    tmp_path: Path,
) -> None:
    looks = ["base", "other resolution", "dark theme"]
    subprocess.run([sys.executable, "-m", "bench.reaim.toolkits", "gtk", str(tmp_path), *looks], check=True)
    screen, boxes = frame(tmp_path, "base")
    names = [n for n in boxes if n.startswith(("menu:", "button:", "edit:"))][::2]
    evidences = [remember(screen, middle(boxes[name])) for name in names]
    found: dict[str, int] = {}

    for look in looks[1:]:
        image, there = frame(tmp_path, look)
        aims = probe(evidences, image)
        for name, aim in zip(names, aims, strict=True):
            assert not isinstance(aim, Aim) or there[name].contains(aim.point), (look, name)
        found[look] = sum(isinstance(aim, Aim) for aim in aims)

    assert found["other resolution"] == len(names)
