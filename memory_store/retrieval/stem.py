"""One stem for the inflections of an English word: cheap, and blind to meaning."""

import re
from functools import lru_cache

_DOUBLED = re.compile(r"([bdgmnprt])\1$")
_ENDINGS = (
    ("ically", "ic"),
    ("ations", "at"),
    ("ation", "at"),
    ("ating", "at"),
    ("ated", "at"),
    ("ates", "at"),
    ("iest", "y"),
    ("ier", "y"),
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("ings", ""),
    ("ing", ""),
    ("ed", ""),
    ("ers", "er"),
    ("ly", ""),
    ("es", "e"),
    ("s", ""),
)
_KEPT_S = ("ss", "us", "is", "as", "os")
_AS_THEY_ARE = {
    **{word: word for word in ("setting", "closing", "beginning", "location", "ending", "wording")},
    **{
        word: word
        for word in ("quite", "theme", "mine", "string", "during", "spring", "something", "nothing")
    },
    **{word: word for word in ("incoming", "outgoing", "following", "leading", "trailing", "accounting")},
    **{word: word for word in ("finally", "lastly", "firstly", "hardly", "nearly")},
    "settings": "setting",
    "recording": "recording",
    "recordings": "recording",
    "locations": "location",
    "themes": "theme",
    "note": "note",
    "notes": "note",
}
_IRREGULAR = {
    said: meant
    for said, _, meant in (
        pair.partition("=")
        for pair in (
            "wrote=writ written=writ took=tak taken=tak gave=giv given=giv broke=break broken=break "
            "drew=draw drawn=draw threw=throw thrown=throw grew=grow grown=grow fell=fall fallen=fall "
            "spoke=speak spoken=speak forgot=forget forgotten=forget shrank=shrink shrunk=shrink sent=send "
            "kept=keep held=hold seen=see sold=sell bought=buy brought=bring caught=catch taught=teach "
            "heard=hear spent=spend told=tell stood=stand thought=think gone=go "
            "froze=freez chose=choos rewrote=rewrit undid=undo"
        ).split()
    )
}
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a case-folded word; short words and anything with a digit stay as they are."""
    if len(word) < 4 or not word.isalpha():
        return word
    if (kept := _AS_THEY_ARE.get(word) or _IRREGULAR.get(word)) is not None:
        return kept
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not (ending == "s" and word.endswith(_KEPT_S)):
            head = word[: len(word) - len(ending)]
            if len(head) >= 3 and (_VOWEL.search(head) or ending == "s"):
                return _finish(head + instead, undouble=ending in ("ing", "ings", "ed"))
    return _finish(word, undouble=False)


def _finish(word: str, *, undouble: bool) -> str:
    """Doubled consonants made one, a silent last e taken off, y and i made one."""
    if undouble:
        word = _DOUBLED.sub(r"\1", word)
    if len(word) > 3 and word.endswith("e") and not word.endswith("ee"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


@lru_cache(maxsize=65536)
def root(stemmed: str) -> str:
    """What a stem shares with the words made from it: vibrant and vibrancy, delete and deletion."""
    if len(stemmed) < _ROOT + 2 or not stemmed.isalpha():
        return stemmed
    return next(
        (
            stemmed[: -len(end)]
            for end in _MADE_BY
            if stemmed.endswith(end) and len(stemmed) - len(end) >= _ROOT
        ),
        stemmed,
    )


_ROOT = 4
_MADE_BY = (
    *("ization", "isation", "ability", "ication", "ational", "fulness"),
    *(
        "ation",
        "ition",
        "ement",
        "ness",
        "ment",
        "able",
        "ible",
        "anci",
        "enci",
        "ance",
        "ence",
        "ical",
        "ist",
    ),
    *(
        "ion",
        "anc",
        "enc",
        "abl",
        "ibl",
        "ant",
        "ent",
        "iti",
        "ous",
        "ful",
        "ism",
        "ive",
        "ize",
        "ise",
        "tor",
    ),
    *("or", "er", "iv", "iz", "is", "al", "ic", "at", "it", "en", "i", "y", "t"),
)
