"""`--parts apps`: real applications, recorded once and sought again as they look elsewhere and otherwise."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import anyio

from bench.reaim.boxes import thinned
from bench.reaim.filled import folder, letter, notes, nothing, page, picture, sheet
from bench.reaim.measure import Tally, run_frames, run_gone
from bench.reaim.shown import SYSTEM, App, Seen, Shown, frame_of, keep_frame, kept_frame, running
from ibtr.geometry import Size

SMALLER, SMALLEST = Size(1600, 900), Size(1366, 768)
OTHER_FONT = "Nimbus Sans 11"
LOOKS = (
    Shown("base", at=(100, 60)),
    Shown("moved", at=(611, 317)),
    Shown("1600x900", SMALLER, at=(323, 171)),
    Shown("1366x768", SMALLEST, at=(60, 40)),
    Shown("maximised", maximised=True),
    Shown("maximised at 1600x900", SMALLER, maximised=True),
    Shown("maximised at 1366x768", SMALLEST, maximised=True),
    Shown("other content", at=(120, 80), other=True),
    Shown("125 %", at=(120, 80), dpi=120),
    Shown("dark theme", at=(120, 80), dark=True),
    Shown("other font", at=(120, 80), font=OTHER_FONT),
)
ZOOMED = (Shown("page zoom 110 %", at=(120, 80), zoom=1), Shown("page zoom 125 %", at=(120, 80), zoom=2))
MOVED = ("base", "moved", "1600x900", "1366x768")
"""Looks in which every pixel of the window is the same: within 2 px is right; elsewhere, in the box."""
GONE = ("moved", "125 %", "dark theme")
BASES = dict.fromkeys(("maximised at 1600x900", "maximised at 1366x768"), "maximised")


_OFFICE = ("--norestore", "--nologo", "--nofirststartwizard")
_CHROMIUM = (
    "--no-sandbox --test-type --no-first-run --no-default-browser-check --disable-sync --disable-gpu "
    "--password-store=basic --disable-background-networking --disable-component-update "
    "--force-renderer-accessibility --user-data-dir={home}/profile file://{home}/clients.html"
).split()
APPS = (
    App("Mousepad", ("mousepad", "--disable-server", "notes.txt"), "mousepad", notes, (900, 560)),
    App(
        "Mousepad, replace", ("mousepad", "--disable-server", "notes.txt"), "mousepad", notes, (0, 0),
        keys=(("ctrl", "r"),),
    ),
    App("Galculator", ("galculator",), "galculator", nothing, (0, 0)),
    App("PCManFM", ("pcmanfm", "--no-desktop", "{home}/papers"), "pcmanfm", folder, (900, 560)),
    App("Calc", ("libreoffice", "--calc", *_OFFICE, "budget.xlsx"), "libreoffice-calc", sheet, rest_s=1.5),
    App(
        "Writer", ("libreoffice", "--writer", *_OFFICE, "letter.txt"), "libreoffice-writer", letter,
        rest_s=1.5,
    ),
    App("GIMP", ("gimp", "--no-splash", "picture.png"), "gimp", picture, rest_s=2.5),
    App("Chromium", ("chromium", *_CHROMIUM), "chromium", page, dark=("--force-dark-mode",), shows_page=True),
)  # fmt: skip


def missing(app: App) -> str:
    """Why an application is left out; nothing if it is not."""
    if shutil.which(app.argv[0]) is None:
        return f"{app.argv[0]} is not installed (scripts/bench-setup.sh)"
    return "" if SYSTEM.exists() else f"no {SYSTEM}"


def looks_of(app: App) -> tuple[Shown, ...]:
    """How it is shown: a page can be zoomed, a calculator has no other content, nobody maximises a dialog."""
    looks = LOOKS + (ZOOMED if app.shows_page else ())
    without = {"other content"} if app.fill is nothing else set[str]()
    return tuple(look for look in looks if look.name not in without and not (app.keys and look.maximised))


async def _capture(app: App, folder: Path) -> None:
    for _, group in groupby(looks_of(app), key=lambda look: look.start):
        looks = list(group)
        async with running(app, looks[0], folder / "home") as desktop:
            for look in looks:
                frame = await frame_of(desktop, app, look, folder / "told.json")
                keep_frame(frame, folder)
                print(app.name, look.name, len(frame.boxes), flush=True)


def captured(apps: tuple[App, ...], folder: Path, *, kept: bool) -> Iterator[tuple[App, dict[str, Seen]]]:
    """The frames of every application that is there; `kept`: those of the last time."""
    for app in apps:
        place = (folder / app.name).resolve()
        if not kept:
            if why := missing(app):
                print(f"{app.name} is left out: {why}", flush=True)
                continue
            anyio.run(_capture, app, place)
        frames = [f for look in looks_of(app) if (f := kept_frame(look, place)) is not None]
        if frames:
            yield app, {frame.look.name: frame for frame in frames}


class Measured(NamedTuple):
    """What came of one look of one application."""

    app: str
    look: str
    there: Tally
    gone: dict[str, Tally]


def measured(app: App, frames: dict[str, Seen], out: Path, *, most: int, stored: bool) -> Iterator[Measured]:
    """Each look of one application: what was found, and what was accepted of targets that are gone.

    Of each kind of widget in a window `most` are taken: a sheet has hundreds of cells.
    """
    for name, frame in frames.items():
        base = frames[BASES.get(name, "base")]
        whole = {n: box for n, box in base.boxes.items() if n not in frame.cut}
        there = Tally(f"{app.name}: {name}")
        gone = {what: Tally(f"{app.name}: {name}, {what}") for what in ("erased", "replaced")}
        chosen = replace(base, boxes=thinned(whole, most))
        run_frames(there, chosen, frame, out, stored=stored, rerendered=name not in MOVED)
        if name in GONE:
            run_gone(gone, replace(base, boxes=thinned(whole, max(1, most // 2))), frame, out)
        print(there.name, dict(there.counts), *(f"{w} {dict(t.counts)}" for w, t in gone.items()), flush=True)
        yield Measured(app.name, name, there, gone)


def added(name: str, tallies: Iterable[Tally]) -> Tally:
    """Several tallies as one."""
    whole = Tally(name)
    for one in tallies:
        whole.counts.update(one.counts)
        whole.causes.update(one.causes)
        whole.representations.update(one.representations)
        whole.absent += one.absent
    return whole
