"""A `launch` condition takes no other document of the same name for its own, and says what is in its way."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from actionlens.actions import Hotkey
from actionlens.desk import Desktop
from ibtr.errors import StateMismatch, UnsafeAction
from memory_store.models import BlobId, LaunchCondition, WindowCondition
from server.replay import launching
from server.replay.conditions import meet
from tests.conftest import PROBE, Screen

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture
def screen(virtual: Desktop, tmp_path: Path) -> Screen:
    return Screen(virtual, tmp_path)


def _argv(folder: Path, *, title: str = "stock.txt - Probe") -> list[str]:
    """A program that shows the name of its document, and not its folder."""
    folder.mkdir(exist_ok=True)
    place = ["100", "120", "400", "200"]
    return [sys.executable, str(PROBE), str(folder / "log"), title, *place, "-", str(folder / "stock.txt")]


async def _meet(
    screen: Screen,
    argv: list[str],
    name: str = "stock.txt",
    application: str = "Probe",
    *,
    told: list[str] | None = None,
) -> None:
    async def tell(words: str) -> None:
        (told if told is not None else []).append(words)

    window = WindowCondition(application=application, title_contains=name)
    condition = LaunchCondition(argv=tuple(argv), window=window)
    await meet((condition,), screen.desktop, {}, _no_blob, _allowed, tell=tell)


def _no_blob(_: BlobId) -> bytes:
    raise AssertionError


async def _allowed(_: Sequence[str]) -> None:
    return None


async def _pid_in_front(screen: Screen) -> int | None:
    window = (await screen.desktop.capture()).window
    return window.pid if window else None


async def _open(screen: Screen, argv: list[str]) -> int:
    pid = await screen.desktop.launch(argv)
    await screen.until(lambda frame: frame.window is not None and frame.window.pid == pid)
    return pid


async def test_the_document_that_is_open_is_brought_to_the_front_and_that_is_told(
    screen: Screen, tmp_path: Path
) -> None:
    east = await _open(screen, _argv(tmp_path / "east"))
    await _open(screen, _argv(tmp_path / "west"))
    told: list[str] = []

    await _meet(screen, _argv(tmp_path / "east"), told=told)
    await _meet(screen, _argv(tmp_path / "east"), told=told)  # in front already: nothing to tell

    assert told == ["raised the window 'stock.txt - Probe'"]
    assert await _pid_in_front(screen) == east
    assert len((await screen.desktop.capture()).windows) == 2


async def test_a_document_below_the_home_folder_is_the_one_of_whoever_replays(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = _argv(tmp_path / "recorder")
    argv[2], argv[-1] = "~/log", "~/stock.txt"
    west = await _open(screen, _argv(tmp_path / "west"))
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "other"))

    await _meet(screen, argv)

    assert await _pid_in_front(screen) != west
    assert (tmp_path / "other" / "log").exists()
    assert not (tmp_path / "recorder" / "log").exists()


@pytest.mark.parametrize("title", ["stock.txt - Probe", "stock.txt.bak - Probe", "~/west/stock.txt - Probe"])
async def test_another_document_of_the_name_is_left_alone_and_the_program_started(
    screen: Screen, tmp_path: Path, title: str
) -> None:
    west = await _open(screen, _argv(tmp_path / "west", title=title))

    await _meet(screen, _argv(tmp_path / "east"))

    assert await _pid_in_front(screen) != west
    assert (tmp_path / "east" / "log").exists()


async def test_a_document_of_the_name_stays_another_when_starting_the_program_changes_nothing(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "_START_S", 0.2)
    await _open(screen, _argv(tmp_path / "west"))

    with pytest.raises(StateMismatch, match="shows another 'stock") as refused:
        await _meet(screen, ["true", str(tmp_path / "east" / "stock.txt")])

    assert refused.value.evidence["shows"] == "other"


async def test_a_program_that_shows_nothing_here_may_run_elsewhere(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "_START_S", 0.2)

    with pytest.raises(StateMismatch, match="no window of it appeared on this desktop"):
        await _meet(screen, ["true", str(tmp_path / "stock.txt")])


async def test_a_program_that_fails_is_told_at_once_with_its_exit_code(screen: Screen) -> None:
    with pytest.raises(StateMismatch, match="ended with exit code 3: not today") as refused:
        await _meet(screen, ["sh", "-c", "echo not today >&2; exit 3"])

    assert refused.value.evidence["exit_code"] == 3


async def test_a_policy_that_lets_nothing_start_refuses_rather_than_takes_another_document(
    screen: Screen, tmp_path: Path
) -> None:
    async def forbidden(argv: Sequence[str]) -> None:
        raise UnsafeAction("not allowed", argv=[*argv])

    await _open(screen, _argv(tmp_path / "west"))
    window = WindowCondition(application="Probe", title_contains="stock.txt")
    condition = LaunchCondition(argv=tuple(_argv(tmp_path / "east")), window=window)

    with pytest.raises(UnsafeAction):
        await meet((condition,), screen.desktop, {}, _no_blob, forbidden)


@pytest.mark.parametrize("key", ["o", "r"], ids=["one that keeps the front", "one that would let it go"])
async def test_a_dialog_of_the_program_is_named_and_nothing_is_raised_past_it(
    screen: Screen, tmp_path: Path, key: str
) -> None:
    told: list[str] = []
    file = tmp_path / "list.txt"
    file.write_text("tea")
    await screen.mousepad(file)
    await screen.desktop.perform(Hotkey(keys=("ctrl", key)))
    frame = await screen.until(lambda frame: frame.window is not None and frame.window.dialog)
    assert frame.window is not None

    with pytest.raises(StateMismatch, match="is in front") as refused:
        await _meet(screen, ["mousepad", "--disable-server", str(file)], "list.txt", "Mousepad", told=told)

    assert told == []
    assert refused.value.evidence["dialog"] == frame.window.title
    assert frame.window.title in str(refused.value)
