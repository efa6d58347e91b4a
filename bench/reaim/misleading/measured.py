"""`--parts misleading`: each target is remembered on its page and sought on the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import cv2

from bench.reaim.measure import Tally, count
from bench.reaim.misleading.forms import Form
from bench.reaim.misleading.kinds import Drawn, Variant, variants
from bench.reaim.misleading.shots import Shot, shots
from ibtr import Evidence, remember
from ibtr.geometry import Point
from memory_store.consolidation.panels import sheet
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
            _sought(tallies, one, one.drawn(drawn), place, stored=stored)
        found.append(tallies)
    return found


def _sought(tallies: Kind, one: Variant, drawn: Drawn, place: Path, *, stored: bool) -> None:
    """One form: its target is remembered and sought on each of its other pages."""
    evidence = _remembered(drawn, one.form)
    evidence = as_kept(evidence) if stored else evidence
    said: list[str] = []
    for tally, shots_of in ((tallies.gone, drawn.gone), (tallies.there, drawn.honest)):
        for what, shot in shots_of.items():
            scene = Scene(shot.image, _clicked(shot, one.form.at) if shot.box else None, shot.box)
            label = f"{one.name}-{what}".replace(" ", "_")
            outcome = count(tally, evidence, scene, label, place, rerendered=True)
            said.append(f"{what} {outcome}")
            if outcome in {"accepted", "wrong"}:
                _save(place / tally.name / f"{outcome}-{label}-recorded.jpg", drawn.page, one.form.at)
    print(f"{one.kind}: {one.name} ({one.look.name}): {', '.join(said)}", flush=True)


def _remembered(drawn: Drawn, form: Form) -> Evidence:
    """By the click alone; of a dialog that came up, where it lies, as a recording knows it."""
    screen, point = drawn.page.image, _clicked(drawn.page, form.at)
    panel = sheet(drawn.earlier.image, screen, point) if drawn.earlier else None
    return remember(screen, point, panel=panel, content=form.filled)


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
