"""What is hidden stays hidden as long as it can be seen, and hiding it makes no frame another one."""

import json
import os
import sys
from pathlib import Path

import anyio
import numpy as np
import pytest

from actionlens.actions import Type, Wait
from actionlens.desk import Desktop
from actionlens.frames import Pixels
from actionlens.mask import Masks
from actionlens.recorder import ActionLens
from actionlens.records import Request
from actionlens.run_reader import read_run
from tests.e2e.stage import FORM, Log

EMPTY = np.zeros((40, 60, 3), np.uint8)


def _typed(at: int = 10) -> Pixels:
    pixels = EMPTY.copy()
    pixels[10:20, at : at + 10] = 255
    return pixels


def test_one_frame_painted_over_twice_is_one_frame() -> None:
    masks, typed, later = Masks(), _typed(), _typed()
    masks.hide(EMPTY, typed)

    assert masks.over(typed) is not typed
    once, other = masks.over(typed), masks.over(later)

    assert masks.over(typed) is once
    assert masks.over(later) is other
    assert once is not other


def test_another_run_hides_what_can_still_be_seen_and_no_more() -> None:
    masks, here, gone = Masks(), Masks(), Masks()
    masks.hide(EMPTY, _typed())

    here.take(masks, _typed())
    gone.take(masks, _typed(at=40))

    assert (here.over(_typed())[10:20, 10:20] == 128).all()
    assert not gone


@pytest.mark.anyio
@pytest.mark.desktop
async def test_a_step_after_a_secret_that_changes_nothing_is_seen_to_change_nothing(
    virtual: Desktop, tmp_path: Path
) -> None:
    lens, log = await _secret_typed(virtual, tmp_path)

    done = await lens.act(Request(action=Wait(seconds=0.01)))
    run_id = log

    assert done.after is not None
    assert done.after.pixels is done.before.pixels
    assert not _ink(done.after.pixels)
    await lens.close()
    assert not any(_ink(frame) for frame in _frames_after_typing(tmp_path / "runs" / run_id))


@pytest.mark.anyio
@pytest.mark.desktop
async def test_a_secret_that_can_still_be_seen_is_hidden_in_the_next_run_too(
    virtual: Desktop, tmp_path: Path
) -> None:
    lens, _ = await _secret_typed(virtual, tmp_path)
    await lens.finish_run()

    ambient = await lens.observe("nothing is being recorded")
    (run,) = [lens.run]
    assert run is not None
    await lens.close()

    assert not _ink(ambient.pixels)
    kept = read_run(tmp_path / "runs" / run.run_id)
    assert not any(_ink(kept.frame(looked.seen.frame)) for looked in kept.observations)


async def _secret_typed(desktop: Desktop, folder: Path) -> tuple[ActionLens, str]:
    """A form that shows what is typed in plain letters, with a secret in it."""
    log = Log(folder / "form.jsonl")
    plan = {"log": str(log.path), "out": str(folder / "out.txt")}
    await desktop.launch([sys.executable, str(FORM), json.dumps(plan)])
    await log.until("shown")
    with anyio.fail_after(20):
        while (await desktop.capture()).window is None:
            await anyio.sleep(0.01)
    os.environ["ECHOPATH_TEST_PIN"] = "HHHHHHHHHH"
    lens = ActionLens(desktop, folder / "runs", agent="test")
    run = await lens.start_run("type a secret")
    await lens.act(Request(action=Type(text_ref="env:ECHOPATH_TEST_PIN")))
    del os.environ["ECHOPATH_TEST_PIN"]
    with anyio.fail_after(20):
        while not _ink((await desktop.capture()).pixels):
            await anyio.sleep(0.01)
    return lens, run.run_id


def _ink(pixels: Pixels) -> bool:
    """Whether letters stand in the field of the form at 100, 100, whatever frame the window has."""
    field = pixels[100:200, 130:200]
    return bool((field == 0x20).all(axis=2).sum() > 30)


def _frames_after_typing(folder: Path) -> list[Pixels]:
    run = read_run(folder)
    return [run.frame(step.after.frame) for step in run.steps if step.after]
