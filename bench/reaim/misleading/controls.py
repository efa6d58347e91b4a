"""Tabs, menus, bars: what leads somewhere else under another word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench.reaim.misleading.entries import Draw, Entry, among, spot
from bench.reaim.misleading.forms import SPOT, Form, Maker, form
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, card, end, link, listed, row, space
from bench.reaim.misleading.words import COMPANIES, FILES, PARTS, TOWNS

SIGNS = "★☰✎⚙⌂✉☎✓"
TEXT = "<p>Nothing has been changed since last week.</p><p>Choose something to begin with.</p>"


def _bar(one: Callable[[Entry, str], str], before: str = "", after: str = TEXT) -> Draw:
    """All in one row."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        return before + row(*(one(e, spot(e, meant)) for e in those), above=8) + after

    return draw


def _column(one: Callable[[Entry, str], str], before: str = "", width: int = 230) -> Draw:
    """One below the other, a text beside them."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        items = listed(one(e, spot(e, meant)) for e in those)
        sides = f"<div style='width:{width}px'>{items}</div><div>{TEXT}</div>"
        return f"{before}<div style='display:flex;gap:40px'>{sides}</div>"

    return draw


def tabs(rng: Random, look: Look) -> Form:
    """A tab under another name."""

    def one(e: Entry, mark: str) -> str:
        return f"<div{mark} style='padding:6px 14px;border:1px solid #888;border-bottom:0'>{e.name}</div>"

    return among(rng, PARTS, rng.randint(4, 6), _bar(one, "<h1>Project</h1>"))


def closes(rng: Random, look: Look) -> Form:
    """The cross of a tab."""

    def one(e: Entry, mark: str) -> str:
        cross = f"<button class=icon{mark}>✕</button>"
        return f"<div style='padding:3px 6px 3px 14px;border:1px solid #888'>{e.name} {cross}</div>"

    return among(rng, FILES, rng.randint(3, 5), _bar(one))


def menu(rng: Random, look: Look) -> Form:
    """An entry of an open menu."""
    words = ("Open", "Rename", "Copy link", "Move to", "Download", "Print", "Details", "Remove", "Report")

    def draw(those: Sequence[Entry], meant: str) -> str:
        items = "".join(f"<p{spot(e, meant)} style='padding:4px 8px'>{e.name}</p>" for e in those)
        opened = card(items, style="width:190px;margin-left:160px")
        return f"<h1>Notes</h1>{row(button('New'), button('More ▾'))}{opened}{space(10)}{TEXT}"

    return among(rng, words, rng.randint(4, 6), draw)


def toolbar(rng: Random, look: Look) -> Form:
    """Buttons with one word each."""
    words = ("New", "Open", "Save", "Print", "Undo", "Cut", "Paste", "Find", "Zoom", "Help")

    def one(e: Entry, mark: str) -> str:
        return button(e.name, mark)

    return among(rng, words, rng.randint(4, 7), _bar(one))


def captions(rng: Random, look: Look) -> Form:
    """Icons with captions: the captions change, the icons stay."""
    names = rng.sample(PARTS, 6)
    signs = rng.sample(SIGNS, 5)
    which = rng.randrange(5)

    def draw(those: list[str], meant: int | None) -> str:
        cells = [
            f"<div{SPOT if n == meant else ''} style='text-align:center;width:90px'>"
            f"<div style='font-size:26px'>{sign}</div>{name}</div>"
            for n, (sign, name) in enumerate(zip(signs, those, strict=True))
        ]
        return row(*cells, above=8) + TEXT

    here = names[:5]
    other = [*here[:which], names[5], *here[which + 1 :]]
    later = [names[5] if n == (which + 2) % 5 else name for n, name in enumerate(here)]
    gone, honest = {"another caption": draw(other, None)}, {"another one changed": draw(later, which)}
    return form(draw(here, which), gone, honest, at=(0.5, 0.3))


def sidebar(rng: Random, look: Look) -> Form:
    """Entries of a sidebar, counts behind them."""

    def one(e: Entry, mark: str) -> str:
        return f"<li class=row{mark}>{e.name}{end(e.price[:2], 'small')}</li>"

    return among(rng, PARTS, rng.randint(5, 7), _column(one))


def crumbs(rng: Random, look: Look) -> Form:
    """The way to the page: the same words below another client."""
    here, other = rng.sample(COMPANIES, 2)
    last, later = rng.sample(PARTS, 2)

    def draw(client: str, at: str, mark: str) -> str:
        way = row(link("Clients"), "/", link(client, mark), "/", f"<b>{at}</b>")
        return f"{way}<h1>{at}</h1>{TEXT}"

    return form(
        draw(here, last, SPOT),
        {"another client": draw(other, last, "")},
        {"another page": draw(here, later, SPOT)},
    )


def pages(rng: Random, look: Look) -> Form:
    """The numbers of pages."""
    first = rng.randint(2, 6)
    which = first + rng.randint(1, 3)

    def draw(start: int, now: int) -> str:
        numbers = [
            f"<button{SPOT if n == which else ''}{' class=on' if n == now else ''}>{n}</button>"
            for n in range(start, start + 5)
        ]
        return f"<h1>Results</h1>{TEXT}{row(button('‹'), *numbers, button('›'), above=20)}"

    gone = {"later": draw(which + 1, which + 1), "far": draw(which + 10, which + 12)}
    honest = {"on another page": draw(first, first + 4), "other pages": draw(first - 1, first)}
    return form(draw(first, first), gone, honest)


def chips(rng: Random, look: Look) -> Form:
    """The cross of a chip."""

    def one(e: Entry, mark: str) -> str:
        return f"<span class=chip>{e.name} <span{mark}>✕</span></span>"

    return among(rng, TOWNS, rng.randint(3, 5), _bar(one, "<h1>Filter</h1>"))


def sorts(rng: Random, look: Look) -> Form:
    """The arrows behind the name of a column."""

    def one(e: Entry, mark: str) -> str:
        return f"<div style='width:170px'><b>{e.name}</b> <span{mark}>⇅</span></div>"

    return among(
        rng, ("Name", "Town", "State", "Sum", "Owner", "Changed", "Kind"), 5, _bar(one, "<h1>Table</h1>")
    )


def steps(rng: Random, look: Look) -> Form:
    """Next, on another step."""
    here, other = rng.sample(PARTS, 2)
    height = rng.choice((60, 200))

    def draw(step: str, mark: str) -> str:
        return f"<h1>{step}</h1>{TEXT}{space(height)}{row(button('Back'), button('Next', mark))}"

    return form(draw(here, SPOT), {"another step": draw(other, "")})


FORMS: dict[str, Maker] = {
    "tabs": tabs, "closes": closes, "menu": menu, "toolbar": toolbar, "captions": captions,
    "sidebar": sidebar, "crumbs": crumbs, "pages": pages, "chips": chips, "sorts": sorts, "steps": steps,
}  # fmt: skip
