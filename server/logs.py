"""Logging to standard error: what happened and where, never what was typed and nothing of the environment."""

import logging
import os
import sys
import traceback
from types import TracebackType

_OURS = "echopath"
_Exception = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Discreet(logging.Formatter):
    """An exception is told by its type and the places it went through: its text may quote an argument."""

    def formatException(self, ei: _Exception) -> str:  # noqa: N802 - the name is logging's
        """`ValueError at a.py:3 in f < b.py:7 in g`, innermost first."""
        kind, exc, _ = ei
        if kind is None or exc is None:
            return ""
        return "\n".join(_told(one) for one in _parts(exc))


def set_up_logging() -> None:
    """Everything to standard error. ECHOPATH_LOG sets the level of our own lines; others warn only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    level = os.environ.get("ECHOPATH_LOG", "").upper()
    if level in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        logging.getLogger(_OURS).setLevel(level)


def _parts(exc: BaseException) -> list[BaseException]:
    inner: tuple[BaseException, ...] = getattr(exc, "exceptions", ())  # of a group
    return [part for one in inner for part in _parts(one)] or [exc]


def _told(exc: BaseException) -> str:
    places = [
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} in {frame.name}"
        for frame in reversed(traceback.extract_tb(exc.__traceback__))
    ]
    return f"{type(exc).__name__} at {' < '.join(places[:12]) or 'an unknown place'}"
