"""Pixels in, a point out: find a remembered GUI target again, or refuse.

The names below load on first use: importing this package costs neither cv2 nor numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibtr.aim import Aim, reaim
    from ibtr.crops import remember
    from ibtr.evidence import Evidence
    from ibtr.judge import Limits

_HOMES = {
    "Aim": "aim",
    "Evidence": "evidence",
    "Limits": "judge",
    "reaim": "aim",
    "remember": "crops",
}

__all__ = ["Aim", "Evidence", "Limits", "reaim", "remember"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"ibtr.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'ibtr' has no attribute {name!r}")
