"""Words that differ by little, wherever words stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench.reaim.misleading.forms import SPOT, Form, Maker, Page, form
from bench.reaim.misleading.looks import SERIF, Look
from bench.reaim.misleading.tags import button, card, end, faint, icon, link, listed, row, space, table

DEEDS = (
    ("Approve", "Approve all"), ("Export", "Expert"), ("Order", "Orders"), ("Sign in", "Sign up"),
    ("Enable", "Disable"), ("Save", "Save as"), ("Clear", "Clean"), ("Batch", "Patch"), ("Form", "From"),
    ("Show", "Snow"), ("Link", "Unlink"), ("Post", "Past"), ("Lock", "Look"), ("Send", "Send later"),
)  # fmt: skip
NAMES = (
    ("Maier", "Maler"), ("12.50", "12,50"), ("report_v1", "report_v11"), ("2024", "2025"), ("Jan 5", "Jun 5"),
    ("Bernd", "Berndt"), ("modern", "modem"), ("1.1.0", "1.10"), ("Level 3", "Level 8"), ("1000", "10000"),
    ("Muller", "Müller"), ("Hofmann", "Hoffmann"), ("Reiner", "Rainer"), ("A-113", "A-118"),
    ("Room 101", "Room 107"), ("copy (1)", "copy (2)"),
)  # fmt: skip
SERIFED = (("Team Al", "Team AI"), ("Ward ll", "Ward II"))
"""Told apart by a person only where the font draws them otherwise."""
OTHERS = ("Zurich", "Kiosk", "Gravel", "Willow", "Harvest", "Bridge", "Copper", "Quartz")

Draw = Callable[[Sequence[tuple[str, str]]], str]
"""A page of words, each with its mark or none."""


def _pair(rng: Random, look: Look, pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    pair = rng.choice([*pairs, *(SERIFED if look.font == SERIF and pairs is NAMES else ())])
    return pair if rng.random() < 0.5 else (pair[1], pair[0])


def _little(rng: Random, look: Look, pairs: Sequence[tuple[str, str]], draw: Draw) -> Form:
    """The other word stands there, or beside it."""
    here, other = _pair(rng, look, pairs)
    first, last, more = rng.sample(OTHERS, 3)
    return form(
        draw([(first, ""), (here, SPOT), (last, "")]),
        {"another letter": draw([(first, ""), (other, ""), (last, "")])},
        {
            "both": draw([(first, ""), (other, ""), (here, SPOT), (last, "")]),
            "one more": draw([(more, ""), (first, ""), (here, SPOT), (last, "")]),
        },
    )


def _alone(
    rng: Random, look: Look, pairs: Sequence[tuple[str, str]], draw: Callable[[str, str], str]
) -> Form:
    here, other = _pair(rng, look, pairs)
    return form(draw(here, SPOT), {"another letter": draw(other, "")})


def buttons(rng: Random, look: Look) -> Form:
    """A button in a row of some."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        return f"<h1>Request</h1>{faint('Sent today')}{row(*(button(*w) for w in words), above=12)}"

    return _little(rng, look, DEEDS, draw)


def links(rng: Random, look: Look) -> Form:
    """A link in a line of some."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        return f"<h1>Start</h1>{row(*(link(*w) for w in words), above=12)}<p>Welcome.</p>"

    return _little(rng, look, DEEDS, draw)


def menu(rng: Random, look: Look) -> Form:
    """An entry of a menu."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        items = "".join(f"<p{mark} style='padding:4px 8px'>{word}</p>" for word, mark in words)
        return row(button("Actions ▾")) + card(items, style="width:200px")

    return _little(rng, look, DEEDS, draw)


def items(rng: Random, look: Look) -> Form:
    """An item of a list, clicked on the middle of its row."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        return f"<h1>Items</h1>{listed(f'<li{mark}>{word}</li>' for word, mark in words)}"

    return _little(rng, look, NAMES, draw)


def rows(rng: Random, look: Look) -> Form:
    """The button of a row that this word tells."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        cells = [(word, "Standard", button("Open", mark)) for word, mark in words]
        return "<h1>Records</h1>" + table(("Name", "Kind", ""), cells)

    return _little(rng, look, NAMES, draw)


def crosses(rng: Random, look: Look) -> Form:
    """The cross right behind the word."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        lines = listed(f"<li class=row>{word}{icon('✕', mark)}</li>" for word, mark in words)
        return f"<h1>Chosen</h1><div style='width:240px'>{lines}</div>"

    return _little(rng, look, NAMES, draw)


def checks(rng: Random, look: Look) -> Form:
    """A check box before the word."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        boxes = (f"<p><label><input type=checkbox{mark}> {word}</label></p>" for word, mark in words)
        return f"<h1>Choose</h1>{''.join(boxes)}"

    return _little(rng, look, NAMES, draw)


def fields(rng: Random, look: Look) -> Form:
    """A field behind the word."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        lines = (
            row(f"<span style='width:110px'>{word}</span><input{mark}>", above=6) for word, mark in words
        )
        return f"<h1>Values</h1>{''.join(lines)}"

    return _little(rng, look, NAMES, draw)._replace(filled=True)


def cards(rng: Random, look: Look) -> Form:
    """A button on the card with the word."""

    def draw(words: Sequence[tuple[str, str]]) -> str:
        blocks = (
            card(f"<b>{word}</b>", faint("Ready"), button("Start", mark), style="width:200px")
            for word, mark in words
        )
        return f"<h1>Jobs</h1>{row(*blocks)}"

    return _little(rng, look, NAMES, draw)


def dialog(rng: Random, look: Look) -> Form:
    """The question of a dialog."""

    def draw(word: str, mark: str) -> str:
        text = f"<p>Delete {word}?</p>{row(button('Yes', mark), button('No'), above=16)}"
        return f"<h1>Records</h1><div class=over></div><div class=dialog style='width:300px'>{text}</div>"

    return _alone(rng, look, NAMES, draw)._replace(earlier=Page("<h1>Records</h1>"))


def page(rng: Random, look: Look) -> Form:
    """The title of a page, its button right below."""

    def draw(word: str, mark: str) -> str:
        return f"<h1>{word}</h1>{row(button('Edit', mark), button('Close'))}{space(20)}<p>No remarks.</p>"

    return _alone(rng, look, NAMES, draw)


def state(rng: Random, look: Look) -> Form:
    """What is chosen: Off or On, beside the button that changes something else than it did."""

    def draw(word: str, mark: str) -> str:
        line = row("Turn the alarm", end(button(word, mark), "span"))
        return f"<h1>Alarm</h1><div style='width:420px'>{line}</div>"

    return _alone(rng, look, (("Off", "On"), ("Up", "Down"), ("Start", "Restart")), draw)


FORMS: dict[str, Maker] = {
    "buttons": buttons, "links": links, "menu": menu, "items": items, "rows": rows, "crosses": crosses,
    "checks": checks, "fields": fields, "cards": cards, "dialog": dialog, "page": page, "state": state,
}  # fmt: skip
