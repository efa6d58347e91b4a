"""What ends a replay between two steps without a gate's no."""

from pydantic import JsonValue

from server.fallback import StopCause


class Stopped(Exception):
    """A replay ends between two steps for a reason that is not a gate's."""

    def __init__(self, cause: StopCause, says: str, **evidence: JsonValue) -> None:
        super().__init__(says)
        self.cause, self.evidence = cause, evidence
