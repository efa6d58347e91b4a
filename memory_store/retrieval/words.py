"""A text cut into sentences and words, each word with how it was written: quoted, a name, a value."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from memory_store.retrieval.stem import stem

_QUOTED = re.compile(r"""(?<![\w])(["“„«‘'`])(?=\S)([^"“”„«»]{1,160}?)(?<=\S)(["”“»’'`])(?![\w])""")
_TOKEN = re.compile(
    r"""
    (?P<url>(?:https?://|www\.)[^\s"'<>“”‘’`]+?(?=["'<>“”‘’`\s,;)]|[.!?]?(?:\s|$)))
    |(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    |(?P<path>(?<![\w.])~?/[\w.\-/]+)
    |(?P<folder>(?<![\w.-])(?!w/)[\w-]+/(?=[\s,;)]|$))
    |(?P<file>[\w-]+(?:\.[\w-]+)*\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}\b)
    |(?P<host>[a-z0-9-]{2,}(?:\.[a-z0-9-]{2,})*\.[a-z]{2,})
    |(?P<date>\b(?:\d{4}(?P<year>[-/.])\d{1,2}(?P=year)\d{1,2}|\d{1,2}(?P<day>[-/.])\d{1,2}(?P=day)\d{2,4})\b)
    |(?P<phone>(?<![\w.])(?:\+\d{1,3}(?:[\s./-]?\(?\d{1,5}\)?){2,5}|(?:\(\d{3}\)\s?|\d{3}[-.\s])?\d{3}-\d{4})\b)
    |(?P<cells>\$?[A-Z]{1,2}\$?\d{1,6}(?::\$?[A-Z]{1,2}\$?\d{1,6})?\b)
    |(?P<columns>\b[A-Z]{1,2}:[A-Z]{1,2}\b)
    |(?P<number>\d+(?:,\d{3}(?!\d))*(?:[.:]\d+)*(?:st|nd|rd|th)?(?:\s?%|x\b)?)
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
    {"url", "host", "mail", "path", "file", "cells", "columns", "number", "keys", "mixed", "date", "phone"}
)
_TIMES = re.compile(r"(?<=\d)\s?[x×*]\s?(?=\d)")  # 5x2 is 5 by 2
_NUMBERED = re.compile(r"([^\W\d_]{3,}|pg?)(\d{1,4})")  # slide3, gpt4, p2; but not b2, mp3 or so1024
_SHORT_FOR = {"p": "page", "pg": "page"}
_BY_ONE_NAME = frozenset({"sheet"})  # "Sheet 2" is the name Sheet2


class Word(NamedTuple):
    """One word or sign of a text, case-folded, with the way it was written."""

    text: str
    kind: str
    quoted: bool = False
    name: bool = False
    owner: bool = False

    @property
    def stem(self) -> str:
        """Its stem if it is a word, else itself."""
        return stem(self.text) if self.kind == "word" else self.text

    @property
    def is_value(self) -> bool:
        """A number, a file, an address, cells, keys: something a request fills in."""
        return self.kind in _VALUE_KINDS


@lru_cache(maxsize=8)  # a request is cut once, though it is read for its words and for its programs
def split_words(text: str) -> tuple[Word, ...]:
    """Every word and stop of a text in order; what stands in quotes is marked."""
    plain = _TIMES.sub(" by ", unicodedata.normalize("NFKC", text).replace("’", "'"))
    quoted = [match.span(2) for match in _QUOTED.finditer(plain)]
    found: list[Word] = []
    for token in _TOKEN.finditer(plain):
        inside = any(start <= token.start() < end for start, end in quoted)
        opens = not found or (found[-1].kind == "stop" and found[-1].text[0] in ".!?\n")
        if token.lastgroup == "folder":
            found.extend(_folder(token.group(), quoted=inside))
            continue
        word = _word(token, quoted=inside, opens=opens)
        if found and word.kind == "number" and found[-1].text in _BY_ONE_NAME:
            found[-1] = Word(f"{found[-1].text}{word.text}", "mixed", inside)
        else:
            found.extend(_apart(word))
    return tuple(found)


def _folder(raw: str, *, quoted: bool) -> tuple[Word, ...]:
    """A name with a slash at its end is a folder's."""
    name = raw.rstrip("/").casefold()
    return Word(name, "word" if name.isalpha() and len(name) > 1 else "mixed", quoted), Word("folder", "word")


def _apart(word: Word) -> tuple[Word, ...]:
    """A word and its number where both are written as one: "slide3" is slide 3."""
    parts = _NUMBERED.fullmatch(word.text) if word.kind == "mixed" else None
    if parts is None or parts[1] in _BY_ONE_NAME:
        return (word,)
    name = _SHORT_FOR.get(parts[1], parts[1])
    return Word(name, "word", word.quoted), Word(parts[2], "number", word.quoted)


def as_number(text: str) -> Word | None:
    """A number in letters as the number it is."""
    number = _NUMBERS.get(text)
    kind = "number" if text not in _ORDINAL_WORDS else "ordinal"
    return None if number is None else Word(number, kind)


def _word(token: re.Match[str], *, quoted: bool, opens: bool) -> Word:
    """One token as a word; numbers in letters become digits, a name is a capital inside a sentence."""
    kind, raw = token.lastgroup or "word", token.group()
    low = raw.casefold()
    if kind in ("cells", "columns") and not _CASED.match(raw):
        kind = "mixed"
    if kind == "word":
        owner = low.endswith("'s")
        low = low.removesuffix("'s")
        if (number := as_number(low)) is not None:
            return number._replace(quoted=quoted)
        return Word(low, kind, quoted, name=raw[0].isupper() and not opens and low != "i", owner=owner)
    return Word(_plain_value(low, kind), kind, quoted)


def _plain_value(low: str, kind: str) -> str:
    """A value in one spelling: no percent sign, no ordinal ending, no protocol, no trailing slash."""
    if kind == "number":
        return re.sub(r"(st|nd|rd|th|\s?%|x)$", "", low).replace(",", "")
    if kind in ("url", "host"):
        return re.sub(r"^(https?://)?(www\.)?", "", low).rstrip("/.")
    if kind == "phone":
        return re.sub(r"[^\d+]", "", low)
    if kind == "stop":
        return low
    if kind in ("path", "file"):
        return low.rstrip("./") or low
    return low.replace("$", "") if kind == "cells" else re.sub(r"\s", "", low)
