"""Lists and tables: what is clicked in a row, and rows clicked far behind their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench.reaim.misleading.entries import Draw, Entry, alone, among, spot
from bench.reaim.misleading.forms import Form, Maker
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, icon, link, listed, table
from bench.reaim.misleading.words import COMPANIES, FILES, GOODS, PEOPLE, TASKS

Cells = Callable[[Entry, str], Sequence[str]]


def _check(mark: str) -> str:
    return f"<input type=checkbox{mark}>"


def _table(title: str, heads: Sequence[str], cells: Cells) -> Draw:
    def draw(those: Sequence[Entry], meant: str) -> str:
        return f"<h1>{title}</h1>" + table(heads, [cells(e, spot(e, meant)) for e in those])

    return draw


def _table_of_spots(title: str, heads: Sequence[str], cells: Callable[[Entry], Sequence[str]]) -> Draw:
    """Its rows themselves are clicked."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        marks = [spot(e, meant) for e in those]
        return f"<h1>{title}</h1>" + table(heads, [cells(e) for e in those], marks)

    return draw


def _list(title: str, item: Callable[[Entry, str], str], width: str = "auto") -> Draw:
    def draw(those: Sequence[Entry], meant: str) -> str:
        items = listed(item(e, spot(e, meant)) for e in those)
        return f"<h1>{title}</h1><div style='width:{width}'>{items}</div>"

    return draw


def row_button(rng: Random, look: Look) -> Form:
    """One of two buttons at the end of a row."""
    sign = "✎ " if look.icons else ""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return e.name, e.town, e.phone, e.state, f"{button(f'{sign}Edit', mark)} {button('Delete')}"

    heads = ("Name", "Town", "Telephone", "State", "")
    return among(rng, COMPANIES, rng.randint(4, 8), _table("Clients", heads, cells))


def row_check(rng: Random, look: Look) -> Form:
    """The check box at the beginning of a row."""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return _check(mark), e.name, e.person, e.day

    return among(rng, TASKS, rng.randint(4, 7), _table("Tasks", ("", "Task", "Who", "Until"), cells))


def row_check_at_end(rng: Random, look: Look) -> Form:
    """The check box at the end of a row, far behind its name."""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return e.name, _check(mark)

    return among(rng, PEOPLE, rng.randint(4, 7), _table("Who may see it", ("Person", "May"), cells))


def row_link(rng: Random, look: Look) -> Form:
    """The same link in every row."""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return e.day, e.name, e.price, link("Show", mark)

    draw = _table("Invoices", ("Date", "Client", "Sum", ""), cells)
    return among(rng, COMPANIES, rng.randint(4, 8), draw)


def row_name(rng: Random, look: Look) -> Form:
    """The name of a row, a link itself."""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return link(e.name, mark), e.person, e.day

    return among(rng, FILES, rng.randint(4, 8), _table("Documents", ("File", "Owner", "Changed"), cells))


def row_spot(rng: Random, look: Look) -> Form:
    """A row clicked on a plain spot far behind its only text."""

    def item(e: Entry, mark: str) -> str:
        return f"<li{mark}>{e.name}</li>"

    return among(rng, FILES, rng.randint(4, 7), _list("Files", item), at=(rng.uniform(0.3, 0.9), 0.5))


def row_spot_of_table(rng: Random, look: Look) -> Form:
    """A row of a table, clicked between two columns."""
    draw = _table_of_spots("Clients", ("Name", "Town", "State"), lambda e: (e.name, e.town, e.state))
    return among(rng, COMPANIES, rng.randint(4, 7), draw, at=(rng.choice((0.25, 0.55, 0.62)), 0.5))


def row_spot_behind_equals(rng: Random, look: Look) -> Form:
    """A row clicked behind a text that all rows have; only its first column tells."""

    def cells(e: Entry) -> Sequence[str]:
        return e.name, "Standard", "Two years", "active"

    draw = _table_of_spots("Contracts", ("Client", "Kind", "Length", "State"), cells)
    return among(rng, COMPANIES, rng.randint(3, 6), draw, at=(rng.choice((0.7, 0.85)), 0.5))


def one_row(rng: Random, look: Look) -> Form:
    """A table of one row with a heading."""

    def cells(e: Entry, mark: str) -> Sequence[str]:
        return e.name, e.town, e.day, button("Remove", mark)

    return alone(rng, COMPANIES, _table("Waiting", ("Name", "Town", "Since", ""), cells))


def one_row_bare(rng: Random, look: Look) -> Form:
    """A list of one row without a heading: a name, and a button 40 to 400 px behind it."""
    gap = rng.choice((40, 140, 400))

    def item(e: Entry, mark: str) -> str:
        name = f"<span style='width:{gap + 90}px'>{e.name}</span>"
        return f"<li class=row>{name}{button('Accept', mark)}</li>"

    return alone(rng, PEOPLE, _list("Requests", item))


def one_row_spot(rng: Random, look: Look) -> Form:
    """The only row of a table, clicked beside its texts."""
    draw = _table_of_spots("Results", ("Name", "Town", "Since"), lambda e: (e.name, e.town, e.day))
    return alone(rng, COMPANIES, draw, at=(0.55, 0.5), same="town")


def crosses(rng: Random, look: Look) -> Form:
    """A cross behind each name of a list."""

    def item(e: Entry, mark: str) -> str:
        return f"<li class=row>{e.name}{icon('✕', mark)}</li>"

    return among(rng, GOODS, rng.randint(3, 6), _list("Cart", item, "460px"))


def two_lines(rng: Random, look: Look) -> Form:
    """Rows of two lines with a menu; the second line is the same in all of them."""

    def item(e: Entry, mark: str) -> str:
        name = f"<div>{e.name}<br><small class=muted>Shared with you</small></div>"
        return f"<li class=row>{name}{icon('⋯', mark)}</li>"

    return among(rng, FILES, rng.randint(4, 6), _list("Documents", item))


FORMS: dict[str, Maker] = {
    "button": row_button, "check": row_check, "check at end": row_check_at_end, "link": row_link,
    "name": row_name, "spot": row_spot, "spot in table": row_spot_of_table,
    "spot behind equals": row_spot_behind_equals, "one row": one_row, "one row, bare": one_row_bare,
    "one row, spot": one_row_spot, "crosses": crosses, "two lines": two_lines,
}  # fmt: skip
