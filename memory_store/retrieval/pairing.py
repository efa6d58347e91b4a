"""Values that belong together: the same values given to other things than in the memory."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.objection import Against, Objection
from memory_store.retrieval.ranking import Query
from memory_store.retrieval.terms import Term
from memory_store.retrieval.view import REMEMBERED, View

_UNITS = frozenset(
    {"pt", "point", "cm", "mm", "inch", "pixel", "percentage", "kb", "mb", "gb", "ms", "millisecond"}
    | {"second_time", "minute", "hour", "day", "week", "month", "year", "dollar", "euro", "pound", "degree"}
)
_SIDES = frozenset({"left", "right", "center", "justify", "top", "bottom"})
_SAME_SENTENCE = 6  # words in the same order but for two: these then have changed places, whatever they are
Lists = tuple[tuple[str, ...], ...]


class Bound(NamedTuple):
    """What of a text belongs together: its lists of values, and the order of all its words."""

    lists: Lists
    order: tuple[str, ...]


def pairing_conflicts(query: Query, memory: View) -> Iterator[Against]:
    """The request has the memory's values, but in other pairs: slide 3 left, 4 right, and not the reverse."""
    for key in _bound(memory):
        said = tuple(query.wording.terms)
        if swapped := _crossed(said, key.lists) or _exchanged(said, key.order):
            says = f"{swapped[0]} and {swapped[1]} have changed places"
            yield Against(Objection.REVERSED, says, swapped)
            return


@lru_cache(maxsize=REMEMBERED)
def _bound(memory: View) -> tuple[Bound, ...]:
    """The texts of a memory in which something could change places."""
    found = (
        Bound(_lists(key), tuple(dict.fromkeys(term.form for term in key))) for key in memory.document.keys
    )
    return tuple(key for key in found if len(key.lists) > 1 or len(key.order) > 2)


def _crossed(said: tuple[str, ...], lists: Lists) -> tuple[str, str] | None:
    """Two lists of one length whose members go together one by one, and otherwise than in the memory."""
    place = {form: at for at, form in enumerate(said)}
    whole = [each for each in lists if all(form in place for form in each)]
    for one, other in combinations(whole, 2):
        if len(one) != len(other):
            continue
        now = dict(zip(sorted(one, key=place.__getitem__), sorted(other, key=place.__getitem__), strict=True))
        for first, second in zip(one, other, strict=True):
            if now[first] != second:
                return second, now[first]
    return None


def _lists(key: tuple[Term, ...]) -> Lists:
    """The values of a text by what they are: sizes, slides, ordinals, sides; only lists of two or more."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for at, term in enumerate(key):
        kind = _kind(key, at)
        if kind is not None and term.form not in found[kind]:
            found[kind].append(term.form)
    single = [form for forms in found.values() for form in forms]
    clear = {form for form in single if single.count(form) == 1}
    return tuple(tuple(forms) for forms in found.values() if len(forms) > 1 and clear.issuperset(forms))


def _kind(key: Sequence[Term], at: int) -> str | None:
    """What a value is one of: its unit, else what it numbers; the group of a word that has rivals."""
    term = key[at]
    if not term.form.isdigit():
        return "#side" if term.form in _SIDES else lexicon().classes.get(term.form)
    if not term.value:
        return "#ordinal"
    after = next((each.form for each in key[at + 1 :] if not each.value), "")
    if after in _UNITS:
        return after
    return next((each.form for each in reversed(key[:at]) if not each.form.isdigit()), None)


def _exchanged(said: tuple[str, ...], order: tuple[str, ...]) -> tuple[str, str] | None:
    """Two words of a kind in each other's place, everything else that both name being where it was."""
    mine = [form for form in order if form in said]
    theirs = [form for form in said if form in set(mine)]
    moved = [at for at, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other]
    if len(moved) != 2 or moved[1] - moved[0] < 2:
        return None
    one, other = mine[moved[0]], mine[moved[1]]
    things = [form for form in mine[moved[0] + 1 : moved[1]] if form not in lexicon().deeds]
    apart = lexicon().rivals.get(one, {}).get(other) is False
    alike = one.isdigit() == other.isdigit() and lexicon().deeds.isdisjoint((one, other))
    return (one, other) if things and (apart or (alike and len(mine) >= _SAME_SENTENCE)) else None
