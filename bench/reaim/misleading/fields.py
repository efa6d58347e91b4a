"""Forms: fields, check boxes, selects and steppers, with their labels near by and far away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench.reaim.misleading.entries import Draw, Entry, among, spot
from bench.reaim.misleading.forms import SPOT, Form, Maker, form
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, card, end, faint, grid, listed, row, space
from bench.reaim.misleading.words import LABELS, OPTIONS, PEOPLE, TOWNS

QUESTIONS = (
    "Is the parcel insured?", "Do you travel alone?", "Was the lift in order?", "Have you been here before?",
    "Is there a garden?", "Should we call you back?",
)  # fmt: skip


def _form(title: str, field: Callable[[Entry, str], str]) -> Draw:
    def draw(those: Sequence[Entry], meant: str) -> str:
        fields = "".join(field(e, spot(e, meant)) for e in those)
        return f"<h1>{title}</h1>{fields}{row(button('Send'), above=16)}"

    return draw


def _width(rng: Random) -> int:
    return rng.choice((140, 220, 320))


def above(rng: Random, look: Look) -> Form:
    """The label above its field."""
    width, value = _width(rng), rng.choice(("", *TOWNS[:2]))

    def field(e: Entry, mark: str) -> str:
        return f"{faint(e.name)}<input{mark} value='{value}' style='width:{width}px'>"

    return among(rng, LABELS, rng.randint(3, 5), _form("Address", field), filled=True)


def before(rng: Random, look: Look) -> Form:
    """The label right before its field."""
    width = _width(rng)

    def field(e: Entry, mark: str) -> str:
        return row(f"<span style='width:120px'>{e.name}</span><input{mark} style='width:{width}px'>", above=7)

    return among(rng, LABELS, rng.randint(3, 6), _form("Contact", field), filled=True)


def far_before(rng: Random, look: Look) -> Form:
    """The label at the left border, its field far away from it."""
    width, gap = _width(rng), rng.choice((260, 380, 520))

    def field(e: Entry, mark: str) -> str:
        return row(
            f"<span style='width:{gap}px'>{e.name}</span><input{mark} style='width:{width}px'>", above=7
        )

    return among(rng, LABELS, rng.randint(3, 6), _form("Company", field), filled=True)


def behind(rng: Random, look: Look) -> Form:
    """The label behind a short field."""
    units = ("Adults", "Children", "Rooms", "Nights", "Cars", "Dogs", "Meals")

    def field(e: Entry, mark: str) -> str:
        return row(f"<input{mark} style='width:70px'><span>{e.name}</span>", above=7)

    return among(rng, units, rng.randint(3, 4), _form("Stay", field), filled=True)


def inside(rng: Random, look: Look) -> Form:
    """The label stands in the empty field."""

    def field(e: Entry, mark: str) -> str:
        return row(f"<input{mark} placeholder='{e.name}' style='width:260px'>", above=9)

    return among(rng, LABELS, rng.randint(3, 4), _form("Sign up", field), filled=True)


def in_columns(rng: Random, look: Look) -> Form:
    """Fields beside each other, their labels above."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        cells = [f"<div>{faint(e.name)}<input{spot(e, meant)} style='width:100%'></div>" for e in those]
        return f"<h1>Order</h1>{grid(3, cells)}{row(button('Next'), above=16)}"

    return among(rng, LABELS, 6, draw, filled=True)


def check(rng: Random, look: Look) -> Form:
    """A check box before its label."""

    def field(e: Entry, mark: str) -> str:
        return f"<p><label><input type=checkbox{mark}> {e.name}</label></p>"

    return among(rng, OPTIONS, rng.randint(3, 5), _form("Options", field))


def check_behind(rng: Random, look: Look) -> Form:
    """A check box behind its label, all boxes in one column."""
    gap = rng.choice((190, 300))

    def field(e: Entry, mark: str) -> str:
        return row(f"<span style='width:{gap}px'>{e.name}</span><input type=checkbox{mark}>", above=6)

    return among(rng, OPTIONS, rng.randint(3, 5), _form("Options", field))


def check_far(rng: Random, look: Look) -> Form:
    """A check box at the other end of the line of its label."""

    def field(e: Entry, mark: str) -> str:
        return card(row(e.name, f"<input type=checkbox class=end{mark}>"), style="margin-bottom:6px")

    return among(rng, OPTIONS, rng.randint(3, 5), _form("Notices", field))


def question(rng: Random, look: Look) -> Form:
    """Yes or no, below or beside a question; the same under each of them."""
    gap = rng.choice((8, 60))

    def field(e: Entry, mark: str) -> str:
        answers = f"<input type=radio{mark}> Yes <input type=radio> No"
        return f"<p>{e.name}</p>{row(f'<span>{answers}</span>')}{space(gap)}"

    return among(rng, QUESTIONS, rng.randint(1, 3) + 1, _form("Questions", field))


def only_question(rng: Random, look: Look) -> Form:
    """The only question of its page is another one."""
    here, other = rng.sample(QUESTIONS, 2)
    height = rng.choice((0, 70))

    def draw(text: str, mark: str = "") -> str:
        answers = row(button("Yes", mark), button("No"), button("Later"))
        return f"<h1>Step 2 of 5</h1><p>{text}</p>{space(height)}{answers}"

    return form(draw(here, SPOT), {"another question": draw(other)})


def select(rng: Random, look: Look) -> Form:
    """A select box; the value is the same in all of them."""

    def field(e: Entry, mark: str) -> str:
        label = f"<span style='width:{gap}px'>{e.name}</span>"
        return row(f"{label}<select{mark} style='width:170px'><option>Please choose</select>", above=8)

    gap = rng.choice((130, 330))
    names = ("Colour", "Size", "Country", "Delivery", "Payment", "Language", "Currency")
    return among(rng, names, rng.randint(3, 5), _form("Choices", field))


def stepper(rng: Random, look: Look) -> Form:
    """Minus, a number, plus; what is counted stands at the beginning of the line."""
    gap = rng.choice((140, 360))

    def field(e: Entry, mark: str) -> str:
        count = f"{button('−')}<b>1</b>{button('+', mark)}"
        return row(f"<span style='width:{gap}px'>{e.name}</span>{count}", above=8)

    names = ("Adults", "Children", "Infants", "Bicycles", "Cases", "Dogs")
    return among(rng, names, rng.randint(2, 4), _form("Travellers", field))


def twins(rng: Random, look: Look) -> Form:
    """Two equal forms with other titles: only the other is left, or they changed places."""
    first, second, third = rng.sample(("Billing", "Shipping", "Contact", "Pickup"), 3)
    labels = rng.sample(LABELS, 3)
    meant = rng.choice(labels[1:])

    def draw(*titles: str) -> str:
        blocks = [
            card(f"<h2>{t}</h2>", *(_twin(label, t == second and label == meant) for label in labels))
            for t in titles
        ]
        return f"<h1>Addresses</h1>{grid(2, blocks)}"

    gone = {"one left": draw(first), "another title": draw(first, third)}
    return form(draw(first, second), gone, {"changed places": draw(second, first)}, filled=True)


def _twin(label: str, is_meant: bool) -> str:
    return f"{faint(label)}<input{SPOT if is_meant else ''} style='width:80%'>"


def sections(rng: Random, look: Look) -> Form:
    """Each section has the same button at its end."""
    deed, height = rng.choice(("Save", "Change", "Reset")), rng.choice((20, 70))

    def field(e: Entry, mark: str) -> str:
        return card(f"<h2>{e.name}</h2>", faint("Set by you"), space(height), end(button(deed, mark), "span"))

    names = ("Password", "Signature", "Address", "Language", "Payment", "Notices")
    return among(rng, names, 3, _form("Account", field))


def rights(rng: Random, look: Look) -> Form:
    """A select box for each person of a list."""

    def draw(those: Sequence[Entry], meant: str) -> str:
        box = "<select class=end{}><option>May read</select>"
        items = listed(f"<li class=row>{e.name}{box.format(spot(e, meant))}</li>" for e in those)
        return f"<h1>Share</h1><div style='width:{width}px'>{items}</div>"

    width = rng.choice((420, 760))
    return among(rng, PEOPLE, rng.randint(3, 5), draw)


FORMS: dict[str, Maker] = {
    "above": above, "before": before, "far before": far_before, "behind": behind, "inside": inside,
    "in columns": in_columns, "check": check, "check behind": check_behind, "check far": check_far,
    "question": question, "only question": only_question, "select": select, "stepper": stepper,
    "twins": twins, "sections": sections, "rights": rights,
}  # fmt: skip
