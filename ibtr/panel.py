"""The dialog that a target stands in must say what it said: "Yes" answers another question in another one."""

from __future__ import annotations

from dataclasses import replace

from ibtr.errors import MissingTarget
from ibtr.evidence import CropAnchor
from ibtr.geometry import Box, Point
from ibtr.letters import lines
from ibtr.masks import edges
from ibtr.pixels import Pixels, absolute_difference, cut, in_colours, size_of, to_gray
from ibtr.report import Aim
from ibtr.spelled import Read, read
from ibtr.view import View
from ibtr.work import Scaling, Work

LARGEST = 260_000
"""Pixels of a panel, at most: a larger one is a form or a window, where much may vary."""
LARGE, FEW = 480_000, 12
"""The same for one that says little, and the lines that it may say: a list or a form says more."""
APART, SCALED = 0.3, 0.45
"""How far apart a letter may be at its worst place, in shares of its contrast; and in another size."""
LEAST = 0.6
"""Least correlation of a letter."""
NEW = 4
"""Pixels of ink from which a letter is new."""
SUPPORT = 0.9
"""Share of what stands around a target that was drawn anew in a dialog, which must be there."""
INK, STILL = 24, 0.6
"""Levels of an edge, and the share of a dialog's edges from which it is there still."""
PAD = 170
"""Pixels around a panel in which its words are looked for: another one may be wider."""


def with_panel(anchor: CropAnchor, screen: Pixels, panel: Box | None, marked: Pixels | None) -> CropAnchor:
    """The same anchor with the dialog that it stands in; as it is where that is too large to be one."""
    box = panel.clip(size_of(screen)) if panel is not None else Box(0, 0, 0, 0)
    click = Point(anchor.click.x + anchor.source.x - box.x, anchor.click.y + anchor.source.y - box.y)
    whole = Box(0, 0, box.width, box.height)
    if not box.area or not whole.contains(click) or not says_little(to_gray(screen), box, LARGEST):
        return anchor
    move = Point(anchor.source.x - box.x, anchor.source.y - box.y)
    core, target = (_moved(one, move).intersect(whole) for one in (anchor.core, anchor.target))
    gray = in_colours(to_gray(cut(screen, box)))
    vary = cut(marked, box).copy() if marked is not None and cut(marked, box).any() else None
    return replace(anchor, panel=CropAnchor(gray, click, core, target, whole, box, anchor.screen, vary))


def says_little(gray: Pixels, box: Box, size: int) -> bool:
    """Whether a part of the screen is no larger than `size`, or has few lines for a larger one."""
    return box.area <= size or (box.area <= LARGE and len(lines(cut(gray, box))) <= FEW)


def expect_panel(anchor: CropAnchor, view: View, aim: Aim, *, redrawn: bool) -> None:
    """Let a target pass whose dialog says what it said.

    Raises:
        MissingTarget: it says something else, or cannot be read.
    """
    if anchor.panel is None:
        return
    where = [float(v) for v in aim.point]
    if redrawn:
        if aim.sight.context < SUPPORT:
            raise MissingTarget(
                "the dialog was drawn anew, and too little of it is there",
                panel=aim.sight.context,
                point=where,
            )
        return
    found = read_panel(anchor.panel, view, aim)
    scaled = abs(aim.scale.x - 1) > 0.01
    most = SCALED if scaled else APART
    if found.apart > most or found.least < LEAST or found.new >= NEW:
        raise MissingTarget(
            "the dialog says something else than recorded",
            panel=found.least,
            apart=found.apart,
            new_ink=found.new,
            letters=found.letters,
            point=where,
        )


def still_there(before: Pixels, now: Pixels, box: Box) -> bool:
    """Whether most of what was drawn in a box of one screen is there on another."""
    if before.shape != now.shape or not (inside := box.clip(size_of(before))).area:
        return False
    one, other = (to_gray(cut(screen, inside)) for screen in (before, now))
    ink = edges(one, INK) != 0
    return bool(ink.any()) and float((absolute_difference(one, other)[ink] < INK // 2).mean()) >= STILL


def place_of(panel: CropAnchor, aim: Aim) -> Box:
    """Where the dialog of a target lies on the screen that it was found on."""
    sx, sy, dx, dy = aim.transform
    at = panel.source
    return Box(round(at.x * sx + dx), round(at.y * sy + dy), round(at.width * sx), round(at.height * sy))


def read_panel(panel: CropAnchor, view: View, aim: Aim) -> Read:
    """How the dialog around an aim reads."""
    work = Work(panel, view, Scaling(*aim.scale), inverted="inverted" in aim.representation)
    whole = Box(0, 0, *size_of(work.gray))
    seen, corner, per = work.window(aim.point, whole, PAD)
    at = Point((aim.point.x - corner.x + 0.5) * per.x - 0.5, (aim.point.y - corner.y + 0.5) * per.y - 0.5)
    origin = round(at.x - work.click.x), round(at.y - work.click.y)
    scaled = abs(aim.scale.x - 1) > 0.01
    return read(work.gray, seen, origin, work.box(panel.target), work.varies, scaled=scaled)


def _moved(box: Box, by: Point) -> Box:
    return Box(box.x + round(by.x), box.y + round(by.y), box.width, box.height)
