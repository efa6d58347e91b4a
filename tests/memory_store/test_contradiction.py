import sqlite3

import pytest

from memory_store.index import Index, create_tables, put
from memory_store.retrieval import Ask, FlexibleValue, Searchable
from memory_store.retrieval.find import find
from memory_store.retrieval.objection import Objection

BOLD = Searchable("m", "Make all slide titles bold", ("bold titles",), ("libreoffice_impress",))
POPUPS = Searchable("m", "Block pop-up windows", ("turn off pop-ups", "prevent popups"), ("firefox",))
MERGE = Searchable("m", "Merge the cells B1 to F1", ("merge B1:F1",), ("libreoffice_calc",))
ZIP = Searchable("m", "Compress the folder Reports into reports.zip", ("zip the Reports folder",), ("os",))
PDFS = Searchable("m", "Download PDF files instead of opening them", (), ("chrome",))
CONVERT = Searchable("m", "Convert the mkv to mp4", ("mkv to mp4",), ("vlc",))
CASES = Searchable("m", "Convert all upper case text to lower case", ("upper case to lower case",), ())
TABLE = Searchable("m", "Convert the text with commas to a table", ("text with commas to a table",), ())
FONT = Searchable("m", "Set the text in Times New Roman", ("text in Times New Roman",), ())
QUIET = Searchable(
    "m", "Switch on do not disturb", ("turn on do not disturb", "disable notifications"), ("os",)
)
MISSING = Searchable(
    "m", "Hide the rows with N/A. Do not delete any rows.", ("hide rows with N/A without deleting",), ()
)
STARS = Searchable("m", "Add a star to every email in the folder Bills", ("star all emails in Bills",))
PROFILE = Searchable("m", "Delete the mail profile Anna", ("remove profile Anna",))
TITLE = Searchable("m", "Move the title on page 2 to the bottom", ("title of page 2 to bottom",))
POSTER = Searchable(
    "m", "I deleted the party poster by mistake, restore it", ("restore the deleted party poster",), ("os",)
)
RECEIPT = Searchable(
    "m", "Convert the picture of the receipt to receipt.pdf", ("receipt picture to receipt.pdf",)
)
PHONE = Searchable(
    "m",
    "Change the phone number of the client Globex to 555-0199",
    ("update client phone number",),
    ("chrome",),
    flexible_inputs=(FlexibleValue("client", "text", "Globex"), FlexibleValue("phone", "text", "555-0199")),
)


def objections(memory: Searchable, request: str, application: str | None = None) -> set[Objection]:
    db = sqlite3.connect(":memory:")
    create_tables(db)
    put(db, memory)
    found = find(Ask(request, application=application), Index(db))
    db.close()
    assert (found.accepted is None) == bool(found.candidates[0].against)
    return {point.kind for point in found.candidates[0].against}


@pytest.mark.parametrize(
    ("memory", "request_text", "kind"),
    [
        (POPUPS, "Allow pop-up windows again", Objection.OPPOSITE),
        (BOLD, "Make all slide titles italic", Objection.OTHER_EFFECT),
        (MERGE, "Merge the cells A4 to D4", Objection.FIXED_VALUE),
        (ZIP, "Zip the folder Reports into reports.zip and encrypt the original", Objection.EXTRA_EFFECT),
        (BOLD, "Which slide titles are bold?", Objection.QUESTION),
        (BOLD, "Make all slide titles bold in Keynote", Objection.OTHER_APPLICATION),
        (PDFS, "Open PDF files instead of downloading them", Objection.REVERSED),
        (CONVERT, "Convert the mp4 to mkv", Objection.REVERSED),
        (CASES, "Convert everything to upper case", Objection.REVERSED),
        (TABLE, "Convert the table to text with commas", Objection.REVERSED),
        (FONT, "Set the text in comic sans", Objection.FIXED_VALUE),
        (ZIP, "Compress the folder", Objection.NARROWER),
        (QUIET, "Turn off do not disturb", Objection.OPPOSITE),
        (MISSING, "Delete the rows with N/A", Objection.REVERSED),
        (STARS, "Mark every email in the folder Bills as read", Objection.OTHER_EFFECT),
        (STARS, "Add a star to every email in the folder Bills and forward them", Objection.EXTRA_EFFECT),
        (PROFILE, "Delete my profile Anna and delete its mail from the disk too", Objection.EXTRA_EFFECT),
        (
            TITLE,
            "Move the title on page 2 to the bottom and move the picture to the top",
            Objection.EXTRA_EFFECT,
        ),
        (POSTER, "Delete the party poster", Objection.OPPOSITE),
        (RECEIPT, "Convert the picture to invoice.pdf", Objection.FIXED_VALUE),
        (BOLD, "Make the slide titles sing lullabies to sleepy penguins", Objection.UNEXPLAINED),
    ],
)
def test_a_near_miss_is_objected_to_by_its_kind(
    memory: Searchable, request_text: str, kind: Objection
) -> None:
    assert kind in objections(memory, request_text)


def test_another_application_fails_its_gate() -> None:
    assert objections(BOLD, "Make all slide titles bold", "powerpoint") == {Objection.GATE}


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (BOLD, "please set all the titles of the slides to bold, danke"),
        (POPUPS, "no more popups"),
        (ZIP, "pack the directory Reports into reports.zip"),
        (PHONE, "change phone number of client Initech to 555-0142"),
    ],
)
def test_nothing_speaks_against_the_same_wish_in_other_words(memory: Searchable, request_text: str) -> None:
    assert objections(memory, request_text) == set()


def test_a_changed_value_is_fine_only_where_an_input_takes_it() -> None:
    fixed = Searchable("m", PHONE.task_intent, PHONE.query_phrases, PHONE.applications)

    assert Objection.FIXED_VALUE in objections(fixed, "change phone number of client Initech to 555-0142")


@pytest.mark.parametrize(
    ("memory", "request_text"),
    [
        (QUIET, "turn on do not disturb"),
        (MISSING, "hide the rows that say N/A, don't delete them"),
        (POSTER, "The party poster was deleted accidentally, please restore it"),
        (RECEIPT, "convert the picture of the receipt to pdf"),
    ],
)
def test_what_is_told_by_the_way_is_no_objection(memory: Searchable, request_text: str) -> None:
    assert objections(memory, request_text) == set()
