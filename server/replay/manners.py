"""How a replay behaves towards the desktop and a person at it."""

from dataclasses import dataclass, field
from typing import Literal

from server.replay.aiming import Waiting


@dataclass(frozen=True, slots=True)
class Manners:
    """Bounds of every wait; none of them is a fixed sleep."""

    waiting: Waiting = field(default_factory=Waiting)
    focus_s: float = 1.5  # how long the recorded application may take to come to the front
    clear_s: float = 2.0  # how long a contradiction may take to dissolve; what has not come yet is waited for
    answer_s: float = 5.0  # how long a dialog that was answered may take to go
    artifact_s: float = 3.0  # how long a program may take to write what it was told to save
    person: Literal["pause", "refuse"] = "pause"  # what to do when somebody moves the mouse
    person_still_s: float = 1.0
    person_longest_s: float = 15.0
