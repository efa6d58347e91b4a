"""Dialogs and what asks like one: later it asks about another entry, or something else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bench.reaim.misleading.entries import Entry, entries
from bench.reaim.misleading.forms import SPOT, Form, Maker, Page, form
from bench.reaim.misleading.looks import Look
from bench.reaim.misleading.tags import button, end, faint, link, row, space, table
from bench.reaim.misleading.words import COMPANIES, FILES, PEOPLE, amount

DEEDS = ("Delete", "Archive", "Share", "Print", "Publish", "Lock")
ANSWERS = (("Yes", "No"), ("OK", "Cancel"), ("Continue", "Back"))
OVER = "<div class=over></div>"


def _page(those: list[Entry]) -> str:
    """A list behind the dialog."""
    return "<h1>Clients</h1>" + table(("Name", "Town", "State"), [(e.name, e.town, e.state) for e in those])


def _asked(
    rng: Random, dialog: Callable[[str], str], here: str, gone: dict[str, str], *, over: bool = True
) -> Form:
    """A dialog over a list; `dialog` draws it with what it asks. Behind it the list may change."""
    first, second = entries(rng, COMPANIES, 5), entries(rng, COMPANIES, 6)
    shade = OVER if over else ""
    return form(
        _page(first) + shade + dialog(here),
        {what: _page(first) + shade + dialog(asks).replace(SPOT, "") for what, asks in gone.items()},
        {"other list behind": _page(second) + shade + dialog(here)},
    )._replace(earlier=Page(_page(first)))


def _box(*parts: str, style: str = "") -> str:
    return f"<div class=dialog style='{style}'>{''.join(parts)}</div>"


def delete(rng: Random, look: Look) -> Form:
    """One line and two buttons."""
    here, other = rng.sample(COMPANIES, 2)
    deed, another = rng.sample(DEEDS, 2)
    yes, no = rng.choice(ANSWERS)

    def dialog(asks: str) -> str:
        return _box(f"<p>{asks}</p>", row(button(yes, SPOT), button(no), above=20), style="width:340px")

    gone = {"another entry": f"{deed} {other}?", "another question": f"{another} {here}?"}
    return _asked(rng, dialog, f"{deed} {here}?", gone)


def titled(rng: Random, look: Look) -> Form:
    """A title, a long text that names the entry, buttons at the right end."""
    here, other = rng.sample(PEOPLE, 2)
    deed, another = rng.sample(("removed", "invited", "blocked", "promoted"), 2)

    def dialog(asks: str) -> str:
        text = f"<h2>Please confirm</h2><p>{asks}</p>{faint('This can be changed within 30 days.')}"
        return _box(text, row(end(f"{button('Cancel')} {button('OK', SPOT)}", "span"), above=24))

    gone = {"another entry": f"{other} will be {deed} now.", "another deed": f"{here} will be {another} now."}
    return _asked(rng, dialog, f"{here} will be {deed} now.", gone)


def large(rng: Random, look: Look) -> Form:
    """A dialog larger than what is kept of a target, its title far from its buttons."""
    here, other = rng.sample(FILES, 2)

    def dialog(asks: str) -> str:
        fields = faint("With whom") + "<input style='width:60%'>" + faint("For how long") + "<p>One week</p>"
        foot = row(end(f"{button('Cancel')} {button('Share', SPOT)}", "span"))
        return _box(f"<h1>{asks}</h1>", fields, space(150), foot, style="width:680px")

    return _asked(rng, dialog, f"Share {here}", {"another entry": f"Share {other}"})


def plain(rng: Random, look: Look) -> Form:
    """A small window without a shade behind it."""
    here, other = rng.sample(FILES, 2)

    def dialog(asks: str) -> str:
        return _box(
            f"<p>{asks} has been changed.</p>",
            row(button("Save"), button("Discard", SPOT), button("Cancel"), above=16),
        )

    return _asked(rng, dialog, here, {"another entry": other}, over=False)


def counted(rng: Random, look: Look) -> Form:
    """How many of them: another number is another question."""
    here, other = rng.sample(range(2, 9), 2)

    def dialog(asks: str) -> str:
        return _box(f"<p>{asks}</p>", row(button("Delete", SPOT), button("Keep"), above=20))

    return _asked(rng, dialog, f"Delete {here} files?", {"another number": f"Delete {other} files?"})


def paid(rng: Random, look: Look) -> Form:
    """How much, to whom."""
    here, other = rng.sample(COMPANIES, 2)
    price, more = amount(rng), amount(rng)

    def dialog(asks: str) -> str:
        text = f"<h2>Transfer</h2><p>{asks}</p>"
        return _box(text, row(button("Send money", SPOT), link("Not now"), above=30), style="width:380px")

    gone = {"another entry": f"{price} EUR to {other}", "another sum": f"{more} EUR to {here}"}
    return _asked(rng, dialog, f"{price} EUR to {here}", gone)


def rights(rng: Random, look: Look) -> Form:
    """What a page asks to use."""
    here, other = rng.sample(("camera", "microphone", "location", "contacts", "clipboard"), 2)
    style = "left:180px;top:70px;transform:none;width:330px"

    def dialog(asks: str) -> str:
        foot = row(end(f"{button('Block')} {button('Allow', SPOT)}", "span"), above=14)
        return _box("<p>meridian.test wants to</p>", f"<p>use your {asks}</p>", foot, style=style)

    return _asked(rng, dialog, here, {"another right": other}, over=False)


def toast(rng: Random, look: Look) -> Form:
    """A line at the bottom that can be taken back."""
    here, other = rng.sample(PEOPLE, 2)
    style = "top:auto;bottom:-20px;padding:10px 18px"

    def dialog(asks: str) -> str:
        return _box(row(f"Message from {asks} deleted", link("Undo", SPOT)), style=style)

    return _asked(rng, dialog, here, {"another entry": other}, over=False)


def renamed(rng: Random, look: Look) -> Form:
    """A field between the question and its buttons."""
    here, other = rng.sample(FILES, 2)

    def dialog(asks: str) -> str:
        field = "<input style='width:300px'>"
        return _box(
            f"<p>New name of {asks}</p>", field, row(button("Rename", SPOT), button("Cancel"), above=18)
        )

    return _asked(rng, dialog, here, {"another entry": other})


FORMS: dict[str, Maker] = {
    "delete": delete, "titled": titled, "large": large, "plain": plain, "counted": counted, "paid": paid,
    "rights": rights, "toast": toast, "renamed": renamed,
}  # fmt: skip
