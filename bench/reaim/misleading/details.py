"""The page of one entry: its name at the top, its fields below, and buttons; later that of another entry."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bench.reaim.misleading.entries import Entry, entries
from bench.reaim.misleading.forms import SPOT, Form, Maker, form
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, card, end, faint, link, listed, row, space, table
from bench.reaim.misleading.words import COMPANIES, PEOPLE, TASKS, day

DEVICES = ("Printer, hall", "Camera, gate", "Sensor, cellar", "Lamp, office", "Door, garage")


def _another(rng: Random, names: tuple[str, ...], draw: Callable[[Entry], str]) -> Form:
    """Another entry's page: all of it is another one, or only its name."""
    here, other = entries(rng, names, 2)
    return form(
        draw(here),
        {
            "another": draw(other).replace(SPOT, ""),
            "another name alone": draw(here._replace(name=other.name)).replace(SPOT, ""),
        },
    )


def _values(one: Entry) -> str:
    pairs = (("Town", one.town), ("Telephone", one.phone), ("Since", one.day), ("State", one.state))
    return table((), [(faint(name), value) for name, value in pairs])


def below(rng: Random, look: Look) -> Form:
    """Buttons below the fields."""
    first, *others = rng.sample(("Edit", "Delete", "Approve", "Print"), 3)

    def draw(one: Entry) -> str:
        deeds = row(button(first, SPOT), *map(button, others), above=18)
        return f"<h1>{one.name}</h1>{_values(one)}{deeds}"

    return _another(rng, COMPANIES, draw)


def far_below(rng: Random, look: Look) -> Form:
    """Buttons 300 px below the name, with the same text between."""

    def draw(one: Entry) -> str:
        text = "<p>Standard contract.</p><p>Two years, paid each month.</p><p>No pets.</p>"
        return f"<h1>{one.name}</h1>{text}{space(190)}{row(button('Back'), button('Approve', SPOT))}"

    return _another(rng, PEOPLE, draw)


def beside_title(rng: Random, look: Look) -> Form:
    """Buttons at the right end of the line with the name."""

    def draw(one: Entry) -> str:
        deeds = end(button("Share") + " " + button("Delete", SPOT), "span")
        return row(f"<h1>{one.name}</h1>", deeds) + _values(one)

    return _another(rng, TASKS, draw)


def numbered(rng: Random, look: Look) -> Form:
    """An invoice: its number tells."""
    first = rng.randint(10020, 80000)

    def draw(one: Entry) -> str:
        sums = table((), [("Hours", one.price), ("Tax", "0.00")])
        deeds = row(button("Pay", SPOT), link("Dispute"), above=40)
        return f"<h1>{one.name}</h1>{faint('Meridian Ltd, Oslo')}{sums}{deeds}"

    return _another(rng, tuple(f"Invoice {first + step}" for step in (0, 1, 7, 110)), draw)


def fielded(rng: Random, look: Look) -> Form:
    """A form that shows the values of an entry, its name above them, and Save below."""
    deed = rng.choice(("Save", "Apply"))

    def draw(one: Entry) -> str:
        pairs = (("Town", one.town), ("Telephone", one.phone), ("Remark", one.text))
        fields = "".join(f"{faint(name)}<input value='{v}' style='width:300px'>" for name, v in pairs)
        return f"<h1>{one.name}</h1>{fields}{row(button(deed, SPOT), above=12)}"

    return _another(rng, COMPANIES, draw)


def beside_list(rng: Random, look: Look) -> Form:
    """The list on the left stays as it is; the chosen entry, shown beside it, is another one."""
    every = entries(rng, COMPANIES, 6)
    here, other = rng.sample(every, 2)

    def draw(one: Entry) -> str:
        names = listed(f"<li{' class=now' if e == one else ''}>{e.name}</li>" for e in every)
        deeds = row(button("Archive", SPOT if one == here else ""), button("Merge"), above=60)
        return f"<div class=side>{names}{card(f'<h1>{one.name}</h1>', _values(one), deeds)}</div>"

    return form(draw(here), {"another chosen": draw(other)})


def mail(rng: Random, look: Look) -> Form:
    """A message that is read: subject and sender at the top, Reply at the end of its text."""

    def draw(one: Entry) -> str:
        head = f"<h1>{one.name}</h1><p><b>{one.person}</b> {one.day}</p>"
        text = card(f"<p>Hello,</p><p>{one.text}.</p><p>Kind regards</p>")
        return f"{head}{text}{row(button('Reply', SPOT), button('Forward'), above=14)}"

    return _another(rng, TASKS, draw)


def switch(rng: Random, look: Look) -> Form:
    """A setting on the page of one device."""
    height = rng.choice((10, 90, 180))
    since = day(rng)

    def draw(one: Entry) -> str:
        checks = "".join(
            f"<p><label><input type=checkbox{SPOT if n == 1 else ''}> {text}</label></p>"
            for n, text in enumerate(("Show in the list", "Send an alarm", "Lock at night"))
        )
        return f"<h1>{one.name}</h1>{faint(f'In use since {since}')}{space(height)}{checks}"

    return _another(rng, DEVICES, draw)


FORMS: dict[str, Maker] = {
    "below": below, "far below": far_below, "beside title": beside_title, "numbered": numbered,
    "fielded": fielded, "beside list": beside_list, "mail": mail, "switch": switch,
}  # fmt: skip
