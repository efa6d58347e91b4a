import json

import numpy as np
import pytest

from ibtr import Evidence, reaim, remember
from ibtr.errors import BadEvidence, BadImage
from ibtr.geometry import Box, Point
from tests.ibtr.lists import Sheet, painted
from tests.ibtr.screens import desktop, middle, window


def test_evidence_survives_json_and_pictures() -> None:
    screen = desktop()
    box = window(screen)["Save as"]
    evidence = remember(screen, middle(box), vary=[Box(box.x + 90, box.y, 20, 20)])

    metadata, pictures = evidence.to_parts()
    again = Evidence.from_parts(json.loads(json.dumps(metadata)), pictures)

    assert again.crop.core == evidence.crop.core
    assert again.crop.vary is not None
    assert reaim(again, screen).point == pytest.approx(middle(box), abs=1)


def test_the_row_of_a_target_in_a_list_survives_too() -> None:
    sheet = Sheet(rows=6, text=280)
    evidence = remember(painted(sheet), sheet.place(2))

    metadata, pictures = evidence.to_parts()
    again = Evidence.from_parts(json.loads(json.dumps(metadata)), pictures)

    assert evidence.crop.row is not None
    assert again.crop.row is not None
    assert again.crop.row.source == evidence.crop.row.source
    assert again.crop.column is None
    assert evidence.crop.beyond is not None
    assert again.crop.beyond is not None
    assert again.crop.beyond.source == evidence.crop.beyond.source


def test_a_target_without_equals_keeps_no_row() -> None:
    screen = desktop()

    crop = remember(screen, middle(window(screen)["Print"])).crop

    assert crop.row is None
    assert crop.column is None


def test_an_anchor_of_a_later_kind_is_kept_and_not_used() -> None:
    screen = desktop()
    evidence = remember(screen, middle(window(screen)["Print"]))
    metadata, pictures = evidence.to_parts()
    text = {"kind": "text", "reads": "Print"}
    anchors = metadata["anchors"]
    assert isinstance(anchors, list)

    again = Evidence.from_parts({**metadata, "anchors": [*anchors, text]}, pictures)

    assert again.unknown == (text,)
    written = again.to_parts()[0]["anchors"]
    assert isinstance(written, list)
    assert written[-1] == text


@pytest.mark.parametrize(
    "broken",
    [
        {"version": 99},
        {"anchors": "none"},
        {"anchors": [7]},
        {"anchors": [{"kind": "crop", "image": "crop9"}]},
        {"anchors": [{"kind": "crop", "image": "crop0", "click": [1, float("nan")]}]},
        {"anchors": [{"kind": "crop", "image": "crop0", "core": [0, 0, 9999, 9999]}]},
    ],
)
def test_evidence_that_cannot_be_read_is_refused(broken: dict[str, object]) -> None:
    screen = desktop()
    metadata, pictures = remember(screen, Point(300, 200)).to_parts()

    with pytest.raises(BadEvidence):
        Evidence.from_parts({**metadata, **broken}, pictures)


@pytest.mark.parametrize(
    "fades", ["none", [0.5], [[0, 0, 9, 9]], [[0, 0, 9, 9, float("nan")]], {"target": 1}]
)
def test_numbers_of_its_crops_that_cannot_be_read_are_refused(fades: object) -> None:
    metadata, pictures = remember(desktop(), Point(300, 200)).to_parts()
    rows = metadata["anchors"]
    assert isinstance(rows, list)
    rows[0]["fades"] = fades

    with pytest.raises(BadEvidence, match="fades"):
        Evidence.from_parts(metadata, pictures)


@pytest.mark.parametrize(
    "screen",
    [
        "a path",
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((300, 400), np.uint8),
        np.zeros((300, 400, 4), np.uint8),
        np.full((300, 400, 3), np.nan),
        np.zeros((8, 8, 3), np.uint8),
    ],
)
def test_what_is_not_a_screenshot_is_told_so(screen: object) -> None:
    evidence = remember(desktop(), Point(300, 200))

    with pytest.raises(BadImage):
        remember(screen, Point(3, 3))  # type: ignore[arg-type]
    with pytest.raises(BadImage):
        reaim(evidence, screen)  # type: ignore[arg-type]


def test_a_point_or_a_box_off_the_screen_is_refused() -> None:
    screen = desktop()

    with pytest.raises(BadImage):
        remember(screen, Point(2000, 3))
    with pytest.raises(BadImage):
        remember(screen, Point(3, 3), Box(5000, 5000, 10, 10))
    with pytest.raises(BadImage):
        remember(screen, Point(3, 3), vary=np.zeros((3, 3), np.uint8))


def test_without_a_crop_there_is_nothing_to_aim_by() -> None:
    with pytest.raises(BadEvidence):
        reaim(Evidence(()), desktop())
