"""Which windows a click may reach: those of the recorded application, and what belongs to them."""

import pytest

from actionlens.observation import Under, Window
from ibtr.errors import FocusDrift, MissingTarget
from ibtr.geometry import Box
from memory_store.models import Step, StepEvidence, Surroundings
from memory_store.repository import Repository
from server.replay.reach import expect_in_front, expect_reached
from server.replay.targets import load_targets
from tests.server.test_start_state import editor, memory, store

__all__ = ["store"]
EDITOR = Window(id=1, title="letter", application="Editor", box=Box(0, 0, 800, 600))
OTHER = Window(id=2, title="mail", application="Mail", box=Box(0, 0, 800, 600))


def _step(step: Step, *, inside: bool, after: str = "Editor") -> Step:
    window = (0, 0, 800, 600) if inside else (0, 0, 10, 10)
    before = Surroundings(application="Editor", screen_xy=(800, 600), window_xy=window)
    seen = step.evidence.model_dump() | {"before": before, "after": Surroundings(application=after)}
    return step.model_copy(update={"evidence": StepEvidence.model_validate(seen)})


OWN = [
    Under(id=1, application="Editor", managed=True),
    Under(id=1, application="editor", managed=True),
    Under(id=9, application="", owners=(1,)),
    Under(id=9, application="Gtk-menu", owners=(1,)),
    Under(id=9, application="Editor"),
    Under(id=3, application="Soffice", managed=True, owners=(1,)),
]
NOBODYS = [None, Under(id=4, application="Panel", managed=True, standing=True), Under(id=9, application="")]
STRANGE = [
    Under(id=2, application="Mail", managed=True),
    Under(id=9, application="Notify"),
    Under(id=9, application="", owners=(2,)),
]


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("under", OWN)
def test_a_window_of_the_application_or_what_belongs_to_it_may_be_clicked(
    store: Repository, under: Under, inside: bool
) -> None:
    known = memory(store, editor(), keys_first=False)
    target = load_targets(known, store.blob)[0][0]

    expect_reached(_step(known.steps[0], inside=inside), None, target, (EDITOR, OTHER), under)


@pytest.mark.parametrize("under", [*STRANGE, *NOBODYS])
def test_what_was_inside_the_window_is_not_clicked_in_another(store: Repository, under: Under | None) -> None:
    known = memory(store, editor(), keys_first=False)
    target = load_targets(known, store.blob)[0][0]

    with pytest.raises(MissingTarget) as no:
        expect_reached(_step(known.steps[0], inside=True), None, target, (EDITOR, OTHER), under)

    assert no.value.evidence["recorded"] == "Editor"


@pytest.mark.parametrize("under", [*NOBODYS, STRANGE[0]])
def test_what_was_outside_the_window_may_be_a_panel_the_ground_or_where_the_step_led(
    store: Repository, under: Under | None
) -> None:
    known = memory(store, editor(), keys_first=False)
    target = load_targets(known, store.blob)[0][0]

    expect_reached(_step(known.steps[0], inside=False, after="Mail"), None, target, (EDITOR, OTHER), under)


def test_a_tooltip_is_never_clicked(store: Repository) -> None:
    known = memory(store, editor(), keys_first=False)
    target = load_targets(known, store.blob)[0][0]
    hint = Under(id=9, application="Editor", hint=True, owners=(1,))

    with pytest.raises(MissingTarget):
        expect_reached(_step(known.steps[0], inside=True), None, target, (EDITOR,), hint)


def test_only_a_managed_window_can_lie_behind_the_one_in_front() -> None:
    for under in (None, OWN[0], OWN[2], NOBODYS[2]):
        expect_in_front(under, EDITOR)
    expect_in_front(STRANGE[0], None)

    with pytest.raises(FocusDrift):
        expect_in_front(STRANGE[0], EDITOR)
