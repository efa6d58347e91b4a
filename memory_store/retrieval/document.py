"""A memory made ready for ranking once, and its compact form for the index's rows."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from memory_store.retrieval.applications import product_of
from memory_store.retrieval.kinds import posted_shape
from memory_store.retrieval.reference import RecordTerms, record_terms, terms_of
from memory_store.retrieval.searchable import FlexibleValue, GateFacts, Searchable
from memory_store.retrieval.terms import Term, analyse

FORMAT = 7  # of the rows; a change of the word tables or of this layout raises it and the index is made anew
_FLAGS = "vqnxauts"
_Texts = list[str]
_Row = tuple[str, _Texts, str, _Texts, _Texts, list[_Texts], list[object], list[_Texts], _Texts]


@dataclass(frozen=True, slots=True)
class Document:
    """The words of a memory, key by key, with what its gates and value checks need."""

    memory_id: str
    keys: tuple[tuple[Term, ...], ...]
    background: tuple[Term, ...]
    applications: tuple[str, ...]
    fixed: frozenset[str]
    flexible: tuple[FlexibleValue, ...]
    facts: GateFacts
    reference: tuple[str, ...]
    title: str

    @property
    def searchable(self) -> Searchable:
        """As much of the memory as gates and audit ask for."""
        return Searchable(
            self.memory_id,
            self.title,
            applications=self.applications,
            flexible_inputs=self.flexible,
            facts=self.facts,
        )

    @property
    def record(self) -> RecordTerms:
        """Its terms as the paper's method compares them."""
        return RecordTerms(self.memory_id, tuple(terms_of(tuple(text.split())) for text in self.reference))


def prepare(memory: Searchable) -> Document:
    """Analyse every text of a memory."""
    products = " . ".join(product_of(name) for name in memory.applications)
    return Document(
        memory_id=memory.memory_id,
        keys=tuple(analyse(text) for text in memory.keys),
        background=analyse(" . ".join((*memory.background, products))),
        applications=memory.applications,
        fixed=frozenset(term.stem for value in memory.fixed_values for term in analyse(value)),
        flexible=memory.flexible_inputs,
        facts=memory.facts,
        reference=tuple(" ".join(text.ordered) for text in record_terms(memory).texts),
        title=memory.task_intent,
    )


def index_terms(document: Document) -> set[str]:
    """What the postings hold: every form, the stem where it differs, and the kinds of its values."""
    terms = {term for key in (*document.keys, document.background) for term in key}
    shapes = {shape for term in terms if (shape := posted_shape(term)) is not None}
    return {term.form for term in terms} | {word for term in terms for word in term.stem.split(" ")} | shapes


def dump(document: Document) -> str:
    """The row's text."""
    facts = document.facts
    return json.dumps(
        [
            document.title,
            [_packed(key) for key in document.keys],
            _packed(document.background),
            document.applications,
            sorted(document.fixed),
            [[each.name, each.kind, each.value] for each in document.flexible],
            [facts.lifecycle, facts.task_type, facts.validation_passed, facts.reasoning_viable],
            [sorted(facts.action_kinds), facts.unseen_steps],
            document.reference,
        ],
        ensure_ascii=False,
        separators=(",", ":"),
    )


def load(memory_id: str, text: str) -> Document:
    """A document from its row; the row is our own writing, so its shape is taken as given."""
    row = cast("_Row", json.loads(text))
    title, keys, background, applications, fixed, flexible, states, actions, reference = row
    lifecycle, task_type, validated, viable = cast("tuple[str, str, bool, bool]", states)
    kinds, unseen = cast("tuple[list[str], list[int]]", actions)
    return Document(
        memory_id=memory_id,
        keys=tuple(_unpacked(key) for key in keys),
        background=_unpacked(background),
        applications=tuple(applications),
        fixed=frozenset(fixed),
        flexible=tuple(FlexibleValue(*each) for each in flexible),
        facts=GateFacts(lifecycle, task_type, validated, viable, frozenset(kinds), tuple(unseen)),
        reference=tuple(reference),
        title=title,
    )


def _packed(terms: tuple[Term, ...]) -> str:
    return "\t".join(_pack(term) for term in terms)


def _unpacked(text: str) -> tuple[Term, ...]:
    return tuple(_unpack(each) for each in text.split("\t")) if text else ()


def _pack(term: Term) -> str:
    """`form`, or `form ␟ stem ␟ flags` where there is more to say."""
    said = (term.value, term.quoted, term.name, term.excluded, term.aimed, not term.sure)
    flags = "".join(letter for letter, on in zip(_FLAGS, (*said, term.told, term.source), strict=True) if on)
    return term.form if not flags and term.form == term.stem else f"{term.form}\x1f{term.stem}\x1f{flags}"


@lru_cache(maxsize=65536)
def _unpack(text: str) -> Term:
    form, _, rest = text.partition("\x1f")
    if not rest:
        return Term(form, form)
    stemmed, _, flags = rest.partition("\x1f")
    if not flags:
        return Term(form, stemmed)
    value, quoted, name, excluded, aimed, unsure, told, source = (letter in flags for letter in _FLAGS)
    return Term(form, stemmed, value, quoted, name, excluded, aimed, not unsure, told=told, source=source)
