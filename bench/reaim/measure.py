"""Run re-aiming over scenes and count what came of it; failing cases are saved as drawn pictures."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.reaim.cases import Case, load
from bench.reaim.toolkits import Frame
from ibtr import Evidence, draw, probe, remember
from ibtr.errors import Rejected
from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels, correlate, cut, size_of, to_gray
from ibtr.report import Aim
from memory_store.crops import as_kept
from server.diagnostics.scenes import Donor, Scene
from server.diagnostics.scenes_gone import MAKERS

GONE = ("erased", "replaced", "another screen")


@dataclass
class Tally:
    """What came of one condition."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    representations: Counter[str] = field(default_factory=Counter)
    absent: int = 0
    """Targets that are not on the screen, and were refused: they are no part of `n`."""

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    def share(self, outcome: str) -> float:
        return 100 * self.counts[outcome] / self.n if self.n else 0.0


def scene_of(case: Case, name: str, cases: list[Case], seed: int = 0) -> Scene | None:
    """The scene of one case under one condition; the same every time, and another one for every seed."""
    which = f"{name}:{case.id}:{seed}" if seed else f"{name}:{case.id}"
    rng = np.random.default_rng(zlib.crc32(which.encode()))
    others = [c for c in cases if c.image != case.image]
    donor = others[int(rng.integers(len(others)))]
    screen = load(case.image)
    return MAKERS[name](screen, case.box, case.click, Donor(load(donor.image), donor.box), rng)


def outcome_of(aim: Aim, scene: Scene, *, rerendered: bool = False) -> str:
    """right, off or wrong; `accepted` where nothing should have been."""
    if scene.click is None or scene.box is None:
        return "accepted"
    near = np.hypot(aim.point.x - scene.click.x, aim.point.y - scene.click.y) <= 2
    if near or (rerendered and scene.box.contains(aim.point)):
        return "right"
    return "off" if scene.box.contains(aim.point) else "wrong"


def shows(case: Case, screen: Pixels) -> bool:
    """Whether another screen has the very same widget on it (plain exhaustive search for its box)."""
    part = case.box.grow(4).clip(size_of(load(case.image)))
    crop = to_gray(np.ascontiguousarray(cut(load(case.image), part)))
    if crop.std() < 1 or part.height > screen.shape[0] or part.width > screen.shape[1]:
        return False
    return float(correlate(to_gray(screen), crop).max()) >= 0.95


def run_condition(
    name: str,
    chosen: list[Case],
    cases: list[Case],
    out: Path,
    *,
    boxes: bool,
    stored: bool = False,
    seed: int = 0,
) -> list[Tally]:
    """All chosen cases under one condition; `stored`: with what the memory store keeps of the evidence."""
    tally, same = Tally(name), Tally(f"{name}, with the same widget on it")
    for case in chosen:
        scene = scene_of(case, name, cases, seed)
        if scene is None:
            continue
        evidence = remember(load(case.image), case.click, case.box if boxes else None)
        evidence = as_kept(evidence) if stored else evidence
        here = same if name == "another screen" and shows(case, scene.screen) else tally
        count(here, evidence, scene, case.id, out)
    return [t for t in (tally, same) if t.n]


def clicked(frame: Frame) -> dict[str, Box]:
    """What can be clicked on a frame."""
    return {n: b for n, b in frame.boxes.items() if not n.startswith(("label:", "name:"))}


def run_frames(
    tally: Tally, base: Frame, frame: Frame, out: Path, *, stored: bool = False, rerendered: bool = True
) -> Tally:
    """Every widget of one window, recorded on `base`, sought on `frame`; `stored`: by what is stored."""
    gone = Tally(tally.name)
    for name, box in clicked(base).items():
        there = frame.boxes.get(name)
        scene = Scene(frame.image, _middle(there) if there else None, there)
        evidence = remember(base.image, _middle(box), content=name.startswith("field:"))
        evidence = as_kept(evidence) if stored else evidence
        count(tally if there else gone, evidence, scene, _label(name), out, rerendered=rerendered)
    tally.absent += gone.counts["refused"]
    tally.counts["accepted"] += gone.counts["accepted"]
    return tally


def run_gone(tallies: dict[str, Tally], base: Frame, frame: Frame, out: Path) -> None:
    """The same where the widget was painted out, or another one of the same window stands in its place."""
    rng = np.random.default_rng(zlib.crc32(frame.look.name.encode()))
    names = [n for n in clicked(base) if n in frame.boxes]
    for name in names[::2]:
        kind = name.split(":")[0]
        others = [n for n in names if n != name and (":" not in n or n.split(":")[0] != kind)]
        if not others:
            continue
        evidence, box = remember(base.image, _middle(base.boxes[name])), frame.boxes[name]
        donor = Donor(frame.image, frame.boxes[others[int(rng.integers(len(others)))]])
        for what, tally in tallies.items():
            gone = MAKERS[what](frame.image, box, _middle(box), donor, rng)
            if gone is not None:
                count(tally, evidence, gone, _label(name), out)


def run_renamed(tally: Tally, base: Frame, frame: Frame, names: list[str], out: Path) -> None:
    """The same where the label reads another word."""
    for name in names:
        evidence = remember(base.image, _middle(base.boxes[name]))
        count(tally, evidence, Scene(frame.image, None, None), _label(name), out)


def _label(name: str) -> str:
    return name.replace(":", "-").replace(" ", "_").replace("/", "-")


def count(
    tally: Tally, evidence: Evidence, scene: Scene, label: str, out: Path, *, rerendered: bool = False
) -> str:
    """Seek one target on one scene, and what came of it."""
    (found,) = probe([evidence], scene.screen)
    if isinstance(found, Aim):
        outcome = outcome_of(found, scene, rerendered=rerendered)
        tally.representations[found.representation] += 1
    else:
        outcome = "refused"
        tally.causes[str(found.cause)] += 1
    tally.counts[outcome] += 1
    expected = scene.click is not None and not scene.decoys
    if outcome in {"wrong", "off", "accepted"} or (outcome == "refused" and expected):
        _save(out / tally.name.replace("/", "-") / f"{outcome}-{label}.jpg", found, scene)
    return outcome


def _save(path: Path, found: Aim | Rejected, scene: Scene) -> None:
    picture = draw(found, scene.screen)
    if scene.box is not None:
        box = scene.box.grow(1)
        cv2.rectangle(picture, (box.x, box.y), (box.right, box.bottom), (255, 0, 255), 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])


def _middle(box: Box) -> Point:
    return Point(box.x + box.width // 2, box.y + box.height // 2)
