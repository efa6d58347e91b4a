"""What can go wrong between us and a desktop.

EchoPathError
├── OffScreen         a coordinate outside the screen
├── StaleFrame        a picture we never showed, or from before the screen changed size
├── DesktopUnusable   no desktop to drive here, and what to install or set
├── DesktopLost       the desktop went away under us
├── ActionFailed      the desktop refused or could not finish an action
│   ├── UserStopped   the user's stop came in the middle of it; says how much was sent
│   └── Elsewhere     another window than the one that was looked at would get its events: none was sent
├── DesktopBusy       somebody else is driving; says who, since when, doing what
├── SecretMissing     a `text_ref` that leads nowhere
├── EvidenceUnwritable  no room or no right to write evidence: nothing is done without it
└── RunUnreadable     a run directory that is none, or whose evidence was altered
"""

from datetime import datetime
from enum import StrEnum

from ibtr.errors import EchoPathError
from ibtr.geometry import Box, Point


class Sent(StrEnum):
    """How much of an action's input has gone out; a pointer that only moved is nothing."""

    NOTHING = "nothing"
    SOME = "some"
    """At least one button or key went down, perhaps all of them."""
    ALL = "all"
    UNKNOWN = "unknown"


class OffScreen(EchoPathError):
    """A coordinate outside the screen."""

    sent = Sent.NOTHING

    def __init__(self, point: Point, screen: Box) -> None:
        self.point, self.screen = point, screen
        super().__init__(
            f"({point.x:g}, {point.y:g}) is off the screen, which spans x {screen.x}..{screen.right - 1} "
            f"and y {screen.y}..{screen.bottom - 1}"
        )


class StaleFrame(EchoPathError):
    """Coordinates in a picture that no longer stands for the screen."""


class DesktopUnusable(EchoPathError):
    """No desktop to drive here; the text says what to install or set."""


class DesktopLost(EchoPathError):
    """The desktop went away under us."""


class ActionFailed(EchoPathError):
    """The desktop refused an action or could not finish it."""

    sent: Sent = Sent.UNKNOWN
    """How much had gone out by then."""


class UserStopped(ActionFailed):
    """The user's stop came while the events were sent; the rest of them was not."""


class Elsewhere(ActionFailed):
    """Another window than the one that was looked at would get the events; no button or key went down."""


def sent_before(error: BaseException) -> Sent:
    """How much of an action's input had gone out when it failed like this."""
    return error.sent if isinstance(error, ActionFailed | OffScreen) else Sent.UNKNOWN


class DesktopBusy(EchoPathError):
    """Somebody else is driving this desktop."""

    def __init__(self, who: str, since: datetime, doing: str) -> None:
        self.who, self.since, self.doing = who, since, doing
        super().__init__(f"busy: {who} has been driving this desktop since {since:%H:%M:%S} UTC ({doing})")


class SecretMissing(EchoPathError):
    """A secret reference that leads nowhere."""


class EvidenceUnwritable(EchoPathError):
    """No room or no right to write evidence; nothing is done without it."""


class RunUnreadable(EchoPathError):
    """Not a run directory, or one whose evidence was altered."""
