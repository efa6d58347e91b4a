"""The program that a recording is about is opened by it; one that does not come up leaves nothing behind."""

import shlex
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from anyio import to_thread
from mcp import Client

from actionlens.records import RunStatus
from actionlens.run_reader import read_run
from ibtr.geometry import Size
from server.build import build_app, build_server
from server.opening import launch_of, launch_warnings
from server.settings import Settings
from tests.conftest import PROBE, Screen
from tests.server.conftest import ask, refusal

DESKTOP = Path(__file__).parent.parent / "desktop"
pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "policy.toml").write_text("launch_inline = true\n")
    return Settings(home=tmp_path / "home", desktop="virtual", screen=Size(800, 600))


@pytest.fixture
async def client(settings: Settings, x_server: None) -> AsyncIterator[Client]:
    async with Client(build_server(build_app(settings))) as connected:
        yield connected


async def test_the_program_is_opened_again_by_what_it_showed(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "{odd} list.txt").write_text("tea")
    argv = ["mousepad", "--disable-server", "~/{odd} list.txt"]

    begun = await ask(client, "start_run", goal="Look at the list", open=argv)
    await ask(client, "act", action="wait", seconds=0.01)
    ended = await ask(client, "finish_run")

    assert "--confirmed" in begun["note"]  # there was no evaluator
    assert "region" in ended["note"]
    assert "list.txt - Mousepad" in begun["opened"]
    assert launch_of(read_run(settings.runs / begun["run_id"])) == {
        "kind": "launch",
        "argv": ["mousepad", "--disable-server", "~/{{odd}} list.txt"],
        "window": {"application": "Mousepad", "title_contains": "{odd} list.txt"},
    }


@pytest.mark.parametrize("tells", [True, False])
async def test_a_window_that_only_shows_a_name_is_warned_of_where_its_process_does_not_tell(
    client: Client, settings: Settings, tmp_path: Path, tells: bool
) -> None:
    file = tmp_path / "list.txt"
    probe = [sys.executable, str(PROBE), str(tmp_path / "log"), "list.txt - x", "300", "200", "300", "150"]
    forgets = ["sh", "-c", f"exec {shlex.join(probe)}", "sh", str(file)]

    argv = [*probe, "-", str(file)] if tells else forgets
    begun = await ask(client, "start_run", goal="Look at the list", open=argv)
    await ask(client, "act", action="wait", seconds=0.01)
    await ask(client, "finish_run")

    said = await to_thread.run_sync(launch_warnings, read_run(settings.runs / begun["run_id"]))
    warned = ["the window only shows 'list.txt': another file of that name would be taken for it"]
    assert said == ([] if tells else warned)


async def test_the_window_in_front_whose_title_changes_is_not_taken_for_the_program(
    settings: Settings, x_server: None, tmp_path: Path
) -> None:
    app = build_app(settings)
    async with Client(build_server(app)) as client:
        desktop = await app.operator.desktop()
        await desktop.launch([sys.executable, str(DESKTOP / "clock.py")])
        screen = Screen(desktop, tmp_path)
        await screen.until(lambda frame: frame.window is not None and frame.window.title.startswith("tick"))
        argv = [sys.executable, str(PROBE), str(tmp_path / "log"), "one", "300", "200", "300", "150"]

        begun = await ask(client, "start_run", goal="Look at it", open=argv)

    assert begun["opened"] == '"one" (Probe)'


async def test_a_program_that_is_not_there_or_not_allowed_ends_the_recording(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    unknown = await refusal(client, "start_run", goal="Try", open=["no-such-program"])
    (tmp_path / "config" / "policy.toml").write_text("")
    inline = await refusal(client, "start_run", goal="Try", open=["sh", "-c", "touch /tmp/x; mousepad"])
    (tmp_path / "config" / "policy.toml").write_text("launch = false\n")
    forbidden = await refusal(client, "start_run", goal="Try", open=["mousepad"])
    (tmp_path / "config" / "policy.toml").write_text("read_only = true\n")
    read_only = await refusal(client, "start_run", goal="Try", open=["mousepad"])
    after = await ask(client, "start_run", goal="Go on")

    assert "no-such-program" in unknown
    assert "launch_inline = true" in inline
    assert "launch = false" in forbidden
    assert str(tmp_path / "config" / "policy.toml") in forbidden
    assert "read_only = true" in read_only
    assert after.keys() == {"run_id", "note", "next"}
    states = Counter(read_run(path).status for path in settings.runs.iterdir())
    assert states == {RunStatus.FAILED: 4, RunStatus.RUNNING: 1}


async def test_a_program_that_fails_at_once_is_told_with_its_exit_code_and_last_words(client: Client) -> None:
    argv = ["sh", "-c", "echo first >&2; echo 'no such theme' >&2; exit 3"]

    said = await refusal(client, "start_run", goal="Try", open=argv)

    assert "sh ended with exit code 3: no such theme" in said


@pytest.mark.parametrize("code", [0, 3])
async def test_a_program_that_ends_and_leaves_its_window_to_another_process_is_open(
    client: Client, tmp_path: Path, code: int
) -> None:
    probe = [sys.executable, str(PROBE), str(tmp_path / "log"), "one", "300", "200", "300", "150"]
    detached = ["sh", "-c", f"setsid {shlex.join(probe)} & exit {code}"]

    begun = await ask(client, "start_run", goal="Look at it", open=detached)

    assert begun["opened"] == '"one" (Probe)'
