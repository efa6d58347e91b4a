import sqlite3

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

NUMBERS = Searchable("m", "Number every page at the bottom right", ("page numbers bottom right",), ())
SHEET = Searchable("m", "Export the current sheet to csv", ("current sheet to csv",), ())
TAB = Searchable("m", "Make my computer bring back the last tab", ("restore the last tab",), ())
FONT = Searchable("m", "Make Arial the default font", ("Arial as default font",), ())
LOGO = Searchable("m", "Move the logo of page 2 to the bottom", ("move logo on page 2 to bottom",), ())
CLEAN = Searchable("m", "Delete cookies every time I close the browser", ("delete cookies on close",), ())
CAR = Searchable("m", "Find a large car in Bern over $60", ("large car in Bern over $60",), ())
TOYS = Searchable("m", "Browse toys for kids by lowest price", ("toys for kids, cheapest first",), ())
MAIL = Searchable("m", "Print the most recent email", ("print latest email",), ())
EXTENSION = Searchable("m", "Install the extension Python", ("install Python extension",), ("vscode",))
PROJECT = Searchable("m", 'Open the "project" in the home folder', ('open "project" in home',), ("vscode",))
FOCUS = Searchable("m", "Move the focus from the terminal to the editor", ("focus terminal to editor",), ())
WORDS = Searchable("m", 'Replace "cat" with "dog"', ('replace all "cat" with "dog"',), ())


def kinds(memory: Searchable, request: str) -> set[Objection]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    put(db, memory)
    found = find(Ask(request), Index(db))
    db.close()
    return {point.kind for point in found.candidates[0].against}


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (NUMBERS, "Number every odd page at the bottom right"),
        (NUMBERS, "Number every other page at the bottom right"),
        (NUMBERS, "Number all pages but the first at the bottom right"),
        (NUMBERS, "Number only every page at the bottom right"),
        (SHEET, "Export all sheets to csv"),
        (TAB, "Bring back the last tab on my neighbour's computer"),
        (TAB, "Bring back the last tab by telepathy"),
        (FONT, "Make Arial the default font size"),
        (LOGO, "Move the table of page 2 to the bottom"),
        (CLEAN, "Delete cookies every time I open the browser"),
        (CAR, "Find a small car in Bern over $60"),
        (CAR, "Find a large car in Bern under $60"),
        (TOYS, "Browse toys for adults by lowest price"),
        (TOYS, "Browse toys for kids by highest price"),
        (MAIL, "Print the oldest email"),
    ],
)
def test_a_limit_the_memory_does_not_keep_is_objected_to(memory: Searchable, request_text: str) -> None:
    assert Objection.OTHER_EFFECT in kinds(memory, request_text)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (NUMBERS, "Every page should be numbered at the bottom right"),
        (SHEET, "Export this sheet to csv"),
        (TAB, "Bring back the last tab for me"),
        (CLEAN, "Delete cookies whenever I close the browser"),
        (CAR, "Find a large car in Bern above $60"),
        (MAIL, "Print the newest email"),
        (FOCUS, "Move the focus from the terminal to the editor"),
        (EXTENSION, "I have installed VS Code. Please install the extension Python"),
    ],
)
def test_a_limit_the_memory_keeps_is_none(memory: Searchable, request_text: str) -> None:
    assert kinds(memory, request_text) == set()


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (EXTENSION, "I have already installed the extension Python"),
        (EXTENSION, "I just installed the extension Python."),
        (PROJECT, "keep what I have open as project in the home folder"),
    ],
)
def test_a_deed_that_is_only_told_of_is_not_asked_for(memory: Searchable, request_text: str) -> None:
    assert Objection.TOLD in kinds(memory, request_text)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (FOCUS, "Move the focus from the editor to the terminal"),
        (WORDS, 'Replace "dog" with "cat"'),
    ],
)
def test_source_and_aim_are_not_exchanged(memory: Searchable, request_text: str) -> None:
    assert Objection.REVERSED in kinds(memory, request_text)


def test_something_to_be_made_besides_is_beyond_the_memory() -> None:
    asked = kinds(EXTENSION, "Install the extension Python and create a virtual environment")

    assert Objection.EXTRA_EFFECT in asked


TOTALS = Searchable(
    "m", "Copy the totals with their header row to a new sheet", ("copy totals and header",), ()
)
REPLY = Searchable("m", "Reply to the email without a quote", ("reply without quote",), ())
SONG = Searchable("m", "Play the song on my desktop", ("play song from desktop",), ())
MARGINS = Searchable("m", "Set the margins of the page to none", ("page margins none",), ())
LOGIN = Searchable("m", "Open the page of stored logins", ("show stored logins",), ())
DECK = Searchable("m", "Save the slides as talk.odp", ("save slides as talk.odp",), ())
LOCKING = Searchable("m", "Lock the computer automatically when I leave", ("automatic lock",), ())
AGES = Searchable("m", "Calculate the ages of the members", ("calculate member ages",), ())


@pytest.mark.parametrize(
    ("memory", "request_text", "kind"),
    [
        (TOTALS, "Copy the totals without their header row to a new sheet", Objection.REVERSED),
        (REPLY, "Reply to the email with a quote", Objection.REVERSED),
        (SONG, "Play the next song on my desktop", Objection.OTHER_EFFECT),
        (SONG, "Pause the song on my desktop", Objection.OPPOSITE),
        (MARGINS, "Set the margins of the page to generous", Objection.OTHER_EFFECT),
        (LOGIN, "Change the stored logins", Objection.OTHER_EFFECT),
        (DECK, "Open the slides talk.odp", Objection.OTHER_EFFECT),
        (LOCKING, "Lock the computer now", Objection.NARROWER),
        (AGES, "Calculate the average ages of the members", Objection.OTHER_EFFECT),
    ],
)
def test_one_word_that_turns_the_wish_is_objected_to(
    memory: Searchable, request_text: str, kind: Objection
) -> None:
    assert kind in kinds(memory, request_text)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (TOTALS, "Copy the totals with the header row to a new sheet"),
        (REPLY, "Reply to the email without the quote"),
        (SONG, "Now play the song on my desktop"),
        (LOGIN, "Open the stored logins page"),
        (LOCKING, "Now please lock the computer automatically when I leave"),
    ],
)
def test_the_same_wish_with_such_a_word_is_none(memory: Searchable, request_text: str) -> None:
    assert kinds(memory, request_text) == set()
