"""Pixels in, a point out: find a remembered GUI target again, or refuse.

The names below load on first use: importing this package costs neither cv2 nor numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibtr.aim import probe, reaim
    from ibtr.crops import remember
    from ibtr.draw import draw
    from ibtr.evidence import Evidence
    from ibtr.judge import Limits
    from ibtr.quality import Quality, quality
    from ibtr.report import Aim
    from ibtr.verify import verify

_HOMES = {
    "Aim": "report",
    "Evidence": "evidence",
    "Limits": "judge",
    "Quality": "quality",
    "draw": "draw",
    "probe": "aim",
    "quality": "quality",
    "reaim": "aim",
    "remember": "crops",
    "verify": "verify",
}

__all__ = [
    "Aim",
    "Evidence",
    "Limits",
    "Quality",
    "draw",
    "probe",
    "quality",
    "reaim",
    "remember",
    "verify",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        found: object = getattr(import_module(f"ibtr.{_HOMES[name]}"), name)
        globals()[name] = found  # a submodule of the same name must not shadow it later
        return found
    raise AttributeError(f"module 'ibtr' has no attribute {name!r}")
