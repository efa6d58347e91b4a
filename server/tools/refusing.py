"""A refusal as an answer: nothing was touched, and it says why and what leads on."""

from pydantic import JsonValue

from actionlens.errors import DesktopBusy
from ibtr.errors import UnsafeAction
from server.errors import OwnRecording
from server.fallback import StopCause, next_tools
from server.replay.stopped import Stopped
from server.toolspec import Answer

NOT_NOW = (UnsafeAction, DesktopBusy, OwnRecording, Stopped)
"""What an act is refused with although it was asked for correctly."""


def refused(no: UnsafeAction | DesktopBusy | OwnRecording | Stopped) -> Answer:
    """A refusal is an answer, not an error."""
    match no:
        case UnsafeAction():
            return _told(no.cause.value, str(no), no.evidence)
        case DesktopBusy():
            return _told(StopCause.BUSY, str(no), busy(no))
        case OwnRecording():
            return _told(
                StopCause.RECORDING, str(no), {"run_id": no.run_id}, next_tools(StopCause.RECORDING)[:1]
            )
        case Stopped():
            return _told(no.cause, str(no), no.evidence)


def busy(no: DesktopBusy) -> dict[str, JsonValue]:
    """Who drives, since when, doing what."""
    return {"who": no.who, "since": no.since.isoformat(), "doing": no.doing}


def _told(cause: str, says: str, evidence: object, then: list[str] | None = None) -> Answer:
    said = {"status": "refused", "cause": str(cause), "summary": says, "evidence": evidence}
    return Answer(data=said | ({"next": then} if then else {}))
