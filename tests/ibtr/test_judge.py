import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibtr.errors import AmbiguousTarget, MissingTarget, Rejected
from ibtr.geometry import Point
from ibtr.judge import Limits, judge
from ibtr.sight import Along, Sight

unit = st.floats(0, 1)
sights = st.builds(
    Sight,
    point=st.builds(Point, st.floats(0, 1900), st.floats(0, 1000)),
    scale=st.just(1.0),
    score=unit,
    spot=unit,
    core=unit,
    weakest=unit,
    colour=unit,
    context=unit,
    context_score=unit,
    fresh=unit,
)


def sight(x: float, y: float, *, likeness: float = 1.0, context: float = 1.0, row: float = 1.0) -> Sight:
    along = Along(row, row)
    values = dict.fromkeys(("score", "spot", "core", "weakest"), likeness)
    return Sight(
        Point(x, y), 1.0, **values, colour=1, context=context, context_score=context, row=along, column=along
    )


@given(st.lists(sights, max_size=6))
def test_what_is_accepted_is_strong_verified_and_alone(seen: list[Sight]) -> None:
    limits = Limits()
    try:
        verdict = judge(seen, limits)
    except Rejected:
        return

    best = verdict.best
    assert verdict.score >= 0.78
    assert verdict.margin >= 0.02
    assert min(best.spot / limits.spot, best.weakest / limits.weakest, best.context / limits.support) >= 1


def test_nothing_seen_is_a_missing_target() -> None:
    with pytest.raises(MissingTarget):
        judge([], Limits())


def test_a_target_without_its_surroundings_is_missing() -> None:
    with pytest.raises(MissingTarget) as refusal:
        judge([sight(10, 10, context=0.3)], Limits())

    assert refusal.value.evidence["context"] == 0.3


def test_the_right_surroundings_without_the_target_outweigh_a_copy_elsewhere() -> None:
    with pytest.raises(MissingTarget):
        judge([sight(500, 500, context=0.7), sight(10, 10, likeness=0.1, context=1.0)], Limits())


def test_two_copies_of_a_window_are_ambiguous_even_if_one_looks_better_further_out() -> None:
    with pytest.raises(AmbiguousTarget):
        judge([sight(10, 10), sight(700, 300, context=0.75, row=0.1)], Limits())


def test_twins_in_one_column_are_told_apart_by_their_rows() -> None:
    verdict = judge([sight(300, 100, row=0.2), sight(300, 140), sight(300, 180, row=0.3)], Limits())

    assert verdict.best.point == Point(300, 140)
    assert verdict.crop == "row"


def test_twins_in_one_column_whose_rows_read_alike_are_ambiguous() -> None:
    with pytest.raises(AmbiguousTarget):
        judge([sight(300, 100), sight(300, 140)], Limits())


def test_a_widget_that_alone_is_the_same_in_every_part_outweighs_a_like_border_elsewhere() -> None:
    own = sight(100, 100, likeness=0.97)._replace(
        score=0.8, context=0.7, context_score=0.6, row=None, column=None
    )
    border = sight(300, 100, likeness=0.3, context=0.3)._replace(score=0.9, row=None, column=None)

    verdict = judge([own, border], Limits())

    assert verdict.best == own
    assert verdict.crop == "target, by structure"
    for worse in (own._replace(weakest=0.8), own._replace(context=0.6), own._replace(score=0.7)):
        with pytest.raises(Rejected):
            judge([worse, border], Limits())
    with pytest.raises(AmbiguousTarget):
        judge([own, border._replace(core=0.7)], Limits())
