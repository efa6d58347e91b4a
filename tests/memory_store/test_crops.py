from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibtr import Aim, probe, reaim, remember
from ibtr.errors import BadEvidence, BadImage
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels, cut
from memory_store.crops import MARGIN, as_kept, keep_evidence, load_evidence
from memory_store.errors import EvidenceMissing
from memory_store.images import decode, encode_png, encode_webp, image_size
from memory_store.models import Anchor, JsonObject, StoredEvaluator, TargetEnd, Validation
from memory_store.repository import Repository
from tests.ibtr.lists import Sheet, painted
from tests.ibtr.screens import desktop, middle, window
from tests.ibtr.test_panel import ASKED, dialog, yes
from tests.ibtr.test_spread import pad
from tests.memory_store.making import AT, click, make_memory


class Scene(NamedTuple):
    screen: Pixels
    evidence: Evidence
    anchors: tuple[Anchor, ...]
    box: Box


@pytest.fixture
def scene(repository: Repository) -> Scene:
    screen = desktop()
    box = window(screen)["Replace"]
    mask = [Box(box.x + 20, box.y + 5, 30, 10)]
    evidence = remember(screen, middle(box), vary=mask)
    with repository.writing() as keeper:
        anchors = keep_evidence(evidence, keeper)
        step = click("replace")
        kept = step.model_copy(update={"evidence": step.evidence.model_copy(update={"anchors": anchors})})
        repository.add(make_memory(steps=[kept]), at=AT)
    return Scene(screen, evidence, anchors, box)


def test_the_pixels_that_verify_a_click_come_back_exactly(repository: Repository, scene: Scene) -> None:
    before, after = scene.evidence.crop, load_evidence(scene.anchors, repository.blob).crop

    exact = before.target.grow(MARGIN).clip(before.size)
    assert np.array_equal(cut(after.image, exact), cut(before.image, exact))
    assert (after.click, after.core, after.target, after.context) == (
        before.click,
        before.core,
        before.target,
        before.context,
    )
    assert (after.source, after.screen) == (before.source, before.screen)
    assert before.vary is not None
    assert after.vary is not None
    assert np.array_equal(after.vary, before.vary)


def test_a_row_of_a_list_is_read_as_well_after_the_store(repository: Repository) -> None:
    sheet = Sheet(rows=8, pitch=Size(60, 53), side=30, text=280)
    screen = painted(sheet)
    with repository.writing() as keeper:
        anchors = keep_evidence(remember(screen, sheet.place(5)), keeper)
        again = load_evidence(anchors, repository.blob)

    aim = reaim(again, screen)

    assert [anchor.kind for anchor in anchors] == ["crop", "row", "beyond"]
    assert aim.crop == "row"
    assert aim.point == pytest.approx(sheet.place(5), abs=1)


def test_the_surroundings_come_back_nearly_as_they_were(repository: Repository, scene: Scene) -> None:
    before, after = scene.evidence.crop.image, load_evidence(scene.anchors, repository.blob).crop.image

    assert after.shape == before.shape
    assert float(np.abs(after.astype(int) - before.astype(int)).mean()) < 6


def test_a_target_is_found_again_with_stored_evidence(repository: Repository, scene: Scene) -> None:
    moved = desktop()
    box = window(moved, x=400, y=150)["Replace"]

    aimed = reaim(load_evidence(scene.anchors, repository.blob), moved)

    assert box.contains(aimed.point)


def test_stored_evidence_is_small(repository: Repository, scene: Scene) -> None:
    stored = sum(ref.size for anchor in scene.anchors for ref in anchor.blobs.values())

    assert stored < len(encode_png(scene.evidence.crop.image))


def test_both_ends_of_a_drag_are_kept_apart(repository: Repository, scene: Scene) -> None:
    with repository.writing() as keeper:
        end = keep_evidence(scene.evidence, keeper, at=TargetEnd.END)

        both = (*scene.anchors, *end)

        assert len(load_evidence(both, repository.blob, at=TargetEnd.END).anchors) == 1
        assert len(load_evidence(both, repository.blob).anchors) == 1


def test_an_anchor_of_an_unknown_kind_passes_through(repository: Repository, scene: Scene) -> None:
    strange = {"kind": "accessible", "role": "button", "name": "Replace"}
    with repository.writing() as keeper:
        kept = keep_evidence(Evidence(scene.evidence.anchors, (strange,)), keeper)

    assert load_evidence(kept, repository.blob).unknown == (strange,)


@pytest.mark.parametrize(
    "broken",
    [
        {"layers": None},
        {"layers": [{"blob": "nothing", "box": [0, 0, 5, 5]}]},
        {"layers": [{"blob": "target", "box": [-5, 0, 5, 5]}]},
        {"layers": [{"blob": "target", "box": [0, 0, 99999, 5]}]},
        {"size": [10**9, 10**9]},
        {"size": "large"},
        {"click": [1e9, 0]},
    ],
)
def test_evidence_that_does_not_fit_together_is_refused(
    repository: Repository, scene: Scene, broken: JsonObject
) -> None:
    anchor = scene.anchors[0].model_copy(update={"data": {**scene.anchors[0].data, **broken}})

    with pytest.raises(BadEvidence):
        load_evidence([anchor], repository.blob)


def test_a_lost_layer_is_said(repository: Repository, scene: Scene) -> None:
    name = scene.anchors[0].blobs["far"].sha256
    (repository.folder / "blobs" / name[:2] / name).unlink()

    with pytest.raises(EvidenceMissing):
        load_evidence(scene.anchors, repository.blob)


def test_evidence_inside_an_evaluator_is_kept_too(repository: Repository, scene: Scene) -> None:
    with repository.writing() as keeper:
        fresh = keep_evidence(remember(desktop(seed=9), middle(scene.box)), keeper)
        spec = StoredEvaluator.model_validate(
            {"kind": "region", "anchors": [anchor.model_dump(mode="json") for anchor in fresh]}
        )
        memory = make_memory("seen").model_copy(update={"validation": Validation(evaluator=spec)})
        repository.add(memory, at=AT)

    assert repository.collect_garbage() == (0, 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_the_header_tells_the_size_and_lossless_is_lossless(width: int, height: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)

    for data, kind in (
        (encode_png(pixels), "image/png"),
        (encode_webp(pixels), "image/webp"),
        (encode_webp(pixels, 50), "image/webp"),
    ):
        assert image_size(data, kind) == (width, height)
        assert decode(data, kind).shape == pixels.shape
    assert np.array_equal(decode(encode_webp(pixels), "image/webp"), pixels)


@pytest.mark.parametrize("kind", ["image/png", "image/webp", "image/tiff"])
@pytest.mark.parametrize("data", [b"", b"RIFF" + b"\0" * 40, b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"\xff" * 64])
def test_what_is_no_picture_is_refused(data: bytes, kind: str) -> None:
    with pytest.raises(BadImage):
        decode(data, kind)


@pytest.mark.parametrize("question", [ASKED, "Delete the file votes.txt?", "Delete the file notes.tst?"])
def test_a_dialog_is_read_as_well_after_the_store(repository: Repository, question: str) -> None:
    at = Box(300, 180, 360, 120)
    fresh = remember(dialog(ASKED, at), middle(yes(at)), panel=at)
    with repository.writing() as keeper:
        anchors = keep_evidence(fresh, keeper)
        again = load_evidence(anchors, repository.blob)
    now = dialog(question, at)

    found = [probe([evidence], now)[0] for evidence in (fresh, again)]

    assert [anchor.kind for anchor in anchors] == ["crop", "panel"]
    assert [isinstance(one, Aim) for one in found] == [question == ASKED] * 2
    assert sum(ref.size for ref in anchors[1].blobs.values()) < 6000


def test_what_hardly_anything_stands_around_is_found_after_the_store_where_its_window_grew() -> None:
    screen, boxes = pad(212, 132)
    evidence = remember(screen, middle(boxes["cos"]))
    smaller, there = pad(100, 60)

    (found,) = probe([as_kept(evidence)], smaller)

    assert evidence.crop.beyond is not None
    assert isinstance(found, Aim)
    assert found.point == pytest.approx(middle(there["cos"]), abs=2)
