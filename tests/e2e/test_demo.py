"""`echopath demo`, as a user runs it."""

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

pytestmark = pytest.mark.desktop


def test_the_demo_ends_as_it_should_and_leaves_its_pictures(x_server: None, tmp_path: Path) -> None:
    echopath = Path(sys.executable).with_name("echopath")
    out = tmp_path / "out"

    done = subprocess.run(
        [echopath, "demo", "--out", out], capture_output=True, text=True, check=False, timeout=150
    )

    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("recorded", "replayed"):
        sheet = cv2.imread(str(out / f"{name}.png"))
        assert str(out / f"{name}.png") in done.stdout
        assert sheet is not None
        assert sheet.shape[1] > 1000
