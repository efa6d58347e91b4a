"""Do two application labels mean the same program? Aliases, kinds and wide labels are data."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from memory_store.retrieval.tables import read_table

_SEPARATORS = re.compile(r"[\s_\-/]+")
_VERSION = re.compile(r"\s+v?\d+(\.\d+)*$")
_NOISE = re.compile(r"^(the|my)\s+|\s+(app|application|program|software|window)$|\.(exe|desktop|app)$")


class Agreement(StrEnum):
    """How the application a request names relates to those a memory works in."""

    SAME = "same"
    GENERIC = "generic"
    UNSAID = "unsaid"
    KIN = "kin"
    OTHER = "other"

    @property
    def passes(self) -> bool:
        """Whether the application gate lets it through; a kindred program is still another one."""
        return self in (Agreement.SAME, Agreement.GENERIC, Agreement.UNSAID)


_BEST_FIRST = (Agreement.SAME, Agreement.GENERIC, Agreement.KIN, Agreement.OTHER)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The alias tables: name to product, product to kind, wide label to what it covers."""

    products: dict[str, str]
    kinds: dict[str, str]
    covers: dict[str, frozenset[str]]
    everyday: frozenset[str]


def same_label(request: str | None, memory: tuple[str, ...]) -> Agreement:
    """The paper's gate: exact normalised match with the memory's one label; passes where one is missing."""
    if not request or not memory:
        return Agreement.UNSAID
    return Agreement.SAME if plain_label(request) == plain_label(memory[0]) else Agreement.OTHER


@lru_cache(maxsize=4096)
def agreement(request: str | None, memory: tuple[str, ...]) -> Agreement:
    """Our gate: by product, whatever it is called, and for any of the memory's applications."""
    if not request or not request.strip() or not memory:
        return Agreement.UNSAID
    found = {_relation(product_of(request), product_of(name)) for name in memory}
    return next(level for level in _BEST_FIRST if level in found)


def plain_label(label: str) -> str:
    """Case, separators and surrounding words taken off a label."""
    text = _SEPARATORS.sub(" ", label.casefold()).strip()
    return _NOISE.sub("", text).strip()


def product_of(label: str) -> str:
    """The product or kind a label means; an unknown label is its own product."""
    names = catalogue().products
    text = label.casefold().strip()
    for form in (text, plain := plain_label(label), _VERSION.sub("", plain), plain.replace(" ", "")):
        if form in names:
            return names[form]
    return plain


def kind_of(product: str) -> str | None:
    """The kind of program a product is, where the table knows it."""
    return catalogue().kinds.get(product)


def _relation(asked: str, known: str) -> Agreement:
    """Two products: the same, one a wider word for the other, of one kind, or unrelated."""
    if asked == known:
        return Agreement.SAME
    table = catalogue()
    if _covers(table, asked, known) or _covers(table, known, asked):
        return Agreement.GENERIC
    kind = table.kinds.get(asked)
    return Agreement.KIN if kind is not None and kind == table.kinds.get(known) else Agreement.OTHER


def _covers(table: Catalogue, wide: str, narrow: str) -> bool:
    """`wide` is a word for any of several programs and `narrow` is one of them."""
    members = table.covers.get(wide, frozenset())
    kind = table.kinds.get(narrow)
    return kind == wide or narrow in members or (kind is not None and kind in members)


@cache
def catalogue() -> Catalogue:
    """The shipped table, read once."""
    products: dict[str, str] = {}
    kinds: dict[str, str] = {}
    covers: dict[str, frozenset[str]] = {}
    everyday: set[str] = set()
    for left, names in read_table("applications.txt"):
        head = left.lstrip("@>")
        kind, _, product = head.rpartition(": ")
        if left.startswith(">"):
            covers[head] = frozenset(names)
            products.setdefault(head, head)
            continue
        if kind:
            kinds[product] = kind
        for name in (product, *names):
            bare = name.removeprefix("*")
            products[bare] = products[plain_label(bare)] = product
            if name.startswith("*"):
                everyday.add(bare)
    return Catalogue(products, kinds, covers, frozenset(everyday))
