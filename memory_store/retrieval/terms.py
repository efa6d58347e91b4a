"""A text as the terms that carry its intent: synonyms made one, filler dropped, slips read right."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from memory_store.retrieval.lexicon import Lexicon, Phrase, lexicon
from memory_store.retrieval.spelling import LONG, SURE, Vocabulary, correct, parts_of
from memory_store.retrieval.stem import stem
from memory_store.retrieval.words import Word, split_words

_SWITCHING = frozenset({"turn", "switch", "put", "set", "keep"})
_REACH = 9  # words between "turn" and its "off"
_NOT_THIS = frozenset({("instead", "of"), ("rather", "than")})
_NEXT_CLAUSE = frozenset({"and", "then", "plus", "also"})
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


@dataclass(slots=True)
class _Piece:
    """A word on its way to being a term."""

    word: Word
    stem: str
    sure: bool = True


def analyse(text: str, vocabulary: Vocabulary | None = None) -> tuple[Term, ...]:
    """The terms of a text in order; with a vocabulary, unknown words are read as known ones a slip away."""
    words = lexicon()
    pieces = [_Piece(word, word.stem) for word in _plain_case(split_words(text))]
    if vocabulary is not None:
        pieces = _spelled(pieces, words, vocabulary)
    return tuple(_terms(_joined_switches(_without_asides(pieces)), words))


def _plain_case(words: list[Word]) -> list[Word]:
    """In A Text Written Like This a capital does not make a name."""
    spoken = [word for word in words if word.kind == "word"]
    if 2 * sum(word.name for word in spoken) > len(spoken):
        return [word._replace(name=False) for word in words]
    return words


def _spelled(pieces: list[_Piece], words: Lexicon, vocabulary: Vocabulary) -> list[_Piece]:
    """Each unknown word corrected, or taken apart into two known ones; known pairs written apart joined."""
    unsure = {p.stem for p in pieces if p.word.kind == "word"} - words.known - words.everyday
    pairs = {_joint(one, two) for one, two in pairwise(pieces)}
    met = vocabulary.knows(unsure | pairs)
    done: list[_Piece] = []
    for piece in pieces:
        if done and (joint := _joint(done[-1], piece)) and (joint in met or joint in words.forms):
            done[-1] = _Piece(Word(joint, "word"), joint)
        elif piece.stem in unsure and piece.stem not in met:
            done.extend(_read(piece, words, vocabulary))
        else:
            done.append(piece)
    return done


def _joint(one: _Piece, two: _Piece) -> str:
    """Two neighbouring words as one, where both are plain words and long enough together."""
    plain = one.word.kind == two.word.kind == "word" and not one.word.quoted
    joint = stem(one.word.text + two.word.text) if plain and len(one.word.text) > 2 else ""
    return joint if len(joint) >= 6 else ""


def _read(piece: _Piece, words: Lexicon, vocabulary: Vocabulary) -> list[_Piece]:
    """An unknown word as what was probably meant."""
    meant = correct(piece.stem, vocabulary, slips_allowed=1)
    if meant is None and (halves := parts_of(piece.word.text, words.known - words.filler)) is not None:
        return [_Piece(Word(half, "word"), stem(half)) for half in halves]
    if meant is None and len(piece.stem) >= LONG:
        meant = correct(piece.stem, vocabulary, slips_allowed=2)
    if meant is not None:
        sure = (len(meant) >= SURE and len(meant) != len(piece.stem)) or sorted(meant) == sorted(piece.stem)
        return [_Piece(piece.word._replace(text=meant), meant, sure=sure)]
    return [piece]


def _without_asides(pieces: list[_Piece]) -> list[_Piece]:
    """Drop a "don't" that only describes ("the tabs don't fit"): it forbids nothing."""
    return [
        piece
        for at, piece in enumerate(pieces)
        if piece.word.text not in _DO_NOT
        or at == 0
        or pieces[at - 1].word.text in _BEFORE_A_BAN
        or pieces[at - 1].word.kind == "stop"
    ]


_DO_NOT = frozenset({"don't", "dont"})
_BEFORE_A_BAN = frozenset({"i", "we", "please", "pls", "and", "but", "so", "to"})


def _joined_switches(pieces: list[_Piece]) -> list[_Piece]:
    """Read "turn it off" as "turn off it"; a particle that belongs to no verb says enable or disable too."""
    done: list[_Piece] = []
    for at, piece in enumerate(pieces):
        particle = piece.word.text if piece.word.kind == "word" and not piece.word.quoted else ""
        if particle not in ("on", "off"):
            done.append(piece)
            continue
        if done and done[-1].word.kind == "number" and particle == "off":
            done.append(_Piece(Word("discount", "word"), stem("discount")))
            continue
        verb = _verb_before(done)
        ends = at + 1 == len(pieces) or pieces[at + 1].word.kind == "stop" or pieces[at + 1].stem in _CLOSERS
        ends = ends or (verb is not None and pieces[at + 1].word.text in _AFTER_A_PARTICLE)
        if verb is not None and (ends or particle == "off"):
            done.insert(verb + 1, piece)
        elif ends or particle == "off":
            done.append(_Piece(Word("enable" if particle == "on" else "disable", "word"), _SWITCH[particle]))
        elif done and done[-1].stem in _SWITCHING:
            done.append(piece)
    return done


_SWITCH = {"on": stem("enable"), "off": stem("disable")}
_AFTER_A_PARTICLE = frozenset(
    {"in", "at", "by", "from", "when", "for", "so", "to", "via", "with", "if", "while"}
)
_CLOSERS = frozenset(
    {"pls", "plz", "pleas", "please", "thx", "thank", "bitte", "bitt", "and", "for", "becaus", "again"}
)


def _verb_before(done: list[_Piece]) -> int | None:
    """Where the switching verb stands that a particle may belong to."""
    for at in range(len(done) - 1, max(-1, len(done) - 1 - _REACH), -1):
        if done[at].word.kind == "stop":
            return None
        if done[at].stem in _SWITCHING:
            return at
    return None


def _terms(pieces: list[_Piece], words: Lexicon) -> Iterable[Term]:
    """Phrases before single words, filler dropped, what is ruled out and what is aimed at marked."""
    at, excluded, aimed, clause = 0, False, 0, 0
    while at < len(pieces):
        piece = pieces[at]
        if piece.word.kind == "stop":
            excluded = False
            clause += 1
            aimed = 1 if piece.word.text in _POINTS_TO else 0
            at += 1
        elif _pair(pieces, at) in _NOT_THIS:
            excluded = True
            at += 2
        elif (phrase := _phrase(pieces, at, words)) is not None:
            length, form = phrase
            said = pieces[at : at + length]
            sure = all(each.sure for each in said)
            yield Term(
                form, _spelled_out(said, words), False, False, False, excluded, aimed > 0, sure, clause
            )
            aimed -= 1
            at += length
        else:
            aimed = 1 if piece.stem in _POINTS_TO else aimed
            clause += piece.stem in _NEXT_CLAUSE
            if piece.word.quoted or piece.word.is_value or _tells(piece, words):
                yield _single(piece, words, excluded=excluded, aimed=aimed > 0)._replace(clause=clause)
                yield from _parts_of_file(piece.word, excluded=excluded, clause=clause)
                aimed -= 1
            at += 1


def _tells(piece: _Piece, words: Lexicon) -> bool:
    """Neither filler nor a stray small letter."""
    return piece.stem not in words.filler and (
        len(piece.stem) > 1 or piece.word.name or not piece.stem.isalpha()
    )


def _pair(pieces: list[_Piece], at: int) -> tuple[str, str]:
    after = pieces[at + 1].word.text if at + 1 < len(pieces) else ""
    return pieces[at].word.text, after


def _spelled_out(pieces: list[_Piece], words: Lexicon) -> str:
    """The phrase word by word, without its filler; its stem as a term."""
    return " ".join(piece.stem for piece in pieces if piece.stem not in words.filler) or pieces[0].stem


def _phrase(pieces: list[_Piece], at: int, words: Lexicon) -> tuple[int, str] | None:
    """The longest known phrase that starts here; in quotes only the name of a thing is one."""
    for stems, form in words.phrases.get(pieces[at].stem, ()):
        if _stands(pieces, at, stems) and not (pieces[at].word.quoted and form in words.deeds):
            return len(stems), form
    return None


def _stands(pieces: list[_Piece], at: int, stems: Phrase) -> bool:
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


def _single(piece: _Piece, words: Lexicon, *, excluded: bool, aimed: bool) -> Term:
    """One word as a term; what is quoted or a value keeps its own spelling."""
    word = piece.word
    form = piece.stem if word.quoted or word.is_value else words.form(piece.stem)
    return Term(form, piece.stem, word.is_value, word.quoted, word.name, excluded, aimed, piece.sure)
