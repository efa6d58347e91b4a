import pytest

from memory_store.retrieval.questions import is_mere_question, is_report


@pytest.mark.parametrize(
    "text",
    [
        "How many slides does my presentation have?",
        "how big is the Reports folder",
        "Is Bluetooth on?",
        "what's a good name for a cat",
        "Why does it show a minimap?",
        "Tell me which fonts are used",
        "which clients are late, and by how much",
        "What is bigger, the sum or the average?",
        "Does this document have a watermark? Thanks!",
        "Can you tell me whether the plugin is installed?",
        "Could you please check if Bluetooth is on?",
        "Would you verify that the backup is enabled?",
        "Can I freeze the first row?",
    ],
)
def test_a_question_for_an_answer_is_a_mere_question(text: str) -> None:
    assert is_mere_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "Could you merge these cells?",
        "Can you please hide the sidebar?",
        "Where are my passwords? Open that page.",
        "Do not send notifications.",
        "Have Chrome ask before each download",
        "How full the battery is should be visible",
        "When I reply, start above the quote.",
        "minimap off",
        "Can you check whether Bluetooth is on and turn it on if it is not?",
        "Could you see to it that the backup is enabled?",
        "Can you show me how to freeze the first row?",
        "Can I have the sidebar back?",
        "This photo is fuzzy, can you make it crisp?",
        "which clients are late, list them in a new sheet",
        "Which officer leads which branch is in the table; fill in the names.",
    ],
)
def test_a_wish_is_none_however_it_is_put(text: str) -> None:
    assert not is_mere_question(text)


@pytest.mark.parametrize(
    "text", ["Check whether Do Not Track is enabled", "see if the volume is at its maximum"]
)
def test_to_look_whether_something_is_so_is_a_question(text: str) -> None:
    assert is_mere_question(text)


def test_to_see_whether_somebody_can_do_it_is_a_wish() -> None:
    assert not is_mere_question("see if you can merge these cells")


@pytest.mark.parametrize(
    "text",
    [
        "I have already installed the extension",
        "I've set the time zone to UTC+0.",
        "The extension is already installed",
        "We already froze the header. Thanks!",
    ],
)
def test_what_was_done_is_a_report(text: str) -> None:
    assert is_report(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have downloaded a file, open it",
        "I deleted a photo. Please get it back",
        "I need the extension installed",
        "The extension should be installed",
        "install the extension",
    ],
)
def test_a_wish_is_no_report(text: str) -> None:
    assert not is_report(text)
