"""`--parts apps`: real applications, recorded once and sought again as they look elsewhere and otherwise."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import anyio
import cv2
import numpy as np

from bench.reaim import fluid
from bench.reaim.boxes import thinned
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


def _notes(home: Path, look: Shown) -> None:
    settings = home / ".config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        "[org/xfce/mousepad/preferences/window]\ntoolbar-visible=true\nstatusbar-visible=true\n"
    )
    lines = ("Bread", "Milk", "Two pounds of apples") if look.other else ("Call Globex", "Send the invoice")
    (home / "notes.txt").write_text("\n".join(lines) + "\n")


def _folder(home: Path, look: Shown) -> None:
    papers = home / "papers"
    names: tuple[str, ...] = ("letters", "budget.txt", "minutes.txt", "plan.txt", "travel.txt")
    if look.other:
        names = ("archive", "letters", "agenda.txt", "minutes.txt", "summary.txt", "travel.txt")
    for name in names:
        if "." in name:
            papers.mkdir(exist_ok=True)
            (papers / name).touch()
        else:
            (papers / name).mkdir(parents=True)


def _sheet(home: Path, look: Shown) -> None:
    from openpyxl import Workbook

    rows = [("Rent", "900", "monthly"), ("Paper", "40", "weekly"), ("Phone", "25", "monthly")]
    last = [("Travel", "300", "yearly")]
    if look.other:
        rows = [("Tea", "12", "weekly"), *rows[:2]]
        last = [("Insurance", "410", "yearly"), ("Travel", "280", "yearly")]
    book = Workbook()
    for row in [("Item", "Amount", "Paid"), *rows, *last]:
        book.worksheets[0].append(row)
    book.save(home / "budget.xlsx")


def _letter(home: Path, look: Shown) -> None:
    (home / "letter.txt").write_text(
        "A reminder of the rent.\n" if look.other else "Dear client,\nthank you.\n"
    )


def _picture(home: Path, look: Shown) -> None:
    cv2.imwrite(str(home / "picture.png"), np.full((300, 400, 3), 90 if look.other else 200, np.uint8))
    settings = home / ".config" / "GIMP" / "2.10" / "gimprc"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'(theme "{"Dark" if look.dark else "Light"}")\n')


def _page(home: Path, look: Shown) -> None:
    words = fluid.CLIENTS
    if look.other:
        words = words._replace(rows=(words.rows[4], ("Acme", "555-0117", "Oslo", "open"), *words.rows[:3]))
    dark = "@media(prefers-color-scheme:dark){body{background:#202124;color:#e8eaed}nav{background:#303134}}"
    scheme = f"<meta name=color-scheme content='light dark'><style>{dark}</style>"
    (home / "clients.html").write_text(fluid.page(words) + scheme)


def _nothing(home: Path, look: Shown) -> None:
    pass


_OFFICE = ("--norestore", "--nologo", "--nofirststartwizard")
_CHROMIUM = (
    "--no-sandbox --test-type --no-first-run --no-default-browser-check --disable-sync --disable-gpu "
    "--password-store=basic --disable-background-networking --disable-component-update "
    "--force-renderer-accessibility --user-data-dir={home}/profile file://{home}/clients.html"
).split()
APPS = (
    App("Mousepad", ("mousepad", "--disable-server", "notes.txt"), "mousepad", _notes, (900, 560)),
    App(
        "Mousepad, replace", ("mousepad", "--disable-server", "notes.txt"), "mousepad", _notes, (0, 0),
        keys=(("ctrl", "r"),),
    ),
    App("Galculator", ("galculator",), "galculator", _nothing, (0, 0)),
    App("PCManFM", ("pcmanfm", "--no-desktop", "{home}/papers"), "pcmanfm", _folder, (900, 560)),
    App("Calc", ("libreoffice", "--calc", *_OFFICE, "budget.xlsx"), "libreoffice-calc", _sheet, rest_s=1.5),
    App(
        "Writer", ("libreoffice", "--writer", *_OFFICE, "letter.txt"), "libreoffice-writer", _letter,
        rest_s=1.5,
    ),
    App("GIMP", ("gimp", "--no-splash", "picture.png"), "gimp", _picture, rest_s=2.5),
    App("Chromium", ("chromium", *_CHROMIUM), "chromium", _page, dark=("--force-dark-mode",)),
)  # fmt: skip


def missing(app: App) -> str:
    """Why an application is left out; nothing if it is not."""
    if shutil.which(app.argv[0]) is None:
        return f"{app.argv[0]} is not installed (scripts/bench-setup.sh)"
    return "" if SYSTEM.exists() else f"no {SYSTEM}"


def looks_of(app: App) -> tuple[Shown, ...]:
    """How it is shown: a page can be zoomed, a calculator has no other content, nobody maximises a dialog."""
    looks = LOOKS + (ZOOMED if app.fill is _page else ())
    without = {"other content"} if app.fill is _nothing else set[str]()
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
