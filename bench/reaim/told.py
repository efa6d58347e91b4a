"""What running applications tell of their widgets, over the accessibility bus of one desktop.

Run by the system's Python, which has `gi`: told.py FILE; writes one JSON list of what is showing.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

MANY = 400
"""A sheet tells of millions of cells: of more children than this only those in view are asked for."""
STEP = 12
READ = (Atspi.Role.ICON, Atspi.Role.TABLE_CELL)
STATES = ("SHOWING", "SENSITIVE", "EDITABLE", "MULTI_LINE", "EXPANDABLE", "SELECTABLE", "FOCUSABLE")


def box_of(node: Any) -> list[int]:
    place = node.get_extents(Atspi.CoordType.SCREEN)
    return [place.x, place.y, place.width, place.height]


def name_of(node: Any) -> str:
    """Its name; of an icon or a cell without one what it reads (of a field it would be its content)."""
    text = node.get_text_iface() if node.get_role() in READ and not node.get_name() else None
    return node.get_name() or (text.get_text(0, 60) if text is not None else "") or ""


def children(node: Any) -> Iterator[Any]:
    """The children of a node; of very many only those in view, by asking at one point after the other."""
    count = node.get_child_count()
    if count <= MANY:
        yield from (node.get_child_at_index(i) for i in range(count))
        return
    left, top, width, height = box_of(node)
    y = top + 1
    while y < top + height:
        x, lowest = left + 1, y + STEP
        while x < left + width:
            child = node.get_accessible_at_point(x, y, Atspi.CoordType.SCREEN)
            place = [x, y, STEP, STEP] if child is None else box_of(child)
            x, lowest = max(x, place[0] + place[2]) + 1, max(y, place[1] + place[3]) + 1
            if child is not None:
                yield child
        y = lowest


def rows(node: Any, path: list[int]) -> Iterator[dict[str, Any]]:
    """The node and all below it that is showing, parents first."""
    states = node.get_state_set()
    held = [name for name in STATES if states.contains(getattr(Atspi.StateType, name))]
    yield {
        "role": node.get_role_name(), "name": name_of(node), "states": held, "path": path, "box": box_of(node)
    }  # fmt: skip
    for number, child in enumerate(children(node)):
        if child is None:
            continue
        try:
            if len(path) < 2 or child.get_state_set().contains(Atspi.StateType.SHOWING):
                yield from rows(child, [*path, number])
        except GLib.Error:  # it went while it was asked
            continue


def told() -> list[dict[str, Any]]:
    desktop = Atspi.get_desktop(0)
    return [
        row
        for number in range(desktop.get_child_count())
        if (application := desktop.get_child_at_index(number)) is not None
        for row in rows(application, [number])
    ]


def main(file: Path, seconds: float = 20) -> None:
    """Write what is told once it is the same twice in a row."""
    Atspi.set_timeout(3000, 10000)
    end, last = time.monotonic() + seconds, list[dict[str, Any]]()
    while time.monotonic() < end:
        now = told()
        if len(now) > 3 and now == last:
            break
        last = now
        time.sleep(0.3)
    file.write_text(json.dumps(last))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
