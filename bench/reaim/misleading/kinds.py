"""Every misleading form there is, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from bench.reaim.misleading import cards, controls, details, dialogs, fields, letters, lists, places
from bench.reaim.misleading.forms import Form, Maker, changed_around
from bench.reaim.misleading.looks import LOOKS, Look
from bench.reaim.misleading.shots import Shot, Source

KINDS: dict[str, dict[str, Maker]] = {
    "cards": cards.FORMS,
    "lists and tables": lists.FORMS,
    "page of an entry": details.FORMS,
    "forms": fields.FORMS,
    "dialogs": dialogs.FORMS,
    "controls": controls.FORMS | places.FORMS,
    "letters": letters.FORMS,
}


class Drawn(NamedTuple):
    """The pages of a form as they are drawn."""

    page: Shot
    earlier: Shot | None
    gone: dict[str, Shot]
    honest: dict[str, Shot]


class Variant(NamedTuple):
    """One form as it is drawn once."""

    kind: str
    name: str
    look: Look
    form: Form

    def sources(self) -> list[Source]:
        """Its pages to draw."""
        first = [self.form.page, *([self.form.earlier] if self.form.earlier else [])]
        pages = (*first, *self.form.gone.values(), *self.form.honest.values())
        return [Source(page.drawn(self.look), page.window) for page in pages]

    def drawn(self, those: Iterator[Shot]) -> Drawn:
        """Its pages, from the front of all that were drawn."""
        page, earlier = next(those), next(those) if self.form.earlier else None
        gone = {what: next(those) for what in self.form.gone}
        return Drawn(page, earlier, gone, {what: next(those) for what in self.form.honest})


def variants(count: int, kinds: Sequence[str] = (), seed: int = 0) -> Iterator[Variant]:
    """Every form `count` times, in other looks and words; the same each time, and others for every seed."""
    for kind in kinds or KINDS:
        for number, (name, make) in enumerate(KINDS[kind].items()):
            for turn in range(count):
                look = LOOKS[(number + 4 * turn + seed) % len(LOOKS)]
                rng = Random(f"{kind}:{name}:{turn}:{seed}")
                made = make(rng, look)
                around, page = changed_around(made.page, rng)
                honest = {**made.honest, around: page}
                yield Variant(kind, f"{name}-{turn}", look, made._replace(honest=honest))
