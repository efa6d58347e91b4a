"""A text as the terms that carry its intent: synonyms made one, filler dropped, slips read right."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from memory_store.retrieval.lexicon import Lexicon, Phrase, lexicon
from memory_store.retrieval.phrasing import (
    NEXT_CLAUSE,
    Piece,
    gives_reason,
    is_lettered,
    is_limit,
    phrased,
    rules_out,
)
from memory_store.retrieval.spelling import LONG, SURE, Vocabulary, correct, parts_of
from memory_store.retrieval.stem import stem
from memory_store.retrieval.words import Word, as_number, split_words

_NOT_THIS = frozenset({("instead", "of"), ("rather", "than")})
_FROM_THIS = frozenset({("according", "to"), ("based", "on")})
_BANS = frozenset(
    {"do not", "don't", "dont", "never", "should not", "shouldn't", "must not", "mustn't", "without"}
)
_REPLACED_BY = frozenset({"with", "by"})
_POINTS_TO = frozenset({"to", "into", "as", "->", "=>", "→", "become"})


class Term(NamedTuple):
    """One meaningful word: the head of its synonyms, its own stem, and how it was written."""

    form: str
    stem: str
    value: bool = False
    quoted: bool = False
    name: bool = False
    excluded: bool = False
    aimed: bool = False
    sure: bool = True
    clause: int = 0
    told: bool = False
    source: bool = False
    limits: bool = False
    """Says whose, by what or for whom something is done."""


def analyse(text: str, vocabulary: Vocabulary | None = None) -> tuple[Term, ...]:
    """The terms of a text in order; with a vocabulary, unknown words are read as known ones a slip away."""
    words = lexicon()
    pieces = [Piece(word, word.stem) for word in _plain_case(split_words(text))]
    if vocabulary is not None:
        pieces = _spelled(pieces, words, vocabulary)
    return tuple(_terms(phrased(pieces), words))


def _plain_case(words: Sequence[Word]) -> Sequence[Word]:
    """In A Text Written Like This a capital does not make a name."""
    spoken = [word for word in words if word.kind == "word"]
    if 2 * sum(word.name for word in spoken) > len(spoken):
        return [word._replace(name=False) for word in words]
    return words


def _spelled(pieces: list[Piece], words: Lexicon, vocabulary: Vocabulary) -> list[Piece]:
    """Each unknown word corrected, or taken apart into two known ones; known pairs written apart joined."""
    unsure = {p.stem for p in pieces if p.word.kind == "word"} - words.known - words.everyday
    pairs = {_joint(one, two) for one, two in pairwise(pieces)}
    met = vocabulary.knows(unsure | pairs)
    done: list[Piece] = []
    for piece in pieces:
        joint = _joint(done[-1], piece) if done and not _is_pair(done[-1], piece, words) else ""
        if joint and (joint in met or joint in words.forms):
            done[-1] = Piece(Word(joint, "word"), joint)
        elif piece.stem in unsure and piece.stem not in met and not piece.word.name:
            done.extend(_read(piece, words, vocabulary))
        else:
            done.append(piece)
    return done


def _is_pair(one: Piece, two: Piece, words: Lexicon) -> bool:
    """Two words that are a phrase as they stand: "shut down" is to close, not the shutdown."""
    return (one.stem, two.stem) in words.particles


def _joint(one: Piece, two: Piece) -> str:
    """Two neighbouring words as one, where both are plain words and long enough together."""
    plain = one.word.kind == two.word.kind == "word" and not one.word.quoted
    plain = plain and not two.word.text.endswith(("ed", "ing"))  # a file named so is no filename
    joint = stem(one.word.text + two.word.text) if plain and len(one.word.text) > 2 else ""
    return joint if len(joint) >= 6 and joint != one.stem else ""


def _read(piece: Piece, words: Lexicon, vocabulary: Vocabulary) -> list[Piece]:
    """An unknown word as what was probably meant."""
    meant = correct(piece.stem, vocabulary, slips_allowed=1)
    if meant is None and (halves := _halves(piece.word.text, words)) is not None:
        return [Piece(Word(half, "word"), stem(half)) for half in halves]
    if meant is None and len(piece.stem) >= LONG:
        meant = correct(piece.stem, vocabulary, slips_allowed=2)
    if meant is None and (longer := vocabulary.beginning_with(piece.stem)):
        return [Piece(piece.word._replace(text=longer[0]), longer[0], sure=False)]
    if meant is not None:
        if (number := as_number(meant)) is not None:
            is_slip = len(meant) != len(piece.stem) or sorted(meant) == sorted(piece.stem)
            return [Piece(number, number.text) if is_slip else piece]
        sure = (len(meant) >= SURE and len(meant) != len(piece.stem)) or sorted(meant) == sorted(piece.stem)
        return [Piece(piece.word._replace(text=meant), meant, sure=sure)]
    return [piece]


def _halves(word: str, words: Lexicon) -> tuple[str, ...] | None:
    """A word nobody knows as the known ones it is written together from."""
    return parts_of(word, _known_words(), words.filler)


@cache
def _known_words() -> set[str]:
    return lexicon().known - lexicon().filler


def _terms(pieces: list[Piece], words: Lexicon) -> Iterable[Term]:
    """Phrases before single words, filler dropped, what is ruled out and what is aimed at marked."""
    at, excluded, aimed, clause, banned, aside = 0, False, 0, 0, False, False
    source, replaced = False, False
    while at < len(pieces):
        piece = pieces[at]
        if piece.word.kind == "stop":
            excluded = banned = aside = source = replaced = False
            clause += 1
            aimed = 1 if piece.word.text in _POINTS_TO else 0
            at += 1
            continue
        if _pair(pieces, at) in _NOT_THIS:
            excluded = True
            at += 2
            continue
        if rules_out(pieces, at):
            excluded = True
            at += 1
            continue
        if _pair(pieces, at) in _FROM_THIS:
            source, aimed = True, 0
            at += 2
            continue
        aside = aside or gives_reason(pieces, at)
        length, form = _phrase(pieces, at, words) or (1, None)
        said = pieces[at : at + length]
        if form is None:
            points = piece.stem in _POINTS_TO or (replaced and piece.stem in _REPLACED_BY)
            aimed = 1 if points else aimed
            source = piece.stem == "from" or (source and not points)
            clause += piece.stem in NEXT_CLAUSE
        if form is not None or piece.word.quoted or piece.word.is_value or _tells(pieces, at, words):
            term = _phrase_term(said, form, words) if form is not None else _single(piece, words)
            out = excluded or (banned and term.form in words.deeds)
            told, limits = term.told or aside, is_limit(pieces, at)
            yield term._replace(
                excluded=out, aimed=aimed > 0, clause=clause, told=told, source=source, limits=limits
            )
            replaced = replaced or term.form == "replace"
            excluded = excluded or term.form == "except"
            source = False
            yield from _parts_of_file(piece.word, excluded=excluded, clause=clause)
            aimed -= 1
            banned = False
        banned = banned or " ".join(each.word.text for each in said) in _BANS
        at += length


def _phrase_term(said: list[Piece], form: str, words: Lexicon) -> Term:
    """Several words as the one form they stand for."""
    sure, told = all(each.sure for each in said), said[0].told and form in words.deeds
    own = _spelled_out(said, words)
    if words.form(own) == "all":  # "every other" is not every
        own = form
    return Term(form, own, sure=sure, told=told)


def _tells(pieces: list[Piece], at: int, words: Lexicon) -> bool:
    """Neither filler nor a stray small letter."""
    piece = pieces[at]
    if piece.stem in words.filler and not (len(piece.stem) == 1 and is_lettered(pieces, at)):
        return False
    return len(piece.stem) > 1 or piece.word.name or not piece.stem.isalpha() or is_lettered(pieces, at)


def _pair(pieces: list[Piece], at: int) -> tuple[str, str]:
    after = pieces[at + 1].word.text if at + 1 < len(pieces) else ""
    return pieces[at].word.text, after


def _spelled_out(pieces: list[Piece], words: Lexicon) -> str:
    """The phrase word by word, without its filler; its stem as a term."""
    return " ".join(piece.stem for piece in pieces if piece.stem not in words.filler) or pieces[0].stem


def _phrase(pieces: list[Piece], at: int, words: Lexicon) -> tuple[int, str] | None:
    """The longest known phrase that starts here; in quotes only the name of a thing is one."""
    for stems, form in words.phrases.get(pieces[at].stem, ()):
        if _stands(pieces, at, stems) and not (pieces[at].word.quoted and form in words.deeds):
            return len(stems), form
    return None


def _stands(pieces: list[Piece], at: int, stems: Phrase) -> bool:
    """Whether these stems follow one another from here on."""
    return len(pieces) >= at + len(stems) and all(
        pieces[at + offset].stem == wanted for offset, wanted in enumerate(stems)
    )


def _parts_of_file(word: Word, *, excluded: bool, clause: int) -> Iterable[Term]:
    """A file also goes by its ending and by the words of its name."""
    if word.kind in ("file", "path") and "." in word.text:
        *name, ending = re.split(r"[^a-z]+", word.text.rpartition("/")[2])
        parts = [stem(part) for part in name if len(part) > 2]
        for part in (*parts, ending):
            if part:
                yield Term(part, part, True, False, False, excluded, False, True, clause)


def _single(piece: Piece, words: Lexicon) -> Term:
    """One word as a term; what is quoted or a value keeps its own spelling."""
    word = piece.word
    form = piece.stem if word.quoted or word.is_value else words.form(piece.stem)
    told = piece.told and form in words.deeds
    return Term(form, piece.stem, word.is_value, word.quoted, word.name, sure=piece.sure, told=told)
