import sqlite3

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

LAYER = Searchable("m", "Resize the boat layer to 300 pixels", ("resize boat layer to 300 pixels",))
SIGN = Searchable("m", "Set the list separator to a semicolon", ("set list separator to semicolon",))
HELP = Searchable("m", "Find the help page about parcel tracking", ("find help page about parcel tracking",))
SIZES = Searchable(
    "m", "Insert a table with 6 rows and 4 columns", ("insert table with 6 rows and 4 columns",)
)
PAINT = Searchable(
    "m", "Fill the sky layer with grey, leaving the boat layer as is", ("fill sky layer grey",)
)
PENSION = Searchable("m", "Calculate the pensions from the salaries", ("calculate pensions from salaries",))
MOVE = Searchable("m", "Move the caption to the left", ("shift caption layer left",))
SLIDE = Searchable("m", "Add the fade transition to the first slide", ("add fade transition to first slide",))
MAILS = Searchable("m", "Print every email in Work", ("print every email in Work",))
STARTS = Searchable("m", "Delete the history when the browser closes", ("delete history on close",))
TITLE = Searchable(
    "m", "Make the title bold and underline it", ("title bold and underlined", "underline title")
)
SHUT = Searchable("m", "Bring back the last tab I shut down", ("restore last closed tab",))
CHOOSER = Searchable("m", "Open the accounts tab, but not the login dialog", ("open accounts tab",))
NOTES = Searchable("m", "Make a new file named notes.md", ("create file notes.md",))
DIM = Searchable("m", "Lock the computer when I leave", ("lock computer automatically",))


def points(memory: Searchable, request: str, *others: Searchable) -> set[Objection]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    for each in (memory, *others):
        put(db, each)
    found = find(Ask(request), Index(db))
    db.close()
    return {point.kind for each in found.candidates if each.memory_id == "m" for point in each.against}


@pytest.mark.parametrize(
    ("memory", "request_text", "kind"),
    [
        (LAYER, "Resize the tree layer to 300 pixels", Objection.OTHER_EFFECT),
        (SIGN, "Set the list separator to a hyphen", Objection.OTHER_EFFECT),
        (HELP, "Find the help page about parcel insurance", Objection.OTHER_EFFECT),
        (SIZES, "Insert a table with 4 rows and 6 columns", Objection.REVERSED),
        (PAINT, "Fill the boat layer with grey, leaving the sky layer as is", Objection.REVERSED),
        (PENSION, "Calculate the salaries according to the pensions", Objection.REVERSED),
        (MOVE, "Move the picture to the left", Objection.OTHER_EFFECT),
        (SLIDE, "Add the fade transition to all slides", Objection.OTHER_EFFECT),
        (MAILS, "Print every unpaid email in Work", Objection.OTHER_EFFECT),
        (STARTS, "I never want the browser to delete the history", Objection.OPPOSITE),
        (TITLE, "Make the title bold", Objection.NARROWER),
        (TITLE, "Underline the bold title and nothing else", Objection.OTHER_EFFECT),
        (CHOOSER, "Open the login dialog", Objection.REVERSED),
        (DIM, "If the lid is shut, lock the computer", Objection.OTHER_EFFECT),
        (DIM, "We might lock the computer some day", Objection.TOLD),
        (MAILS, "The emails in Work have all been printed already", Objection.TOLD),
    ],
)
def test_the_memorys_sentence_with_one_thing_changed(
    memory: Searchable, request_text: str, kind: Objection
) -> None:
    assert kind in points(memory, request_text)


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (LAYER, "Make the boat layer 300 pixels"),
        (SIGN, "The list separator should be a semicolon"),
        (SIZES, "Insert a table with 4 columns and 6 rows"),
        (PENSION, "From the salaries calculate the pensions"),
        (MAILS, "Print all the emails in Work"),
        (TITLE, "Underline the title and make it bold"),
        (SHUT, "Bring back the last tab I shut down"),
        (NOTES, "Make a new file named notes.md"),
        (DIM, "If possible, lock the computer when I leave"),
    ],
)
def test_the_same_in_other_words_is_not_objected_to(memory: Searchable, request_text: str) -> None:
    wrong = {
        Objection.OTHER_EFFECT,
        Objection.REVERSED,
        Objection.OPPOSITE,
        Objection.NARROWER,
        Objection.TOLD,
    }
    assert not points(memory, request_text) & wrong
