"""`--parts misleading`: each target is remembered on its page and sought on the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import cv2

from bench.reaim.measure import Tally, count
from bench.reaim.misleading.kinds import Variant, variants
from bench.reaim.misleading.shots import Shot, shots
from ibtr import remember
from ibtr.geometry import Point
from memory_store.crops import as_kept
from server.diagnostics.scenes import Scene

HEAD = (
    "| misleading pages | there | right | wrong | refused | gone | accepted | refused |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|"
)


class Kind(NamedTuple):
    """What came of one kind of form: where the target is there, and where it is gone."""

    there: Tally
    gone: Tally

    def row(self) -> str:
        there = [f"{self.there.share(c):.1f} %" for c in ("right", "wrong", "refused")]
        gone = [f"{self.gone.share(c):.1f} %" for c in ("accepted", "refused")]
        cells = [self.there.name, str(self.there.n), *there, str(self.gone.n), *gone]
        return f"| {' | '.join(cells)} |"


def measured(
    out: Path,
    *,
    times: int,
    kinds: Sequence[str] = (),
    seed: int = 0,
    kept: bool = False,
    stored: bool = False,
) -> list[Kind]:
    """Every form so many times, by kind; failing cases are drawn, with the page they were recorded on."""
    every, place = list(variants(times, kinds, seed)), out / "misleading"
    sources = [source for one in every for source in one.sources()]
    drawn = shots(sources, place / "pages", kept=kept)
    found: list[Kind] = []
    for kind, those in groupby(every, key=lambda v: v.kind):
        tallies = Kind(Tally(kind), Tally(f"{kind}, gone"))
        for one in those:
            _sought(tallies, one, drawn, place, stored=stored)
        found.append(tallies)
    return found


def _sought(tallies: Kind, one: Variant, drawn: Iterator[Shot], place: Path, *, stored: bool) -> None:
    """One form: its pages come in the order of its sources."""
    base = next(drawn)
    evidence = remember(base.image, _clicked(base, one.form.at), content=one.form.filled)
    evidence = as_kept(evidence) if stored else evidence
    said: list[str] = []
    for tally, pages in ((tallies.gone, one.form.gone), (tallies.there, one.form.honest)):
        for what, shot in zip(pages, drawn, strict=False):
            click = _clicked(shot, one.form.at) if shot.box else None
            scene = Scene(shot.image, click, shot.box)
            label = f"{one.name}-{what}".replace(" ", "_")
            outcome = count(tally, evidence, scene, label, place, rerendered=True)
            said.append(f"{what} {outcome}")
            if outcome in {"accepted", "wrong"}:
                _save(place / tally.name / f"{outcome}-{label}-recorded.jpg", base, one.form.at)
    print(f"{one.kind}: {one.name} ({one.look.name}): {', '.join(said)}", flush=True)


def _clicked(shot: Shot, at: tuple[float, float]) -> Point:
    """The point in the target's box that is clicked.

    Raises:
        ValueError: the page does not show its target.
    """
    if shot.box is None:
        raise ValueError("a page without its target")
    return Point(shot.box.x + int(shot.box.width * at[0]), shot.box.y + int(shot.box.height * at[1]))


def _save(path: Path, base: Shot, at: tuple[float, float]) -> None:
    """The recorded page with its click."""
    picture, point = base.image.copy(), _clicked(base, at)
    cv2.drawMarker(picture, (int(point.x), int(point.y)), (255, 0, 255), cv2.MARKER_CROSS, 16, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
