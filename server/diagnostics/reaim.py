"""Target re-aiming (paper, 3.2): does the stored evidence lead back to the recorded point, or to a refusal?

Every pointer target is looked for on the screen it was recorded on, as it was and changed in ways that come
up between two days; and on screens where it is gone or has a twin, which must be refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ibtr import Aim, probe
from ibtr.errors import Rejected
from ibtr.pixels import Pixels, correlate, cut, size_of, to_gray
from server.diagnostics.cases import Case, Strangers, cases_of, rng_of, sample
from server.diagnostics.figures import Diagnosis, Figure, Goal, Tick, middle, quiet, share
from server.diagnostics.library import HOW, Library, active
from server.diagnostics.scenes import Donor, Scene
from server.diagnostics.scenes_gone import MAKERS
from server.errors import LibraryTooSmall
from server.table import counted

CASES: Final = 200
"""The paper's n."""
SHOWN: Final = (
    "original",
    "scale 0.6-1.6",
    "scale 1600/1920",
    "window dragged",
    "JPEG q60",
    "pointer on it",
)
GONE: Final = ("erased", "replaced", "another screen", "copy of its surroundings")
PAPER: Final = {"original": (95.5, 95.5), "scale 0.6-1.6": (95.0, 94.0)}
"""Accepted, and within 2 px, of 200."""
_SAME = 0.95  # correlation from which another screen shows the very same widget


@dataclass(frozen=True, slots=True)
class Shot:
    """What came of one case under one condition."""

    case: str
    off_px: float | None
    """From the documented point; None: refused."""
    on_target: bool
    says: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the pointer would have gone somewhere."""
        return self.off_px is not None


def diagnose(library: Library, most: int = CASES, tick: Tick = quiet) -> Diagnosis:
    """Aim at every target of the library.

    Raises:
        LibraryTooSmall: no pointer step has its evidence and its screen.
    """
    everything = cases_of(library)
    if not everything:
        raise LibraryTooSmall(
            "no pointer step of an active memory has both its crops and its screen",
            f"keep frames (keep_frames = true) or the recorded runs; or {HOW}",
        )
    cases = sample(everything, most)
    strangers = Strangers(library, everything)
    shots: dict[str, list[Shot]] = {name: [] for name in (*SHOWN, *GONE)}
    for at, case in enumerate(cases):
        tick("reaim", at, len(cases))
        for name, shot in _shots(library, case, strangers):
            shots[name].append(shot)
    return Diagnosis(
        name="reaim",
        title="Target re-aiming",
        conditions=(
            f"{len(cases)} of {counted(len(everything), 'pointer target', 'pointer targets')} "
            f"of {active(len(library.memories))}",
            "stored evidence against its own screen, changed as named; compared with the recorded point",
            "gone: the same screens with the target painted over, replaced, elsewhere, or with a twin",
        ),
        figures=tuple(_figures(shots)),
        series={name: _bar(shots[name]) for name in (*SHOWN, *GONE) if shots[name]},
        misses=tuple(_misses(shots)),
        left_out=dict(library.left_out),
    )


def _figures(shots: dict[str, list[Shot]]) -> Iterator[Figure]:
    for name in SHOWN:
        yield from _there(name, shots[name])
    yield from (_gone(name, shots[name]) for name in GONE if shots[name])
    wrong = [not shot.on_target for name in SHOWN for shot in shots[name] if shot.accepted]
    yield Figure(
        what="wrong place, of all that was accepted",
        ours=share(wrong),
        goal=Goal(at_most=0),
        n=len(wrong),
    )


def _shots(library: Library, case: Case, strangers: Strangers) -> Iterator[tuple[str, Shot]]:
    """One case under every condition that can be made for it."""
    screen = library.screen(case.memory, case.step)
    if screen is None:
        return
    foreign = strangers.to(case.memory, rng_of(case.name))
    donor = Donor(foreign.screen, foreign.box)
    for name in (*SHOWN, *GONE):
        scene = MAKERS[name](screen, case.box, case.point, donor, rng_of(name, case.name))
        if scene is not None and not (name == "another screen" and _shows(case, foreign.screen)):
            yield name, _aim(case, scene)


def _aim(case: Case, scene: Scene) -> Shot:
    (found,) = probe([case.evidence], scene.screen)
    if isinstance(found, Rejected):
        return Shot(case.name, None, on_target=True, says=f"{found.cause.value}: {found}")
    return Shot(case.name, _off(found, scene), on_target=_hits(found, scene), says="accepted")


def _off(aim: Aim, scene: Scene) -> float:
    if scene.click is None:
        return math.inf
    return math.hypot(aim.point.x - scene.click.x, aim.point.y - scene.click.y)


def _hits(aim: Aim, scene: Scene) -> bool:
    return scene.box is not None and (scene.box.grow(2).contains(aim.point) or _off(aim, scene) <= 2)


def _shows(case: Case, screen: Pixels) -> bool:
    """Whether a foreign screen has the very same widget on it (plain search for its pixels)."""
    anchor = case.evidence.crop
    crop = to_gray(cut(anchor.image, anchor.target))
    if crop.std() < 1 or any(a > b for a, b in zip(size_of(crop), size_of(screen), strict=True)):
        return False
    return float(correlate(to_gray(screen), crop).max()) >= _SAME


def _there(name: str, shots: Sequence[Shot]) -> list[Figure]:
    off = [shot.off_px for shot in shots if shot.off_px is not None and math.isfinite(shot.off_px)]
    median, spread = middle(off)
    paper = PAPER.get(name, (None, None))
    said = (
        "no deviation"
        if median is None or spread is None
        else f"{median:.2f} [{spread[0]:.2f}, {spread[1]:.2f}] px"
    )
    near = share(shot.off_px is not None and shot.off_px <= 2 for shot in shots)
    return [
        Figure(
            what=f"{name}: accepted",
            ours=share(shot.accepted for shot in shots),
            paper=paper[0],
            n=len(shots),
        ),
        Figure(what=f"{name}: within 2 px", ours=near, paper=paper[1], n=len(shots), note=said),
    ]


def _gone(name: str, shots: Sequence[Shot]) -> Figure:
    twin = name.startswith("copy")
    right = [not shot.accepted or (twin and shot.on_target) for shot in shots]
    what = f"{name}: refused, or the right one" if twin else f"{name}: refused"
    return Figure(what=what, ours=share(right), goal=Goal(at_least=99), n=len(shots))


def _bar(shots: Sequence[Shot]) -> tuple[tuple[float, float], ...]:
    """Shares within 2 px, further off but on it, wrong, refused: for the chart, numbered from 0."""
    counts = Counter(
        3 if shot.off_px is None else 0 if shot.off_px <= 2 else 1 if shot.on_target else 2 for shot in shots
    )
    return tuple((float(kind), 100 * counts[kind] / len(shots)) for kind in range(4))


def _misses(shots: dict[str, list[Shot]]) -> list[str]:
    lines: list[str] = []
    for name, found in shots.items():
        for shot in found:
            refused = name in SHOWN and not shot.accepted
            strays = shot.accepted and not shot.on_target
            if refused or strays:
                lines.append(f"{name}: {shot.case}: {'wrong place' if strays else shot.says}")
    return lines
