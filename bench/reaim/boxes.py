"""From what an application tells of its widgets (`told.py`) to the boxes of those that can be clicked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from ibtr.geometry import Box

KINDS = {
    "push button": "button", "toggle button": "toggle", "check box": "check", "radio button": "radio",
    "menu": "menu", "menu item": "item", "check menu item": "item", "radio menu item": "item",
    "combo box": "combo", "entry": "field", "text": "field", "spin button": "field", "page tab": "tab",
    "link": "link", "list item": "entry", "tree item": "entry", "icon": "icon", "table cell": "cell",
    "table column header": "header", "column header": "header",
}  # fmt: skip
CONTENT = ("entry", "icon", "cell")
"""Rows, icons and cells are clicked to be chosen; blank ones and mere pictures are not."""
PAGE = "document web"
"""What Chromium tells of a page is in pixels, whatever the units of its window are."""
SMALLEST = 8
LONGEST = 40
ASIDE = " - "
"""What a browser tells of a tab behind this, the memory it takes, is another every time."""
ABOUT = 2
"""Sizes that differ by no more are the same."""


@dataclass(frozen=True)
class Node:
    """One widget; `path` leads to it from the desktop."""

    role: str
    name: str
    states: frozenset[str]
    path: tuple[int, ...]
    box: Box

    @property
    def kind(self) -> str | None:
        """What is clicked in it; None for what is not clicked, or is a whole page of text."""
        can = "SENSITIVE" in self.states or "SELECTABLE" in self.states
        if not can or "SHOWING" not in self.states or min(self.box[2:]) < SMALLEST:
            return None
        if self.role == "text" and ("MULTI_LINE" in self.states or "EDITABLE" not in self.states):
            return None
        kind = KINDS.get(self.role)
        if kind == "combo" and "EDITABLE" in self.states:
            return "field"
        if kind in CONTENT and not (self.name and "SELECTABLE" in self.states):
            return None
        return kind

    def is_in(self, other: Node) -> bool:
        return len(self.path) > len(other.path) and self.path[: len(other.path)] == other.path


def nodes(told: list[dict[str, Any]], by: float = 1.0) -> dict[tuple[int, ...], Node]:
    """All that was told, in units of `by` pixels, by path, each where it really is.

    A child as large as its parent lies where the parent does: where it says otherwise, it and all below it
    are off by so much (LibreOffice forgets its menu bar in some, not in others).
    """
    found, off = dict[tuple[int, ...], Node](), dict[tuple[int, ...], tuple[int, int]]()
    pages = [tuple(row["path"]) for row in told if row["role"] == PAGE]
    for row in told:
        path = tuple(row["path"])
        unit = 1.0 if any(path[: len(page)] == page for page in pages) else by
        box = Box(*(round(v * unit) for v in row["box"]))
        above = next((off[path[:n]] for n in range(len(path) - 1, 0, -1) if path[:n] in off), (0, 0))
        parent = found.get(path[:-1])
        moved = Box(box.x + above[0], box.y + above[1], *box[2:])
        if parent is not None and _as_large(parent.box, box):
            moved = Box(*parent.box[:2], *box[2:])
        off[path] = moved.x - box.x, moved.y - box.y
        found[path] = Node(row["role"], row["name"], frozenset(row["states"]), path, moved)
    return found


def _as_large(one: Box, other: Box) -> bool:
    least = min(*one[2:], *other[2:])
    return least > 0 and abs(one.width - other.width) <= ABOUT and abs(one.height - other.height) <= ABOUT


class Told(NamedTuple):
    """What can be clicked in a window, by kind and name: wholly in view, or cut off by what is around it."""

    whole: dict[str, Box]
    cut: frozenset[str]


def boxes_of(told: list[dict[str, Any]], window: Box, units: float = 1.0) -> Told:
    """What the window at `window` shows; Chromium tells it in `units` of its own, larger than pixels."""
    found, tops = dict[tuple[int, ...], Node](), set[tuple[int, ...]]()
    for by in (1.0, units):
        if not tops:
            found = nodes(told, by)
            tops = {p for p, node in found.items() if len(p) == 2 and _frames(node.box, window)}
    can = [n for p, n in found.items() if p[:2] in tops and n.kind]
    inner = [n for n in can if not any(o.is_in(n) and o.box.contains(n.box.center) for o in can)]
    whole, cut, seen = dict[str, Box](), set[str](), Counter[str]()
    for node in inner:
        name = f"{node.kind}:{_label(node, found)}"
        seen[name] += 1
        name = name if seen[name] == 1 else f"{name} {seen[name]}"
        if _in_view(node, found):
            whole[name] = node.box
        else:
            cut.add(name)
    return Told(whole, frozenset(cut))


def _frames(outer: Box, window: Box) -> bool:
    """Whether this is the window, with or without what the window manager adds to it."""
    return outer.intersect(window) == window and outer.width - window.width <= 16


def _in_view(node: Node, found: dict[tuple[int, ...], Node]) -> bool:
    """Whether no widget around it cuts it off; a page is not inside of the tab that opens it."""
    for n in range(2, len(node.path)):
        around = found.get(node.path[:n])
        if around is None or around.role == "page tab" or max(around.box[2:]) <= 0:
            continue
        if node.box.intersect(around.box) != node.box:
            return False
    return True


def _label(node: Node, found: dict[tuple[int, ...], Node]) -> str:
    """Its name, else that of the nearest named thing around it; in a table with that of its row."""
    above = [found[node.path[:n]] for n in range(len(node.path), 2, -1) if node.path[:n] in found]
    name = next((n.name for n in above if n.name), "").partition(ASIDE)[0][:LONGEST]
    row = next((n for n in above[1:] if n.role == "table row"), None)
    if row is None:
        return name
    first = next((n.name for n in found.values() if n.is_in(row) and n.name), "")
    return f"{name} of {first[:LONGEST]}"


def thinned(boxes: dict[str, Box], most: int) -> dict[str, Box]:
    """At most so many of each kind, spread over all of them."""
    kinds: dict[str, list[str]] = {}
    for name in boxes:
        kinds.setdefault(name.split(":")[0], []).append(name)
    chosen = {names[i * len(names) // most] for names in kinds.values() for i in range(most)}
    return {name: box for name, box in boxes.items() if name in chosen}
