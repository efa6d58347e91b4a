"""What a call cost its host: the pictures that it was shown, and calls that failed, too."""

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from mcp import Client

from server.app import App
from server.calling import answer_tokens
from server.image_size import image_size
from server.settings import Settings
from server.tokens import call_tokens, image_tokens, text_tokens
from server.tools.record import FinishRunArguments, finish_run
from server.toolspec import Answer
from tests.server.conftest import refusal


@pytest.mark.parametrize("kind", [".png", ".jpg"])
@pytest.mark.parametrize("size", [(1280, 720), (641, 33), (3, 2)])
def test_a_picture_counts_by_its_own_size(kind: str, size: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)
    data = cv2.imencode(kind, pixels)[1].tobytes()

    found = image_size(data)

    assert found == size
    answer = Answer(text="seen", images=(("image/x", data),))
    assert answer_tokens(answer) == text_tokens("seen") + image_tokens(found)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00", b"GIF89a"])
def test_what_is_no_picture_has_no_size(data: bytes) -> None:
    assert image_size(data) is None


@pytest.mark.anyio
async def test_a_call_that_failed_counts_as_well(client: Client, app: App) -> None:
    said = await refusal(client, "act", action="wait", seconds=50)

    assert app.operator.tokens == call_tokens("act", {"action": "wait", "seconds": 50}) + text_tokens(said)


@pytest.mark.anyio
async def test_a_recording_that_was_sealed_while_its_check_ran_is_told_so(
    app: App, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = SimpleNamespace(run_id="20260101-1", manifest=SimpleNamespace(detail={}))

    async def lens() -> Any:
        return SimpleNamespace(run=run, finish_run=gone)

    async def gone(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(app.operator, "lens", lens)
    answer = await finish_run(app, FinishRunArguments())

    assert answer.data is not None
    assert (answer.data["run_id"], answer.data["next"]) == ("20260101-1", ["start_run"])
