"""While a secret is typed nobody sees the screen: not before it is known what to hide."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import numpy as np
import pytest

from actionlens.actions import Press, Type
from actionlens.controller import Frame
from actionlens.desk import Desktop
from actionlens.errors import DesktopLost
from actionlens.frames import Pixels, crop
from actionlens.mask import changed_places
from actionlens.recorder import ActionLens
from actionlens.records import Request
from actionlens.run_reader import read_run
from ibtr.geometry import Box
from tests.conftest import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]
SECRET = Request(action=Type(text_ref="env:PIN"))
LONGER_THAN_QUIET_S = 1.5  # what a screen must rest before a step that typed a secret is over


@pytest.fixture
async def lens(virtual: Desktop, tmp_path: Path) -> AsyncIterator[ActionLens]:
    lens = ActionLens(virtual, tmp_path / "runs", agent="test", secret=lambda _: "wqkvz" * 8)
    yield lens
    await lens.finish_run()


@pytest.fixture
def place(virtual: Desktop, tmp_path: Path) -> Screen:
    (folder := tmp_path / "place").mkdir()
    return Screen(virtual, folder)


async def test_observing_and_keeping_wait_until_a_secret_step_has_ended(
    lens: ActionLens, place: Screen
) -> None:
    await place.mousepad()
    log = await lens.start_run("type a secret where it can be read")
    before = (await lens.desktop.capture()).pixels
    seen: list[Pixels] = []
    over = anyio.Event()

    async def look() -> None:
        while not over.is_set():
            seen.append((await lens.observe()).pixels)
            await lens.keep(await lens.glance())

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(look)
        await lens.act(SECRET)
        over.set()
    letters = _letters(before, (await lens.desktop.capture()).pixels)
    await lens.finish_run()

    run = read_run(log.path)
    kept = [run.frame(name) for name in run.index]
    assert seen
    assert len(kept) >= 2
    assert [_shows(pixels, before, letters) for pixels in seen + kept] == [False] * len(seen + kept)


async def test_a_secret_step_that_was_cancelled_hides_what_is_drawn_after_its_last_key(
    lens: ActionLens, place: Screen
) -> None:
    await place.mousepad()
    await lens.start_run("type a secret, cancelled while it settles")
    before = (await lens.desktop.capture()).pixels

    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(lens.act, SECRET)
            await place.until(lambda frame: bool(changed_places(before, frame.pixels)))
            scope.cancel()
    seen = await lens.observe()
    letters = _letters(before, (await lens.desktop.capture()).pixels)

    assert not _shows(seen.pixels, before, letters)


@pytest.mark.parametrize("awakes", [True, False])
async def test_a_program_that_hangs_while_a_secret_is_typed_shows_none_of_it_later(
    lens: ActionLens, place: Screen, *, awakes: bool
) -> None:
    program = (await place.mousepad()).window
    assert program is not None
    assert program.pid is not None
    await lens.start_run("type a secret into a program that reads it late")
    before = (await lens.desktop.capture()).pixels

    os.kill(program.pid, signal.SIGSTOP)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(lens.act, SECRET)
            if awakes:
                await anyio.sleep(LONGER_THAN_QUIET_S)
                os.kill(program.pid, signal.SIGCONT)
    finally:
        os.kill(program.pid, signal.SIGCONT)
    await place.until(lambda frame: bool(changed_places(before, frame.pixels)))
    await place.still()
    seen = await lens.observe()

    assert not _shows(seen.pixels, before, _letters(before, (await lens.desktop.capture()).pixels))
    assert bool(np.ptp(seen.pixels)) is awakes


async def test_where_nobody_could_look_after_a_secret_the_whole_screen_is_hidden(
    lens: ActionLens, place: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    await place.show()
    log = await lens.start_run("type a secret, and lose sight of it")
    capture = lens.desktop.capture

    async def blind() -> Frame:
        raise DesktopLost("gone for a moment")

    async def typed(*_: object, **__: object) -> dict[str, object]:
        monkeypatch.setattr(lens.desktop, "capture", blind)
        return {}

    monkeypatch.setattr(lens.desktop, "perform", typed)
    done = await lens.act(SECRET)
    monkeypatch.setattr(lens.desktop, "capture", capture)
    seen = await lens.observe()

    assert done.after is None
    assert np.ptp(seen.pixels) == 0
    assert read_run(log.path).steps[0].status == "error"


async def test_only_a_secret_holds_up_those_who_look(lens: ActionLens, place: Screen) -> None:
    await place.show()
    seen: list[float] = []

    async with anyio.create_task_group() as group:

        async def look() -> None:
            await lens.observe()
            seen.append(anyio.current_time())

        group.start_soon(lens.act, Request(action=Press(key="a", presses=100)))
        group.start_soon(look)
        begun = anyio.current_time()

    assert seen[0] - begun < 2


def _letters(before: Pixels, after: Pixels) -> Box:
    """Where the secret stands, without the title that tells of a change."""
    return max((box for box in changed_places(before, after) if box.y > 60), key=lambda box: box.area)


def _shows(pixels: Pixels, before: Pixels, letters: Box) -> bool:
    """Whether a picture shows neither the empty field nor the grey that hides it."""
    part, empty = crop(pixels, letters), crop(before, letters)
    return bool(((part != empty) & (part != 128)).any())
