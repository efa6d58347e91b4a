import pytest

from memory_store.retrieval.terms import Term, analyse


def term_of(text: str, form: str) -> Term:
    return next(term for term in analyse(text) if term.form == form)


@pytest.mark.parametrize(
    "text",
    [
        "Delete the poster",
        "please delete it",
        "I want to delete it",
        "the poster should be deleted",
        "can you delete it",
    ],
)
def test_a_deed_that_is_asked_for_is_not_told(text: str) -> None:
    assert not term_of(text, "delete").told


@pytest.mark.parametrize(
    "text",
    [
        "I deleted the poster by mistake",
        "the poster was accidentally deleted",
        "restore deleted posters",
        "a page that deletes cookies",
    ],
)
def test_a_deed_that_describes_is_told(text: str) -> None:
    assert term_of(text, "delete").told


@pytest.mark.parametrize("text", ["do not delete any rows", "hide them without deleting", "never delete it"])
def test_a_deed_that_is_forbidden_is_ruled_out(text: str) -> None:
    assert term_of(text, "delete").excluded


@pytest.mark.parametrize(
    ("text", "gone"),
    [("put it right in the middle", "right"), ("a shortcut 4 this site", "4"), ("cheapest ones first", "1")],
)
def test_words_that_only_look_like_values_or_places_are_dropped(text: str, gone: str) -> None:
    assert gone not in {term.form for term in analyse(text)}


def test_a_letter_names_a_column_only_beside_the_word() -> None:
    assert "e" in {term.form for term in analyse("wrap the text in column e")}
    assert "e" not in {term.form for term in analyse("wrap e text")}


@pytest.mark.parametrize(
    ("apart", "joined"),
    [
        ("take the logo out of the picture", "take out the logo of the picture"),
        ("get my last tab back", "get back my last tab"),
        ("crank the sound all the way up", "crank up the sound all the way"),
    ],
)
def test_a_verb_and_its_particle_are_read_together(apart: str, joined: str) -> None:
    assert [term.form for term in analyse(apart)] == [term.form for term in analyse(joined)]


def test_a_particle_of_another_part_stays_where_it_is() -> None:
    assert "restore" not in {term.form for term in analyse("get a cup of tea, then go back")}


@pytest.mark.parametrize("reason", ["so I can send it", "because I want to send it"])
def test_what_gives_the_reason_is_told(reason: str) -> None:
    assert term_of(f"save the picture {reason}", "send").told
    assert not term_of(f"save the picture {reason}", "save").told


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("shirts half off", "discount"),
        ("jerseys over $60", "over_limit"),
        ("jerseys below 60 dollars", "under_limit"),
        ("kill that keybinding", "delete"),
        ("kill the process", "kill"),
        ("all slides but the first", "except"),
        ("a document titled Plan", "name"),
    ],
)
def test_neighbours_tell_what_a_word_means(text: str, form: str) -> None:
    assert form in {term.form for term in analyse(text)}


@pytest.mark.parametrize("text", ["hang it over the door", "everyone but me knows", "the title of the page"])
def test_without_such_a_neighbour_a_word_keeps_its_meaning(text: str) -> None:
    assert {term.form for term in analyse(text)}.isdisjoint({"over_limit", "except", "name"})


def test_a_heading_of_a_deed_asks_for_it() -> None:
    assert not term_of("Copies the file to both folders", "copy").told
