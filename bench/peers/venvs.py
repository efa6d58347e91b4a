"""A venv for each peer, for their pins conflict; a peer that cannot be installed is told with the reason."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Peer:
    """What people use: a way of searching, and what has to be installed for it."""

    name: str
    finder: str
    venv: str
    how: str


REQUIREMENTS = {
    "pyautogui": ("pyautogui", "opencv-python-headless", "pillow"),
    "guibot": ("guibot", "opencv-contrib-python-headless"),
    "airtest": ("airtest",),
}
PEERS = (
    Peer("PyAutoGUI", "pyautogui", "pyautogui", "`locate(crop, screen)`, nothing set"),
    Peer(
        "PyAutoGUI 0.9",
        "pyautogui-confidence",
        "pyautogui",
        "`locate(crop, screen, confidence=0.9)`, the documentation's example",
    ),
    Peer("guibot", "guibot", "guibot", "its default finder (hybrid: template matching), nothing set"),
    Peer(
        "Airtest",
        "airtest",
        "airtest",
        "`Template(crop, record_pos, resolution)` as its editor writes it, threshold 0.7",
    ),
)


class NotInstalled(Exception):
    """A peer that cannot be had here, and why."""


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of a peer's venv, made if it is not there.

    Raises:
        NotInstalled: with the last words of the installer.
    """
    home = folder / name
    python = home / "bin" / "python"
    if (home / ".ready").exists():
        return python
    print(f"installing {' '.join(REQUIREMENTS[name])}", flush=True)
    _run([sys.executable, "-m", "venv", "--clear", str(home)])
    _run([str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS[name]])
    _run([str(python), "-c", "import cv2"])
    (home / ".ready").touch()
    return python


def version_of(name: str, python: Path) -> str:
    """What pip calls the installed version."""
    asked = f"import importlib.metadata as m; print(m.version({REQUIREMENTS[name][0]!r}))"
    return _run([str(python), "-c", asked]).strip()


def _run(argv: list[str]) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise NotInstalled((last or ["no reason given"])[0].strip())
    return done.stdout
