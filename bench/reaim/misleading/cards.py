"""Cards: a board, messages, goods, offers; the button stands away from what names the card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench.reaim.misleading.entries import Draw, Entry, alone, among, spot
from bench.reaim.misleading.forms import Form, Maker
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, card, end, faint, grid, icon, link, row, space
from bench.reaim.misleading.words import COMPANIES, GOODS, PEOPLE, TASKS

PICTURE = "<div class=picture></div>"
FACE = "<div class=picture style='width:70px;height:70px;border-radius:50%;margin:0 auto 8px'></div>"


def _cards(title: str, columns: int, one: Callable[[Entry, str], str]) -> Draw:
    def draw(those: Sequence[Entry], meant: str) -> str:
        return f"<h1>{title}</h1>" + grid(columns, [one(e, spot(e, meant)) for e in those])

    return draw


def board(rng: Random, look: Look) -> Form:
    """A menu at the lower end of a task's card."""

    def one(e: Entry, mark: str) -> str:
        foot = row(f"<small>{e.person}</small>", icon("⋮", mark), above=26)
        return card(f"<h2>{e.name}</h2>", faint(e.text), foot)

    return among(rng, TASKS, rng.randint(5, 6), _cards("Board", 3, one))


def columns(rng: Random, look: Look) -> Form:
    """A button at the foot of each of three tall cards."""
    deed, height = rng.choice(("Open", "Start", "Assign")), rng.choice((90, 130, 200))

    def one(e: Entry, mark: str) -> str:
        return card(f"<h2>{e.name}</h2><p>{e.text}.</p>", faint(e.day), space(height), button(deed, mark))

    return among(rng, TASKS, 3, _cards("To do", 4, one))


def messages(rng: Random, look: Look) -> Form:
    """Links below a message; its sender stands at the top."""

    def one(e: Entry, mark: str) -> str:
        head = row(f"<b>{e.name}</b>", end(e.day, "span"))
        foot = row(link("Reply"), link("Archive", mark), link("Forward"))
        return card(head, f"<p>{e.text}.</p><p>{e.text}, and so it is.</p>", foot)

    return among(rng, PEOPLE, 3, _cards("Messages", 1, one))


def goods(rng: Random, look: Look) -> Form:
    """Tiles of a shop: picture, name and price above a button that all have."""

    def one(e: Entry, mark: str) -> str:
        return card(
            PICTURE, f"<b>{e.name}</b><p>{e.price} EUR</p>", faint("In stock"), button("Add to cart", mark)
        )

    return among(rng, GOODS, 7, _cards("Shop", 4, one))


def goods_named_above(rng: Random, look: Look) -> Form:
    """The name above the picture, the button 120 px below it."""

    def one(e: Entry, mark: str) -> str:
        return card(f"<h2>{e.name}</h2>", PICTURE, faint("Delivered tomorrow"), button("Buy", mark))

    return among(rng, GOODS, 5, _cards("Offers", 3, one))


def wide(rng: Random, look: Look) -> Form:
    """A name at the left end of a card, a link at its right end."""
    deed = rng.choice(("Open", "Details", "Join"))

    def one(e: Entry, mark: str) -> str:
        return card(row(f"<div><b>{e.name}</b>{faint(e.town)}</div>", end(link(deed, mark), "span")))

    return among(rng, COMPANIES, 4, _cards("Groups", 1, one))


def people(rng: Random, look: Look) -> Form:
    """Portraits with a name; the same button below each."""

    def one(e: Entry, mark: str) -> str:
        return card(
            FACE, f"<b>{e.name}</b>", faint("Member"), button("Follow", mark), style="text-align:center"
        )

    return among(rng, PEOPLE, 8, _cards("Members", 5, one))


def bookings(rng: Random, look: Look) -> Form:
    """Journeys that differ by their day alone."""
    town = rng.choice(("Lisbon", "Oslo", "Turin"))
    days = tuple(f"{d:02}.0{m}.2026" for d in (3, 9, 14, 22, 27) for m in (2, 5, 8))

    def one(e: Entry, mark: str) -> str:
        head = row(f"<h2>Flight to {town}</h2>", end(e.name))
        foot = row(link("Change"), end(button("Cancel booking", mark), "span"))
        return card(head, faint("2 persons, 1 case"), space(40), foot)

    return among(rng, days, 4, _cards("Bookings", 2, one))


def prices(rng: Random, look: Look) -> Form:
    """Offers of one thing at other prices."""
    sums = tuple(f"{n}.{c}" for n in (18, 24, 37, 49, 66) for c in ("00", "50", "90"))

    def one(e: Entry, mark: str) -> str:
        head = row("<h2>Room</h2>", end(f"{e.name} EUR"))
        return card(head, "<p>Two beds</p>", faint("Cancel for free"), space(50), button("Book", mark))

    return among(rng, sums, 5, _cards("Rooms", 3, one))


def single(rng: Random, look: Look) -> Form:
    """One card alone on its page."""
    height = rng.choice((30, 80, 160))

    def one(e: Entry, mark: str) -> str:
        body = f"<h2>{e.name}</h2><p>{e.text}.</p>"
        return card(body, space(height), button("Close task", mark), style="width:420px")

    return alone(rng, TASKS, _cards("Next task", 1, one))


def single_wide(rng: Random, look: Look) -> Form:
    """One message alone, its menu at the other end of the line with its sender."""

    def one(e: Entry, mark: str) -> str:
        return card(row(f"<b>{e.name}</b>", icon("⋮", mark)), f"<p>{e.text}.</p>", faint(e.day))

    return alone(rng, PEOPLE, _cards("Unread", 1, one), same="text")


FORMS: dict[str, Maker] = {
    "board": board, "columns": columns, "messages": messages, "goods": goods, "wide": wide, "people": people,
    "named above": goods_named_above, "bookings": bookings, "prices": prices, "single": single,
    "single, wide": single_wide,
}  # fmt: skip
