from pathlib import Path
from typing import Any

import pytest

from actionlens.actions import Action
from actionlens.observation import Window
from ibtr.errors import UnsafeAction
from ibtr.geometry import Box, Point
from server.guard import Guard
from tests.server.test_policy import action, window

pytestmark = pytest.mark.anyio
SCREEN = Box(0, 0, 1000, 800)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guard(tmp_path: Path, clock: Clock) -> Guard:
    (tmp_path / "config").mkdir()
    return Guard(tmp_path / "config", tmp_path / "home", clock=clock)


def write_policy(tmp_path: Path, text: str) -> None:
    (tmp_path / "config" / "policy.toml").write_text(text)


async def refusal(
    guard: Guard, act: Action, where: Window | None = None, pointer: tuple[int, int] = (400, 400)
) -> dict[str, Any] | None:
    try:
        await guard.check(act, where or window(), Point(*pointer), SCREEN)
    except UnsafeAction as exc:
        return exc.evidence
    return None


CLICK = action(action="click", x=300, y=300)


async def test_a_policy_that_cannot_be_read_refuses_instead_of_acting_without_it(
    guard: Guard, tmp_path: Path
) -> None:
    write_policy(tmp_path, "read_only = maybe")

    told = await refusal(guard, CLICK)

    assert told is not None
    assert told["rule"] == "policy_file"
    write_policy(tmp_path, "read_only = false")
    assert await refusal(guard, CLICK) is None


async def test_a_policy_folder_without_access_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file where a folder should be")
    guard = Guard(tmp_path / "file", tmp_path)

    told = await refusal(guard, CLICK)

    assert told is not None
    assert told["rule"] == "policy_file"


async def test_more_actions_in_a_minute_than_allowed_wait_their_time(
    guard: Guard, tmp_path: Path, clock: Clock
) -> None:
    write_policy(tmp_path, "max_actions_per_minute = 3")
    for clock.now in (0.0, 10.0, 20.0):
        assert await refusal(guard, CLICK) is None

    clock.now = 30.0
    told = await refusal(guard, CLICK)

    assert told == {"rule": "max_actions_per_minute", "actions": 3, "limit": 3, "again_in_s": 30.0}
    clock.now = 60.0
    assert await refusal(guard, CLICK) is None
    assert await refusal(guard, CLICK) is not None


async def test_what_is_refused_and_what_only_waits_does_not_count(guard: Guard, tmp_path: Path) -> None:
    write_policy(tmp_path, 'max_actions_per_minute = 1\napplications_refused = ["xterm"]')

    assert await refusal(guard, CLICK, window("XTerm")) is not None
    assert await refusal(guard, action(action="wait", seconds=1)) is None
    assert await refusal(guard, CLICK) is None


@pytest.mark.parametrize("folder", ["config", "home"])
async def test_a_panic_file_stops_everything_until_it_is_removed(
    guard: Guard, tmp_path: Path, folder: str
) -> None:
    file = tmp_path / folder / "panic"
    file.parent.mkdir(exist_ok=True)
    file.touch()

    told = await refusal(guard, CLICK)

    assert told == {"rule": "panic_file", "file": str(file)}
    assert (await refusal(guard, action(action="wait", seconds=1)) or {})["rule"] == "panic_file"
    with pytest.raises(UnsafeAction):
        await guard.check_launch(["mousepad"])
    file.unlink()
    assert await refusal(guard, CLICK) is None


@pytest.mark.parametrize("corner", [(0, 0), (999, 0), (0, 799), (998, 798)])
async def test_the_pointer_in_a_corner_stops_at_once_and_for_good_when_it_stays(
    guard: Guard, tmp_path: Path, corner: tuple[int, int]
) -> None:
    first = await refusal(guard, CLICK, pointer=corner)
    assert first is not None
    assert (first["rule"], first["looks"], first["limit"]) == ("panic_corner", 1, 2)
    assert not (tmp_path / "config" / "panic").exists()

    second = await refusal(guard, CLICK, pointer=corner)

    assert second is not None
    assert (tmp_path / "config" / "panic").exists()
    assert (await refusal(guard, CLICK) or {})["rule"] == "panic_file"


async def test_a_pointer_that_left_the_corner_lets_work_go_on(guard: Guard) -> None:
    assert await refusal(guard, CLICK, pointer=(0, 0)) is not None
    assert await refusal(guard, CLICK, pointer=(500, 500)) is None
    assert (await refusal(guard, CLICK, pointer=(0, 0)) or {})["looks"] == 1


async def test_a_pointer_that_we_put_into_the_corner_ourselves_is_no_panic(guard: Guard) -> None:
    assert await refusal(guard, action(action="click", x=0, y=0)) is None
    assert await refusal(guard, CLICK, pointer=(0, 0)) is None


async def test_a_screen_that_shrank_under_our_pointer_is_no_panic(guard: Guard) -> None:
    assert await refusal(guard, action(action="click", x=990, y=790)) is None

    await guard.check(CLICK, window(), Point(799, 599), Box(0, 0, 800, 600))


async def test_the_corner_can_be_switched_off(guard: Guard, tmp_path: Path) -> None:
    write_policy(tmp_path, "panic_corner = false")

    assert await refusal(guard, CLICK, pointer=(0, 0)) is None


async def test_a_command_in_pieces_is_one_command(guard: Guard) -> None:
    terminal = window("XTerm")
    pieces = [
        action(action="type", text="rm"),
        action(action="press", key="space"),
        action(action="paste", text="-rfx"),
        action(action="press", key="backspace"),
        action(action="type", text=" "),
    ]
    assert [await refusal(guard, one, terminal) for one in pieces] == [None] * len(pieces)

    told = await refusal(guard, action(action="type", text="/"), terminal)

    assert told is not None
    assert told["rule"] == "texts_refused"


async def test_another_window_or_a_new_line_begins_anew(guard: Guard) -> None:
    terminal, slash = window("XTerm"), action(action="type", text="/")
    assert await refusal(guard, action(action="type", text="rm -rf "), terminal) is None

    assert await refusal(guard, slash, window("XTerm", number=2)) is None
    assert await refusal(guard, action(action="type", text="rm -rf "), terminal) is None
    assert await refusal(guard, action(action="press", key="enter"), terminal) is None
    assert await refusal(guard, slash, terminal) is None


async def test_a_pattern_of_the_user_is_refused_everywhere(guard: Guard, tmp_path: Path) -> None:
    write_policy(tmp_path, 'texts_refused = ["(?i)DROP\\\\s+TABLE"]')

    told = await refusal(guard, action(action="paste", text="drop  table clients"))

    assert told is not None
    assert (told["rule"], told["pattern"]) == ("texts_refused", "(?i)DROP\\s+TABLE")
    assert await refusal(guard, action(action="paste", text="a drop on the table")) is None


async def test_a_pattern_that_does_not_end_refuses(guard: Guard, tmp_path: Path) -> None:
    write_policy(tmp_path, 'texts_refused = ["^(a|a)*$"]')

    told = await refusal(guard, action(action="type", text="a" * 60 + "!"))

    assert told is not None
    assert told["unchecked_after_s"] == 4.0
