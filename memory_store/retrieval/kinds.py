"""What kind of value a term is: another value of that kind may stand in its place."""

import re

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.terms import Term

_KIND_OF = (
    ("email", re.compile(r".+@.+\..+")),
    ("date", re.compile(r"\d{1,4}[./:-]\d{1,2}([./-]\d{1,4})?")),
    ("number", re.compile(r"\+?[\d.,:%-]+")),
    ("url", re.compile(r"[\w-]+(\.[\w-]+)+(/.*)?|.*://.*")),
    ("filename", re.compile(r"~?/.*|.+\.\w{1,5}")),
)
_SHAPE_OF = (
    ("email", _KIND_OF[0][1]),
    ("keys", re.compile(r"(?:ctrl|alt|shift|super|cmd)[+-].+")),
    ("cells", re.compile(r"[a-z]{1,2}\d{1,6}:[a-z]{1,2}\d{1,6}")),
    ("path", re.compile(r"~?/.*")),
    ("file", re.compile(r"[\w-]+\.[a-z]\w{1,3}")),
    ("url", re.compile(r"[\w-]+(\.[\w-]+)+(/.*)?|.*://.*")),
    ("code", re.compile(r"\w*[a-z]\w*_\w+|\w+_\w*[a-z]\w*")),
)


def is_value(term: Term) -> bool:
    """Something a request fills in: a number, a file, a quotation, a name."""
    unknown_name = term.name and term.form == term.stem and term.form not in lexicon().known
    return term.value or term.quoted or unknown_name or term.form in lexicon().names


def value_kind(term: Term) -> str:
    """The kind of input that a value looks made for."""
    return next((name for name, shape in _KIND_OF if term.value and shape.fullmatch(term.stem)), "text")


def shape_of(term: Term) -> str | None:
    """The class of a name, or the shape of a value: an address, a file, keys; a number has none."""
    if (named := lexicon().classes.get(term.form)) is not None:
        return named
    if not term.value or term.stem.isalnum():
        return None
    return next((name for name, shape in _SHAPE_OF if shape.fullmatch(term.stem)), None)


def posted_shape(term: Term) -> str | None:
    """The shape as the index's postings have it, so that no word is taken for one."""
    shape = shape_of(term)
    return None if shape is None else f"#{shape}"
