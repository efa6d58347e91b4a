"""Pages of several entries, one of which is meant: it is replaced or deleted, or others come and go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from bench.reaim.misleading.forms import SPOT, Form, form
from bench.reaim.misleading.words import PEOPLE, STATES, TEXTS, TOWNS, amount, day, phone


class Entry(NamedTuple):
    """What is known of one card, row or page."""

    name: str
    text: str
    day: str
    price: str
    state: str
    person: str
    phone: str
    town: str


Draw = Callable[[Sequence[Entry], str], str]
"""The body of a page of these entries; what belongs to the one of that name is marked."""


def entry(rng: Random, name: str) -> Entry:
    """An entry of that name; all else is made up."""
    return Entry(
        name, rng.choice(TEXTS), day(rng), amount(rng), rng.choice(STATES),
        rng.choice(PEOPLE), phone(rng), rng.choice(TOWNS),
    )  # fmt: skip


def entries(rng: Random, names: Sequence[str], count: int) -> list[Entry]:
    """That many entries, no two of one name."""
    return [entry(rng, name) for name in rng.sample(names, count)]


def spot(one: Entry, meant: str) -> str:
    """The mark of the target, in the entry that is meant."""
    return SPOT if one.name == meant else ""


def _otherwise(those: list[Entry]) -> list[Entry]:
    """In another order than they were in."""
    order = sorted(those)
    return order if order != those else order[::-1]


def among(
    rng: Random,
    names: Sequence[str],
    count: int,
    draw: Draw,
    *,
    at: tuple[float, float] = (0.5, 0.5),
    filled: bool = False,
) -> Form:
    """One of `count` entries is meant."""
    *there, new, more = entries(rng, names, count + 2)
    which = rng.randrange(count - 1)
    meant = there[which].name
    gone = {
        "replaced": [*there[:which], new, *there[which + 1 :]],
        "renamed": [*there[:which], there[which]._replace(name=new.name), *there[which + 1 :]],
        "deleted": [*there[:which], *there[which + 1 :]],
    }
    other = rng.choice([e for e in there if e.name != meant])
    honest = {
        "added above": [new, *there],
        "sorted otherwise": _otherwise(there),
        "another deleted": [e for e in there if e != other],
        "another changed": [more if e == other else e for e in there],
    }
    kept = rng.sample(list(honest), 2)
    return form(
        draw(there, meant),
        {what: draw(those, meant) for what, those in gone.items()},
        {what: draw(honest[what], meant) for what in kept},
        at=at,
        filled=filled,
    )


def alone(
    rng: Random, names: Sequence[str], draw: Draw, *, at: tuple[float, float] = (0.5, 0.5), same: str = ""
) -> Form:
    """The only entry; it is another one later. `same`: a value that both have."""
    here, other, more = entries(rng, names, 3)
    if same:
        other = other._replace(**{same: getattr(here, same)})
    return form(
        draw([here], here.name),
        {"another entry": draw([other], here.name), "two others": draw([other, more], here.name)},
        {"one more below": draw([here, more], here.name), "one more above": draw([more, here], here.name)},
        at=at,
    )
