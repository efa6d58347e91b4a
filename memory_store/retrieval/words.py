"""A text cut into sentences and words, each word with how it was written: quoted, a name, a value."""

import re
import unicodedata
from typing import NamedTuple

from memory_store.retrieval.stem import stem

_QUOTED = re.compile(r"""(?<![\w])(["“„«‘'`])(?=\S)([^"“”„«»]{1,160}?)(?<=\S)(["”“»’'`])(?![\w])""")
_TOKEN = re.compile(
    r"""
    (?P<url>(?:https?://|www\.)\S+?(?=[\s,;)]|[.!?]?(?:\s|$)))
    |(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    |(?P<path>(?<![\w.])~?/[\w.\-/]+)
    |(?P<file>[\w-]+(?:\.[\w-]+)*\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}\b)
    |(?P<host>[a-z0-9-]{2,}(?:\.[a-z0-9-]{2,})*\.[a-z]{2,})
    |(?P<cells>\$?[A-Z]{1,2}\$?\d{1,6}(?::\$?[A-Z]{1,2}\$?\d{1,6})?\b)
    |(?P<columns>\b[A-Z]{1,2}:[A-Z]{1,2}\b)
    |(?P<number>\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?(?:\s?%|x\b)?)
    |(?P<keys>\b(?:ctrl|alt|shift|super|cmd)(?:\s?[+-]\s?\w+)+)
    |(?P<sign>[€£$])
    |(?P<mixed>[^\W\d_]+\d\w*|\w*_\w*)
    |(?P<word>[^\W\d_]+(?:['’&][^\W\d_]+)*(?:\+\+)?)
    |(?P<rest>\w+)
    |(?P<stop>[.!?\n]+(?=\s|$)|[;:,()]|->|=>|→)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CASED = re.compile(r"^\$?[A-Z]{1,2}\$?\d|^[A-Z]{1,2}:")
_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINAL_WORDS = frozenset(_ORDINALS.split())
_NUMBERS = {
    **{word: str(value) for value, word in enumerate(_CARDINALS.split()) if word != "one"},
    **{word: str(value) for value, word in enumerate(_ORDINALS.split())},
    "twenty": "20",
    "thirty": "30",
    "fifty": "50",
    "hundred": "100",
}
_VALUE_KINDS = frozenset(
    {"url", "host", "mail", "path", "file", "cells", "columns", "number", "keys", "mixed"}
)


class Word(NamedTuple):
    """One word or sign of a text, case-folded, with the way it was written."""

    text: str
    kind: str
    quoted: bool = False
    name: bool = False

    @property
    def stem(self) -> str:
        """Its stem if it is a word, else itself."""
        return stem(self.text) if self.kind == "word" else self.text

    @property
    def is_value(self) -> bool:
        """A number, a file, an address, cells, keys: something a request fills in."""
        return self.kind in _VALUE_KINDS


def split_words(text: str) -> list[Word]:
    """Every word and stop of a text in order; what stands in quotes is marked."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    quoted = [match.span(2) for match in _QUOTED.finditer(plain)]
    found: list[Word] = []
    for token in _TOKEN.finditer(plain):
        inside = any(start <= token.start() < end for start, end in quoted)
        opens = not found or (found[-1].kind == "stop" and found[-1].text[0] in ".!?\n")
        found.append(_word(token, quoted=inside, opens=opens))
    return found


def _word(token: re.Match[str], *, quoted: bool, opens: bool) -> Word:
    """One token as a word; numbers in letters become digits, a name is a capital inside a sentence."""
    kind, raw = token.lastgroup or "word", token.group()
    low = raw.casefold()
    if kind in ("cells", "columns") and not _CASED.match(raw):
        kind = "mixed"
    if kind == "word":
        low = low.removesuffix("'s")
        if (number := _NUMBERS.get(low)) is not None:
            return Word(number, "number" if low not in _ORDINAL_WORDS else "ordinal", quoted)
        return Word(low, kind, quoted, name=raw[0].isupper() and not opens and low != "i")
    return Word(_plain_value(low, kind), kind, quoted)


def _plain_value(low: str, kind: str) -> str:
    """A value in one spelling: no percent sign, no ordinal ending, no protocol, no trailing slash."""
    if kind == "number":
        return re.sub(r"(st|nd|rd|th|\s?%|x)$", "", low).replace(",", "")
    if kind in ("url", "host"):
        return re.sub(r"^(https?://)?(www\.)?", "", low).rstrip("/.")
    if kind == "stop":
        return low
    if kind in ("path", "file"):
        return low.rstrip("./") or low
    return low.replace("$", "") if kind == "cells" else re.sub(r"\s", "", low)
