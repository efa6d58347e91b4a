"""The words of a text on their way to terms: asides dropped, switches joined, told deeds marked."""

from dataclasses import dataclass

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.stem import stem
from memory_store.retrieval.words import Word

_SWITCHING = frozenset({"turn", "switch", "put", "set", "keep"})
_REACH = 9  # words between "turn" and its "off"
_SWITCH = {"on": stem("enable"), "off": stem("disable")}
_PARTICLES = frozenset({"up", "down", "out", "away", "back"})
_APART = 7  # words between "take" and its "out"
_NEXT_PART = frozenset({"and", "then", "plus", "but", "so", "to"})
_AFTER_A_PARTICLE = frozenset(
    {"in", "at", "by", "from", "when", "for", "so", "to", "via", "with", "if", "while"}
)
_CLOSERS = frozenset(
    {"pls", "plz", "pleas", "please", "thx", "thank", "bitte", "bitt", "and", "for", "becaus", "again"}
)
_DO_NOT = frozenset({"don't", "dont"})
_BEFORE_A_BAN = frozenset({"i", "we", "please", "pls", "and", "but", "so", "to"})
_EXACTLY = frozenset(
    {"in", "at", "on", "here", "there", "after", "before", "away", "behind", "under", "beside"}
)
_TEXT_SPEAK = {"4": "for", "2": "to"}
_DETERMINERS = frozenset({"the", "this", "my", "me", "a", "an", "all", "u", "us", "our", "that"})
_LETTERED = frozenset({"column", "columns", "col", "cols", "row", "cell", "drive", "through"})
_TELLERS = frozenset(
    {"i", "we", "they", "he", "she", "that", "which", "who", "was", "were", "been", "is", "are", "have"}
    | {
        "has",
        "had",
        "whenever",
        "when",
        "while",
        "if",
        "after",
        "i've",
        "i'm",
        "am",
        "what",
        "how",
        "already",
    }
)
_PRICE_OFF = frozenset({"half", "percent", "percentage", "pct", "third", "quarter"})
_LIMITS = {
    **dict.fromkeys(("over", "above", "exceeding", "beyond"), "over_limit"),
    **dict.fromkeys(("under", "below", "beneath", "within"), "under_limit"),
    "before": "before_limit",
    "after": "after_limit",
}
_WHOLE = frozenset({"all", "every", "each", "everything", "everyone", "everywhere", "any"})
_WHERE = frozenset({"in", "on", "at", "for", "under", "inside"})
_SIGNS = frozenset({"$", "€", "£"})
_RUNNING = frozenset({"process", "application", "window", "command", "terminal", "server", "browser", "job"})
_AFTER_A_NOUN = frozenset(
    {"at", "in", "on", "from", "of", "to", "with", "for", "that", "which", "should", "must", "shall", "need"}
    | {"is", "are", "was", "were", "have", "has", "and", "or", "can", "will", "would", "i", "we"}
)
_NOUN_MARKS = frozenset({"the", "a", "an", "my", "this", "our", "your", "its", "their", "his", "her", "of"})
_ASKING = frozenset({"be", "get", "to", "should", "must", "want", "have"})


NEXT_CLAUSE = frozenset({"and", "then", "plus", "also"})
_BECAUSE = frozenset({"because", "since", "cause", "cos", "cuz", "bc", "coz"})
_SO_THAT = frozenset({"i", "we", "that", "it", "he", "she", "they", "you", "people", "everyone", "i'm"})
_ADJUNCT = frozenset({"by", "for", "without", "during"})
_BETWEEN = frozenset({"a", "an", "the", "my", "our", "your", "their", "his", "her", "any", "some"})
_POINTERS = _BETWEEN | {"this", "that", "these", "those"}


@dataclass(slots=True)
class Piece:
    """A word on its way to being a term."""

    word: Word
    stem: str
    sure: bool = True
    told: bool = False


def phrased(pieces: list[Piece]) -> list[Piece]:
    """The pieces as they are to be read."""
    plain = [piece for at, piece in enumerate(pieces) if not _is_aside(pieces, at)]
    for at, piece in enumerate(plain):
        piece.told = _is_told(plain, at)
        if (meant := _meant_here(plain, at)) is not None:
            piece.stem = meant
    return _joined_verbs(_joined_switches(plain))


def _text(pieces: list[Piece], at: int) -> str:
    return pieces[at].word.text if 0 <= at < len(pieces) else ""


def _is_aside(pieces: list[Piece], at: int) -> bool:
    """A "don't" that only describes, a "right" that means exactly, a 4 for "for", a "first" for firstly."""
    word, after = pieces[at].word, _text(pieces, at + 1)
    if word.text in _DO_NOT:
        return at > 0 and pieces[at - 1].word.kind != "stop" and _text(pieces, at - 1) not in _BEFORE_A_BAN
    if word.text == "right" and not word.quoted:
        return after in _EXACTLY
    if word.kind == "number" and word.text in _TEXT_SPEAK:
        return after in _DETERMINERS and at > 0 and pieces[at - 1].word.kind == "word"
    if word.kind == "ordinal" and word.text == "1":
        return at > 0 and (not after or pieces[at + 1].word.kind == "stop" or after in ("and", "then"))
    return False


def _meant_here(pieces: list[Piece], at: int) -> str | None:
    """A word that its neighbours give another meaning: "over $60" is a limit, a shortcut is not killed."""
    word = pieces[at].word
    if word.kind != "word" or word.quoted or at + 1 == len(pieces):
        return None
    after = pieces[at + 1].word
    if word.text in _LIMITS:
        return _LIMITS[word.text] if after.kind in ("number", "date") or after.text in _SIGNS else None
    if word.text == "but":
        whole = any(piece.word.text in _WHOLE for piece in pieces[max(0, at - 3) : at])
        return "except" if whole and (after.text in _NOUN_MARKS or after.is_value) else None
    if word.text == "not":
        parted = at > 0 and pieces[at - 1].word.kind == "stop"
        return "except" if parted and after.text in _WHERE else None
    if word.text == "kill":
        return None if _runs(pieces[at + 1 : at + 4]) else stem("delete")
    return "name" if word.text == "titled" else None


def _runs(said: list[Piece]) -> bool:
    """Whether what is named first is something that runs, or nothing that we know."""
    forms = [lexicon().form(piece.stem) for piece in said]
    return next((form for form in forms if form in lexicon().things), "process") in _RUNNING


def _is_told(pieces: list[Piece], at: int) -> bool:
    """Whether a word, should it be a deed, tells how things are and asks for nothing.

    "I deleted", "was uploaded", "that opens", "the recording": only "open", "to be opened" ask.
    """
    text, back = _text(pieces, at), at - 1
    while back >= 0 and _text(pieces, back).endswith("ly"):
        back -= 1
    before = _text(pieces, back)
    if back < 0 and text.endswith("s") and _text(pieces, at + 1) not in _AFTER_A_NOUN:
        return False  # "Copies the file": how a note of a deed is headed
    if before in _TELLERS | _NOUN_MARKS:
        return True
    inflected = text.endswith(("ed", "s")) and pieces[at].stem != text and len(text) > 3
    return inflected and before not in _ASKING


def _joined_switches(pieces: list[Piece]) -> list[Piece]:
    """Read "turn it off" as "turn off it"; a particle that belongs to no verb says enable or disable too."""
    done: list[Piece] = []
    for at, piece in enumerate(pieces):
        particle = piece.word.text if piece.word.kind == "word" and not piece.word.quoted else ""
        if particle not in ("on", "off"):
            done.append(piece)
            continue
        reduced = done and (done[-1].word.kind == "number" or done[-1].word.text in _PRICE_OFF)
        if reduced and particle == "off":
            done.append(Piece(Word("discount", "word"), stem("discount")))
            continue
        verb = _verb_before(done)
        ends = at + 1 == len(pieces) or pieces[at + 1].word.kind == "stop" or pieces[at + 1].stem in _CLOSERS
        ends = ends or (verb is not None and pieces[at + 1].word.text in _AFTER_A_PARTICLE)
        if verb is not None and (ends or particle == "off"):
            done.insert(verb + 1, piece)
        elif ends or particle == "off":
            done.append(Piece(Word("enable" if particle == "on" else "disable", "word"), _SWITCH[particle]))
        elif done and done[-1].stem in _SWITCHING:
            done.append(piece)
    return done


def _verb_before(done: list[Piece]) -> int | None:
    """Where the switching verb stands that a particle may belong to."""
    for at in range(len(done) - 1, max(-1, len(done) - 1 - _REACH), -1):
        if done[at].word.kind == "stop":
            return None
        if done[at].stem in _SWITCHING:
            return at
    return None


def _joined_verbs(pieces: list[Piece]) -> list[Piece]:
    """Read "take the logo out" as "take out the logo": a particle stands beside the verb it belongs to."""
    done: list[Piece] = []
    for piece in pieces:
        word = piece.word
        verb = _own_verb(done, word.text) if word.text in _PARTICLES and not word.quoted else None
        if verb is None:
            done.append(piece)
        else:
            done.insert(verb + 1, piece)
    return done


def _own_verb(done: list[Piece], particle: str) -> int | None:
    """Where the verb stands, in the same part of the text and not far back, that goes with this particle."""
    for at in range(len(done) - 1, max(-1, len(done) - 1 - _APART), -1):
        if done[at].word.kind == "stop" or done[at].word.text in _NEXT_PART:
            return None
        if (done[at].stem, particle) in lexicon().particles:
            return at if at + 1 < len(done) and not _is_phrase([*done[at:]], particle) else None
    return None


def _is_phrase(said: list[Piece], particle: str) -> bool:
    """Whether the words up to the particle are a phrase of their own ("take all the colour out")."""
    stems = (*(piece.stem for piece in said), particle)
    return any(known == stems for known, _ in lexicon().phrases.get(stems[0], ()))


def is_lettered(pieces: list[Piece], at: int) -> bool:
    """A single letter that names a column, a row or a drive, or ends a range that does."""
    return any(_text(pieces, at - back) in _LETTERED for back in (1, 2))


def is_limit(pieces: list[Piece], at: int) -> bool:
    """Whether a word says whose or by what means: "my neighbour's", "by telepathy", "without sound"."""
    before = at - 1
    while before >= 0 and pieces[before].word.text in _BETWEEN:
        before -= 1
    acts = pieces[at].word.text.endswith("ing") and _goes_on(pieces, at)
    return pieces[at].word.owner or (before >= 0 and not acts and pieces[before].word.text in _ADJUNCT)


def rules_out(pieces: list[Piece], at: int) -> bool:
    """A "not" that opens a part of the text and has a thing after it: "…, not the other one"."""
    text, after = (_text(pieces, at), _text(pieces, at + 1))
    return text == "not" and at > 0 and pieces[at - 1].word.kind == "stop" and after in _POINTERS


def _goes_on(pieces: list[Piece], at: int) -> bool:
    """Whether something follows in the same part of the text: "by setting it", but "by rating"."""
    after = pieces[at + 1].word if at + 1 < len(pieces) else None
    return after is not None and after.kind != "stop" and after.text not in NEXT_CLAUSE


def gives_reason(pieces: list[Piece], at: int) -> bool:
    """A "because", or a "so" that says what for: what follows is told, not asked for."""
    one, two = (_text(pieces, at), _text(pieces, at + 1))
    return one in _BECAUSE or (one == "so" and two in _SO_THAT and at > 0)
