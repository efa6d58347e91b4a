"""Do it and keep the proof; knows desktops, not memories.

The names below load on first use: importing this package costs neither cv2 nor numpy, and no display.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.controller import Controller, Frame
    from actionlens.desk import Desktop, open_local, open_virtual
    from actionlens.observation import Observation, Window
    from actionlens.pictures import Pictures
    from actionlens.recorder import ActionLens, Done
    from actionlens.records import Request, RunId, RunStatus, StepStatus
    from actionlens.run_reader import Run, Step, read_run, verify_run

_HOMES = {
    "Action": "actions",
    "ActionLens": "recorder",
    "Controller": "controller",
    "Desktop": "desk",
    "Done": "recorder",
    "Frame": "controller",
    "Observation": "observation",
    "Pictures": "pictures",
    "Request": "records",
    "Run": "run_reader",
    "RunId": "records",
    "RunStatus": "records",
    "Step": "run_reader",
    "StepStatus": "records",
    "Window": "observation",
    "open_local": "desk",
    "open_virtual": "desk",
    "read_run": "run_reader",
    "verify_run": "run_reader",
}

__all__ = [
    "Action",
    "ActionLens",
    "Controller",
    "Desktop",
    "Done",
    "Frame",
    "Observation",
    "Pictures",
    "Request",
    "Run",
    "RunId",
    "RunStatus",
    "Step",
    "StepStatus",
    "Window",
    "open_local",
    "open_virtual",
    "read_run",
    "verify_run",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"actionlens.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'actionlens' has no attribute {name!r}")
