"""`echopath demo`, as a user runs it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

pytestmark = [pytest.mark.desktop, pytest.mark.timeout(400)]  # two programs, one after the other


def test_the_demo_ends_as_it_should_and_leaves_its_pictures(x_server: None, tmp_path: Path) -> None:
    echopath = Path(sys.executable).with_name("echopath")
    out = tmp_path / "out"

    done = subprocess.run(
        [echopath, "demo", "--out", out], capture_output=True, text=True, check=False, timeout=150
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^ +\d\. .* \d+\.\d\d s$", done.stdout, re.MULTILINE)) == 12
    assert re.search(r"\d+ tokens saved", done.stdout)
    for name in ("recorded", "filmstrip"):
        sheet = cv2.imread(str(out / f"{name}.png"))
        assert str(out / f"{name}.png") in done.stdout
        assert sheet is not None
        assert min(sheet.shape[:2]) > 50
    for ending in ("verified", "refused"):
        page = out / f"{ending}.html"
        assert str(page) in done.stdout
        assert page.read_text().startswith("<!doctype html>")
    assert_its_library_can_be_measured(echopath, out, done.stdout)


def assert_its_library_can_be_measured(echopath: Path, out: Path, said: str) -> None:
    """`echopath bench all`, as the demo's last lines say."""
    assert f"echopath bench all --library {out}" in said
    measured = subprocess.run(
        [echopath, "bench", "all", "--library", out, "--most", "1", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )
    assert measured.returncode == 0, measured.stderr
    found = json.loads(measured.stdout)
    assert [one["name"] for one in found["diagnostics"]] == [
        "retrieval",
        "reaim",
        "storage",
        "gate",
        "rebind",
    ]
    assert found["not_measured"] == {}
