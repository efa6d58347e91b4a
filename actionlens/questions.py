"""Questions to the X server, all on their way before the first answer is read: ten windows take one wait."""

from contextlib import suppress
from typing import Any, NamedTuple

from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.protocol import request as xrequest

_LONG = 256  # of a property, in words of four bytes; a longer title is fetched once more


class AboutWindow(NamedTuple):
    """What was asked about one window; `answered` waits for it."""

    geometry: Any
    place: Any
    name: Any
    title: Any
    pid: Any
    kind: Any
    belongs_to: Any


class Questions:
    """Asks over one connection. A window may have gone when the answer comes: that is None."""

    def __init__(self, display: Any, root: Any) -> None:
        self._display, self._root = display.display, int(root.id)

    def about(self, window: int, title: int, pid: int, kind: int) -> AboutWindow:
        """Everything that tells a window from others; the last three are atoms."""
        place = xrequest.TranslateCoords(
            display=self._display, defer=True, src_wid=window, dst_wid=self._root, src_x=0, src_y=0
        )
        properties = (Xatom.WM_CLASS, title, pid, kind, Xatom.WM_TRANSIENT_FOR)
        return AboutWindow(
            self.geometry(window), place, *(self.property(window, atom) for atom in properties)
        )

    def geometry(self, window: int) -> Any:
        """Its size, and its place in whatever it lies in."""
        return xrequest.GetGeometry(display=self._display, defer=True, drawable=window)

    def attributes(self, window: int) -> Any:
        """Whether it is shown, and who manages it."""
        return xrequest.GetWindowAttributes(display=self._display, defer=True, window=window)

    def children(self) -> Any:
        """All windows that lie right on the screen."""
        return xrequest.QueryTree(display=self._display, defer=True, window=self._root)

    def of_root(self, atom: int) -> Any:
        """A property of the screen itself, where the window manager writes what it knows."""
        return self.property(self._root, atom)

    def property(self, window: int, atom: int) -> Any:
        """One property, as far as it is not too long."""
        return xrequest.GetProperty(
            display=self._display,
            defer=True,
            delete=False,
            window=window,
            property=atom,
            type=X.AnyPropertyType,
            long_offset=0,
            long_length=_LONG,
        )


def answered(question: Any) -> Any:
    """The answer, once it is there; None if the window has gone."""
    with suppress(xerror.BadWindow, xerror.BadDrawable):
        question.reply()
        return question
    return None


def value_of(question: Any) -> Any:
    """What a property holds: bytes, or numbers; None without it."""
    answer = answered(question)
    return answer.value[1] if answer is not None and answer.property_type else None


def is_whole(question: Any) -> bool:
    """Whether the answer holds all of the property."""
    return not question.bytes_after


def number_of(question: Any) -> int | None:
    """The first number that a property holds."""
    value = value_of(question)
    return int(value[0]) if value is not None and len(value) else None


def numbers_of(question: Any) -> list[int]:
    """All numbers that a property holds."""
    return [int(one) for one in value_of(question) or ()]
