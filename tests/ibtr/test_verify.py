import pytest

from ibtr import draw, probe, quality, reaim, remember, verify
from ibtr.errors import AmbiguousTarget, BadImage, MissingTarget
from ibtr.geometry import Point
from ibtr.pixels import Pixels, cut
from ibtr.report import Aim
from tests.ibtr.screens import button, desktop, middle, window


def grab(screen: Pixels, aim: Aim) -> tuple[Pixels, Point]:
    box = aim.patch
    return cut(screen, box).copy(), Point(box.x, box.y)


def test_a_small_patch_is_enough_to_verify_the_target_once_more() -> None:
    screen = desktop()
    evidence = remember(screen, middle(window(screen)["Redo"]))
    aim = reaim(evidence, screen)

    sight = verify(evidence, aim, *grab(screen, aim))

    assert sight.weakest > 0.9
    assert sight.point == pytest.approx(aim.point, abs=1)


def test_a_widget_that_lights_up_under_the_pointer_is_still_the_target() -> None:
    screen = desktop()
    box = window(screen)["Redo"]
    evidence = remember(screen, middle(box))
    aim = reaim(evidence, screen)
    part = cut(screen, box)
    part[:] = (part * 0.85 + 38).astype("uint8")

    assert verify(evidence, aim, *grab(screen, aim)).spot > 0.7


def test_something_else_under_the_pointer_is_refused_before_the_button_goes_down() -> None:
    screen = desktop()
    box = window(screen)["Redo"]
    evidence = remember(screen, middle(box))
    aim = reaim(evidence, screen)
    button(screen, box, "Delete")

    with pytest.raises(MissingTarget):
        verify(evidence, aim, *grab(screen, aim))


def test_a_patch_of_another_place_does_not_verify() -> None:
    screen = desktop()
    evidence = remember(screen, middle(window(screen)["Redo"]))
    aim = reaim(evidence, screen)

    with pytest.raises(MissingTarget):
        verify(evidence, aim, screen[:80, :80].copy(), Point(0, 0))


def test_many_targets_are_probed_in_one_pass() -> None:
    before, after = desktop(), desktop()
    boxes = window(before)
    evidences = [remember(before, middle(boxes[label])) for label in ("Open", "Print", "Quit")]
    there = window(after, 400, 150)
    cut(after, there["Print"].grow(1))[:] = (222, 220, 218)

    first, second, third = probe(evidences, after)

    assert isinstance(first, Aim)
    assert isinstance(second, MissingTarget)
    assert isinstance(third, Aim)
    assert first.point == pytest.approx(middle(there["Open"]), abs=2)


def test_a_target_alone_on_its_screen_is_strong_and_one_of_two_is_weak() -> None:
    screen, twice = desktop(), desktop()
    alone = quality(remember(screen, middle(window(screen)["Help"])), screen)
    window(twice, 20, 40)
    evidence = remember(twice, middle(window(twice, 500, 200)["Help"]))

    double = quality(evidence, twice)

    assert alone.strong
    assert not double.strong
    assert double.lookalikes == 1


def test_plain_colour_is_a_weak_target() -> None:
    screen = desktop()
    screen[:] = 90

    assert not quality(remember(screen, Point(400, 300)), screen).strong


def test_reports_and_refusals_can_be_drawn() -> None:
    screen = desktop()
    box = window(screen)["Undo"]
    evidence = remember(screen, middle(box))
    aim = reaim(evidence, screen)
    refusal = AmbiguousTarget("two", point=[10.0, 10.0], rival_point=[400.0, 300.0], margin=0.0)

    assert (draw(aim, screen) != screen).any()
    assert (draw(refusal, screen) != screen).any()
    with pytest.raises(BadImage):
        draw(aim, screen[..., 0])


def test_a_report_is_plain_json() -> None:
    screen = desktop()
    aim = reaim(remember(screen, middle(window(screen)["Undo"])), screen)

    report = aim.to_json()

    assert report["representation"] == "gray"
    assert report["crop"] in {"target", "context"}
    assert set(report) >= {"score", "margin", "scale", "rival", "verification", "transform", "ms"}
