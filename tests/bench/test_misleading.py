"""The pages that are drawn to fool the search."""

import shutil
from itertools import islice
from pathlib import Path

import pytest

from bench.reaim.misleading.forms import SPOT
from bench.reaim.misleading.kinds import KINDS, variants
from bench.reaim.misleading.looks import LOOKS
from bench.reaim.misleading.shots import shots
from ibtr.geometry import Box
from ibtr.pixels import size_of


def test_the_same_pages_are_drawn_each_time_and_others_for_every_seed() -> None:
    once, again, other = (list(variants(2, seed=seed)) for seed in (0, 0, 1))

    assert once == again
    assert [v.sources() for v in once] != [v.sources() for v in other]


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_has_a_page_without_its_target_and_one_with_it(kind: str) -> None:
    for one in variants(2, [kind]):
        assert one.form.gone
        assert one.form.honest
        assert SPOT in one.form.page.body
        assert all(SPOT not in page.body for page in one.form.gone.values()), one.name
        assert all(page.body.count(SPOT) == 1 for page in one.form.honest.values()), one.name


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_its_recorded_one(kind: str) -> None:
    for one in variants(2, [kind]):
        first, *others = one.sources()
        assert first not in others, one.name


def test_every_look_is_drawn() -> None:
    assert {v.look for v in variants(3)} == set(LOOKS)


@pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium")
def test_what_is_told_of_the_target_lies_on_its_page(tmp_path: Path) -> None:
    some = list(islice(variants(1), 0, None, 8))
    sources = [s for one in some for s in one.sources()]
    drawn = shots(sources, tmp_path, kept=False)

    for one in some:
        pages = one.drawn(drawn)
        assert pages.page.box
        assert not any(shot.box for shot in pages.gone.values())
        for shot in pages.honest.values():
            assert shot.box
            assert shot.box.intersect(Box(0, 0, *size_of(shot.image))) == shot.box
