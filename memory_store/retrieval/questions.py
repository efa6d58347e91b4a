"""Is a request a mere question? Then no memory may run on it, however well the words fit."""

import re

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.stem import stem

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_ASKS_TO_DO = re.compile(
    r"^(please\s+)?(can|could|would|will|may|might|shall)\s+(you|u|we|i|it|my|this|the)\b"
    r"|^(please\s+)?(do\s+not|don't|have\s+(?!i\b|you\b|we\b|they\b)|do\s+(?!i\b|you\b|we\b|they\b|the\b|my\b))"
    r"|^(what|how)\s+about\b|^why\s+(not|don't)\b|^would\s+it\s+be\s+possible\b|^is\s+it\s+possible\s+to\b"
)
_ASKS_LATER = re.compile(r"[,;:–-]\s*(but\s+|so\s+|and\s+)?(please\s+)?(can|could|would|will)\s+(you|u)\b")
_LATER_CLAUSE = re.compile(r"[,;:]\s*(?:and\s+|then\s+|please\s+|pls\s+)*([a-z]+)\s+\S")
_INTERROGATIVE = re.compile(
    r"^(and\s+|so\s+|but\s+|ok\s+|hey\s*,?\s+|hi\s*,?\s+)?("
    r"(what|which|who|whose|whom|why)\b|what's\b|who's\b|where's\b|how's\b"
    r"|how\s+(many|much|big|large|long|old|far|often|do|does|did|can|could|is|are|should|would|to|come|fast)\b"
    r"|(when|where)\s+(is|are|was|were|do|does|did|will|can|should|has|have)\b"
    r"|(is|are|was|were|am|does|did|has|do|have)\s+(?!not\b)\w+\b"
    r"|(isn't|aren't|doesn't|didn't|hasn't|don't\s+(i|we|you|they))\b)"
)
_WANTS_TO_KNOW = re.compile(
    r"\b(tell me|let me know|i wonder|i'm wondering|do you know|i('d like| want) to know|explain|curious)\b"
    r".{0,30}\b(what|which|who|how|whether|if|why|when|where|about)\b"
    r"|^(please\s+|just\s+)?(check|see|verify|find out|look|test)\s+(whether|if)\b(?!\s+(you|u)\b)"
)
_ASKS_FOR_WORDS = re.compile(  # to tell, to check, to see: an answer, however politely it is asked for
    r"^((and|so|but|ok|hey|hi|please)\s*,?\s+)*(can|could|would|will)\s+(you|u|anyone|someone)\s+"
    r"((please|kindly|maybe|just|quickly)\s+)*("
    r"(tell|let me know|say|explain|remind|inform|clarify|describe|check|see|find out|look up|figure out"
    r"|verify|confirm)"
    r"\b.{0,40}?\b(what|which|who|whose|how|whether|if|why|when|where)\b"
    r"|(check|verify|confirm)\s+that\b)"
    r"|^((and|so|but|ok|hey|hi)\s*,?\s+)*(can|could|may)\s+i\s+(?!please\b|have\b|get\b|ask\b|trouble\b).*\?$"
)
_AND_DOES = re.compile(r"\b(?:and|then|so)\s+(?:then\s+|please\s+)?([a-z]+)")
_STATES_A_WISH = re.compile(
    r"\b(should|must|ought|shall|needs? to|has to|have to|want|would like|please|i'd like)\b"
)
_REPORTS = re.compile(
    r"^(and\s+|so\s+|well,?\s+|ok,?\s+|hey,?\s+|hi,?\s+|fyi,?\s+)?("
    r"(i|we)('ve|\s+have|\s+had|'d)?\s+(already|just|now|finally|successfully|recently|previously)?\s*(?P<own>[a-z]+)"
    r"|.{1,60}\b((is|are|was|were|got)(\s+(all|both))?\s+(already|now)"
    r"|(has|have|had)\s+((all|both|now|just|already)\s+)*been(\s+(already|now))?)\s+(?P<done>[a-z]+)"
    r"|(already|just)\s+(?P<bare>[a-z]+))\b"
)
_MUSES = re.compile(
    r"^(maybe\s+|perhaps\s+|one day\s+|some day\s+|someday\s+)*(i|we)('m|\s+am|'re|\s+are|\s+was|\s+were)?\s+"
    r"((might|may)\b(?!\s+(need|want|ask|please))|will probably\b"
    r"|(thinking|considering|wondering|contemplating)\b)"
)
_PAST = re.compile(
    r".*(ed|en|wn|ut)$|("
    r"set|made|did|done|sent|took|put|got|built|found|kept|left|bought|ran|wrote|froze|chose|drew|gave|hid|shut"
    r"|went|began|brought|saw|undid|redid|reset|split|stuck|swapped|cut|lost|held|threw|wiped)$"
)
_ASKS_AT_ALL = re.compile(
    r"\b(please|pls|plz|can|could|would|should|must|needs?|wants?|help|how|let's|bitte|por favor|svp)\b|\?"
)
_CONDITION = re.compile(
    r"(?:^|[.;,!?]\s*|\band\s+)(?:but\s+|only\s+)?"
    r"(?:if|unless|once|as soon as|in case|provided(?: that)?|assuming)\s+"
    r"(?!possible|you\b|u\b|needed|necessary|need be|so\b|not\b|that's|it's|its\b|this is)(?P<on>[^,;.!?]+)"
)
_ASIDE = re.compile(
    r"^\s*(hi|hey|hello|thanks|thank you|thx|ok|okay|please|merci|danke|bitte|gracias)?[\s!,.]*$"
)


def is_mere_question(text: str) -> bool:
    """Every sentence that says something asks for an answer, none for a deed."""
    said = [each.strip().casefold() for each in _SENTENCE.findall(text.replace("’", "'"))]
    told = [each for each in said if not _ASIDE.match(each)]
    return bool(told) and all(_asks(each) for each in told)


def conditions(text: str) -> str:
    """On what a request makes its deed depend: "if the battery is low"; politeness is none."""
    return " . ".join(found["on"] for found in _CONDITION.finditer(text.casefold()))


def is_report(text: str) -> bool:
    """Every sentence that says something tells of what was done: "I have already installed it"."""
    said = [each.strip().casefold() for each in _SENTENCE.findall(text.replace("’", "'"))]
    told = [each for each in said if not _ASIDE.match(each)]
    return bool(told) and all(_reports(each) for each in told)


def _reports(sentence: str) -> bool:
    """One sentence: a deed in the past or a mere thought of one, without a wish or a command after it."""
    if _MUSES.match(sentence):
        return not _commands(sentence)
    found = _REPORTS.match(sentence)
    if found is None or _ASKS_AT_ALL.search(sentence) or _commands(sentence):
        return False
    deed = found["own"] or found["done"] or found["bare"]
    return _PAST.match(deed) is not None


def _asks(sentence: str) -> bool:
    """One sentence: a question for information, or a wish."""
    marked = sentence.endswith("?")
    if _ASKS_FOR_WORDS.search(sentence):
        return not _commands(sentence) and not _goes_on_to_do(sentence)
    if _ASKS_TO_DO.search(sentence) or _ASKS_LATER.search(sentence) or (not marked and _commands(sentence)):
        return False
    if _STATES_A_WISH.search(sentence) and not marked:
        return bool(_WANTS_TO_KNOW.search(sentence))
    return marked or bool(_INTERROGATIVE.search(sentence)) or bool(_WANTS_TO_KNOW.search(sentence))


def _commands(sentence: str) -> bool:
    """A later clause that begins with a deed: "which ones are late, list them"."""
    words = lexicon()
    starts = (stem(word) for word in _LATER_CLAUSE.findall(sentence))
    return any(words.form(word) in words.deeds or _has_particle(word) for word in starts)


def _goes_on_to_do(sentence: str) -> bool:
    """A deed in its plain form after "and": "check whether it is on and turn it on"."""
    words = lexicon()
    plain = [word for word in _AND_DOES.findall(sentence) if not word.endswith(("ed", "ing", "s"))]
    return any(words.form(stem(word)) in words.deeds or _has_particle(stem(word)) for word in plain)


def _has_particle(word: str) -> bool:
    """A verb that is a deed with a word after it: take off, get rid of."""
    return any(form in lexicon().deeds for _, form in lexicon().phrases.get(word, ()))
