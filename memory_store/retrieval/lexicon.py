"""What we know about words before seeing any memory: synonyms, neighbours, opposites, filler."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

from memory_store.retrieval.applications import catalogue
from memory_store.retrieval.stem import stem
from memory_store.retrieval.tables import read_lines, read_table
from memory_store.retrieval.words import split_words

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word tables, with every word stemmed; a `form` is the head that stands for its synonyms."""

    forms: dict[str, str] = field(default_factory=dict[str, str])
    phrases: dict[str, list[tuple[Phrase, str]]] = field(default_factory=dict[str, list[tuple[Phrase, str]]])
    classes: dict[str, str] = field(default_factory=dict[str, str])
    names: set[str] = field(default_factory=set[str])
    particles: set[Phrase] = field(default_factory=set[Phrase])
    deeds: set[str] = field(default_factory=set[str])
    things: set[str] = field(default_factory=set[str])
    related: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    rivals: dict[str, dict[str, bool]] = field(default_factory=dict[str, dict[str, bool]])
    loose: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    filler: set[str] = field(default_factory=set[str])
    known: set[str] = field(default_factory=set[str])
    common: set[str] = field(default_factory=set[str])
    everyday: set[str] = field(default_factory=set[str])

    def form(self, stemmed: str) -> str:
        """The head of a stem's synonyms, or the stem itself."""
        return self.forms.get(stemmed, stemmed)

    def is_required(self, form: str) -> bool:
        """A word of which the memory must say the same: not one that is often there by the way."""
        return form in self.rivals and (
            not self.rivals[form] or not self.rivals[form].keys() <= self.loose.get(form, set())
        )


@cache
def lexicon() -> Lexicon:
    """The shipped tables, read once and on first use."""
    words = Lexicon()
    _read_synonyms(words)
    _read_filler(words)
    _read_opposites(words)
    _read_related(words)
    _read_common(words)
    _read_programs(words)
    _read_classes(words)
    return words


def _stems(text: str) -> Phrase:
    """The stems of a table's entry, cut as any text is."""
    return tuple(word.stem for word in split_words(text) if word.kind != "stop")


def _read_synonyms(words: Lexicon) -> None:
    section = ""
    for head, variants in read_table("synonyms.txt"):
        if head.startswith("["):
            section = head
            continue
        (words.deeds if section == "[deeds]" else words.things).add(head)
        for variant in (head.replace("_", " "), *variants):
            if stems := _stems(variant):
                _learn(words, stems, head)


def _learn(words: Lexicon, stems: Phrase, head: str) -> None:
    """A word stands for its head; several words do so as a phrase, longest first."""
    words.known.update(stems)
    if len(stems) == 1:
        words.forms.setdefault(stems[0], head)
        return
    if len(stems) == 2:
        words.particles.add(stems)
    known = words.phrases.setdefault(stems[0], [])
    known.append((stems, head))
    known.sort(key=lambda each: -len(each[0]))


def _read_programs(words: Lexicon) -> None:
    """A program's name of several words is read as one, however it is called; none is taken for a slip."""
    table, plain = catalogue(), frozenset(words.everyday)
    for name, product in table.products.items():
        stems = _stems(name)
        if product not in table.kinds or "." in name:
            continue
        words.everyday.update(stems)
        meant = words.form("_".join(_stems(product)))
        if len(stems) == 1 and len(name) > 2 and stems[0] not in plain and name not in table.everyday:
            words.forms.setdefault(stems[0], meant)
        if len(stems) > 1 and not plain.issuperset(stems) and words.filler.isdisjoint(stems[1:]):
            known = words.phrases.setdefault(stems[0], [])
            known.append((stems, meant))
            known.sort(key=lambda each: -len(each[0]))


def _read_filler(words: Lexicon) -> None:
    for line in read_lines("filler.txt"):
        for word in line.casefold().split():
            if stem(word) not in words.forms:
                words.filler.update((word, stem(word)))
    words.known.update(words.filler)


def _read_related(words: Lexicon) -> None:
    near: defaultdict[str, set[str]] = defaultdict(set)
    for line in read_lines("related.txt"):
        group = [_head(words, word) for word in line.split(",")]
        for word in group:
            rivals = words.rivals.get(word, {})
            apart = words.loose.get(word, set())
            near[word].update(
                other
                for other in group
                if other != word and not rivals.get(other, False) and other not in apart
            )
    words.known.update(near)
    words.related.update((word, frozenset(others)) for word, others in near.items())


def _read_opposites(words: Lexicon) -> None:
    for line in read_lines("opposites.txt"):
        group = [_head(words, word) for word in line.lstrip("!~ ").split(",")]
        for word in group:
            rivals = words.rivals.setdefault(word, {})
            for other in group:
                if other != word:
                    rivals[other] = rivals.get(other, False) or line.startswith("!")
            if line.startswith("~"):
                words.loose.setdefault(word, set()).update(set(group) - {word})


def _read_common(words: Lexicon) -> None:
    """Everyday words; those our tables say something about keep their full weight."""
    for line in read_lines("common.txt"):
        stems = {stem(word) for word in line.split()}
        required = {word for word in words.rivals if words.is_required(word)}
        words.common.update(stems - words.forms.keys() - required)
        words.everyday.update(stems)


def _read_classes(words: Lexicon) -> None:
    """Names by class; a name of several words is read as one, and none is taken for a slip."""
    for name, members in read_table("classes.txt"):
        for member in members:
            stems = _stems(member)
            form = words.form("_".join(stems))
            words.classes[form] = name
            words.everyday.update(stems)
            if form not in words.rivals and form not in words.things | words.deeds:
                words.names.add(form)
            if len(stems) > 1:
                known = words.phrases.setdefault(stems[0], [])
                known.append((stems, form))
                known.sort(key=lambda each: -len(each[0]))


def _head(words: Lexicon, word: str) -> str:
    """The form a table's word stands for; tables may write the head itself."""
    plain = word.strip()
    if "_" in plain:
        return plain
    words.known.add(stem(plain))
    return words.form(stem(plain))
