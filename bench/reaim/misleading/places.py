"""Calendars, trees, switches, columns: what is told by a word that stands elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bench.reaim.misleading.entries import Entry, among, spot
from bench.reaim.misleading.forms import SPOT, Form, Maker, form
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, card, end, faint, grid, icon, listed, row
from bench.reaim.misleading.words import COMPANIES, OPTIONS, PARTS

MONTHS = ("January", "March", "April", "June", "July", "October")


def calendar(rng: Random, look: Look) -> Form:
    """A day of another month, on the same or another day of the week."""
    here, other = rng.sample(MONTHS, 2)
    day, offset = rng.randint(8, 24), rng.randint(0, 5)
    wide = rng.choice((38, 70))

    def draw(month: str, start: int, mark: str, busy: int) -> str:
        heads = [f"<b style='opacity:.6'>{d}</b>" for d in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")]
        days = [_day(d, mark if d == day else "", bold=d == busy) for d in range(1, 31)]
        cells = "".join([*heads, *["<div></div>"] * start, *days])
        style = f"display:grid;grid-template-columns:repeat(7,{wide}px);gap:8px 4px"
        return f"{row(button('‹'), f'<h2>{month} 2026</h2>', button('›'))}<div style='{style}'>{cells}</div>"

    return form(
        draw(here, offset, SPOT, 3),
        {
            "another month": draw(other, (offset + 3) % 7, "", 3),
            "month that begins alike": draw(other, offset, "", 3),
        },
        {"another day marked": draw(here, offset, SPOT, 28 if day < 20 else 5)},
    )


def _day(number: int, mark: str, *, bold: bool) -> str:
    weight = ";font-weight:bold" if bold else ""
    return f"<div{mark} style='text-align:center{weight}'>{number}</div>"


def toggles(rng: Random, look: Look) -> Form:
    """A switch at the end of a line, and what it switches at its beginning."""
    width = rng.choice((340, 620, 1100))

    def draw(those: Sequence[Entry], meant: str) -> str:
        lines = listed(
            f"<li class=row>{e.name}{end(_switch(spot(e, meant), on=e.name < 'K'), 'span')}</li>"
            for e in those
        )
        return f"<h1>Settings</h1><div style='width:{width}px'>{lines}</div>"

    return among(rng, OPTIONS, rng.randint(3, 5), draw)


def _switch(mark: str, *, on: bool) -> str:
    place, ground = ("right", "#3a7") if on else ("left", "#999")
    knob = f"position:absolute;{place}:2px;top:2px;width:14px;height:14px;border-radius:7px;background:#fff"
    style = (
        f"display:inline-block;position:relative;width:36px;height:18px;border-radius:9px;background:{ground}"
    )
    return f"<span{mark} style='{style}'><span style='{knob}'></span></span>"


def tree(rng: Random, look: Look) -> Form:
    """Nodes with the same names below other nodes."""
    first, here, other = rng.sample(COMPANIES, 3)
    leaves = rng.sample(PARTS, 3)
    leaf = rng.choice(leaves)

    def draw(*nodes: str) -> str:
        lines = [_node(node, leaves, leaf if node == here else "") for node in nodes]
        return f"<div class=side><div>{''.join(lines)}</div><div><p>Choose something.</p></div></div>"

    return form(
        draw(first, here),
        {"another node": draw(first, other), "one left": draw(first)},
        {"changed places": draw(here, first), "one more": draw(other, first, here)},
    )


def _node(name: str, leaves: list[str], meant: str) -> str:
    inner = (
        f"<p style='padding-left:34px'><span{SPOT if leaf == meant else ''}>{leaf}</span></p>"
        for leaf in leaves
    )
    return f"<p>▾ {name}</p>{''.join(inner)}"


def folds(rng: Random, look: Look) -> Form:
    """The arrow at the end of a line that opens."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        lines = [card(row(f"<b>{e.name}</b>", icon("▾", spot(e, meant)))) for e in those]
        return f"<h1>Questions</h1>{grid(1, lines)}"

    return among(rng, PARTS, rng.randint(3, 5), draw)


def adds(rng: Random, look: Look) -> Form:
    """The plus of a column of a board."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        blocks = [card(row(f"<b>{e.name}</b>", icon("+", spot(e, meant))), faint("empty")) for e in those]
        return f"<h1>Plan</h1>{grid(4, blocks)}"

    return among(rng, ("To do", "Doing", "Review", "Done", "Ideas", "Later", "Bugs"), 4, draw)


FORMS: dict[str, Maker] = {
    "calendar": calendar, "toggles": toggles, "tree": tree, "folds": folds, "adds": adds,
}  # fmt: skip
