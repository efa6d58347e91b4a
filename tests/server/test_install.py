import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli import cli
from server.install.entry import CannotInstall, Entry, own_command
from server.install.files import write_text

CODEX_CONFIG = """\
# my settings
model = "some-model"   # the usual one

[mcp_servers.other]
command = "other"

[mcp_servers.echopath]
# mine
command = "old/echopath"
args = [
  "serve",   # as ever
  "--desktop", "local",
]
env_vars = ["CRM_PIN", "DISPLAY"]
tool_timeout_sec = 900
enabled_tools = ["observe"]

[mcp_servers.echopath.tools.observe]
approval_mode = "approve"

[profiles.x]
model = "y"
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "user"
    (work := tmp_path / "work").mkdir()
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(work)
    return place


def install(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["install", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["install", *arguments], catch_exceptions=False)
    assert done.exit_code == 1, done.output
    return done.output


def claude_entry(file: Path, *path: str) -> dict[str, Any]:
    node = json.loads(file.read_text())
    for name in (*path, "mcpServers", "echopath"):
        node = node[name]
    return dict(node)


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_printing_changes_nothing(host: str, home: Path) -> None:
    text = install(host, "--print")

    parsed = json.loads(text)["mcpServers"] if host == "claude" else tomllib.loads(text)["mcp_servers"]
    assert parsed["echopath"]["args"][-3:-1] == ["serve", "--agent"]
    assert list(home.iterdir()) == []


def test_codex_gets_the_screen_and_time_enough(home: Path) -> None:
    install("codex")

    made = tomllib.loads((home / ".codex/config.toml").read_text())["mcp_servers"]["echopath"]
    assert {"DISPLAY", "XAUTHORITY"} <= set(made["env_vars"])
    assert (made["startup_timeout_sec"], made["tool_timeout_sec"]) == (30, 120)
    assert "default_tools_approval_mode" not in made


@pytest.mark.parametrize(
    ("scope", "file", "path"),
    [
        ("user", "user/.claude.json", ()),
        ("project", "work/.mcp.json", ()),
        ("local", "user/.claude.json", ("projects",)),
    ],
)
def test_claude_is_told_in_the_file_of_each_scope(
    tmp_path: Path, scope: str, file: str, path: tuple[str, ...]
) -> None:
    install("claude", "--scope", scope)

    at = (*path, str(tmp_path / "work")) if path else ()
    assert claude_entry(tmp_path / file, *at)["type"] == "stdio"


def test_nothing_of_a_claude_configuration_is_lost(home: Path) -> None:
    file = home / ".claude.json"
    before = {
        "numStartups": 7,
        "mcpServers": {"other": {"command": "x"}, "echopath": {"command": "old", "env": {"A": "é"}}},
        "projects": {"/p": {"mcpServers": {}}},
    }
    file.write_text(json.dumps(before, ensure_ascii=False))
    file.chmod(0o640)

    said = install("claude")

    after = json.loads(file.read_text())
    assert after["mcpServers"]["echopath"].pop("env") == {"A": "é"}
    assert after["mcpServers"].pop("echopath")["command"] == own_command()[0]
    assert (after["numStartups"], after["projects"], after["mcpServers"]) == (
        7,
        {"/p": {"mcpServers": {}}},
        {"other": {"command": "x"}},
    )
    assert file.stat().st_mode & 0o777 == 0o640
    backup = next(home.glob(".claude.json.backup-*"))
    assert json.loads(backup.read_text()) == before
    assert backup.name in said


def test_nothing_of_a_codex_configuration_is_lost(home: Path) -> None:
    (file := home / ".codex/config.toml").parent.mkdir()
    file.write_text(CODEX_CONFIG)

    install("codex")

    text = file.read_text()
    before, after = tomllib.loads(CODEX_CONFIG), tomllib.loads(text)
    ours = after["mcp_servers"].pop("echopath")
    old = before["mcp_servers"].pop("echopath")
    assert before == after
    assert ours["command"] == own_command()[0]
    assert ours["args"][-1] == "codex"
    assert ours["env_vars"][:2] == ["CRM_PIN", "DISPLAY"]
    assert {name: ours[name] for name in ("tool_timeout_sec", "enabled_tools", "tools")} == {
        name: old[name] for name in ("tool_timeout_sec", "enabled_tools", "tools")
    }
    assert "# my settings" in text
    assert "# the usual one" in text
    assert "# mine" in text


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_a_second_time_changes_nothing(host: str, home: Path) -> None:
    install(host, "--approve")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}

    said = install(host, "--approve")

    assert "already" in said
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_approvals_are_widened_only_when_asked(home: Path) -> None:
    rules, config = home / ".claude/settings.json", home / ".codex/config.toml"
    install("claude")
    install("codex")
    assert not rules.exists()
    assert "approv" not in config.read_text()

    rules.parent.mkdir()
    rules.write_text('{"permissions": {"allow": ["Bash(ls)"], "deny": ["Read"]}, "x": 1}')
    install("claude", "--approve")
    install("codex", "--approve")

    told = json.loads(rules.read_text())
    assert told == {"permissions": {"allow": ["Bash(ls)", "mcp__echopath"], "deny": ["Read"]}, "x": 1}
    assert (
        tomllib.loads(config.read_text())["mcp_servers"]["echopath"]["default_tools_approval_mode"]
        == "approve"
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"a": 1,\n "b": }', "line 2"),
        ("[1]", "line 1"),
        ('{"mcpServers": []}', "mcpServers"),
        ('{"a": {"b": 1, "b": 2}}', "'b'"),
    ],
)
def test_a_broken_claude_file_is_named_and_left_alone(home: Path, text: str, named: str) -> None:
    (home / ".claude.json").write_text(text)

    said = refused("claude")

    assert str(home / ".claude.json") in said
    assert named in said
    assert [path.name for path in home.iterdir()] == [".claude.json"]
    assert (home / ".claude.json").read_text() == text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a = 1\nb = = 2\n", "line 2"),
        ("mcp_servers = 3\n", "mcp_servers"),
        ('mcp_servers = {other = {command = "x"}}\n', "by hand"),
        ('[mcp_servers]\nechopath = {command = "x"}\n', "by hand"),
        ('[mcp_servers.echopath]\nurl = "http://127.0.0.1:1/mcp"\n', "HTTP"),
    ],
)
def test_a_codex_file_that_is_broken_or_written_otherwise_is_left_alone(
    home: Path, text: str, named: str
) -> None:
    (file := home / ".codex/config.toml").parent.mkdir()
    file.write_text(text)

    said = refused("codex")

    assert str(file) in said
    assert named in said
    assert file.read_text() == text
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    "text", ["", "a = 1", "a = 1\n", '[x]\ny = """\n[mcp_servers.echopath]\n"""\n', "# only\n"]
)
def test_the_entry_is_appended_to_any_codex_file(home: Path, text: str) -> None:
    (file := home / ".codex/config.toml").parent.mkdir()
    file.write_text(text)

    install("codex", "--name", "desk-2")

    assert file.read_text().startswith(text)
    after = tomllib.loads(file.read_text())
    assert after.pop("mcp_servers")["desk-2"]["command"] == own_command()[0]
    assert after == tomllib.loads(text)


def test_a_link_to_a_configuration_stays_a_link(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    (home / ".claude.json").symlink_to(real)

    install("claude")

    assert (home / ".claude.json").is_symlink()
    assert "echopath" in real.read_text()


def test_a_file_that_somebody_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("newer")

    with pytest.raises(CannotInstall):
        write_text(file, "mine", "older")

    assert file.read_text() == "newer"


@pytest.mark.parametrize("name", ["", "a b", "a.b", "x" * 33, "é"])
def test_a_name_that_a_host_would_change_is_refused(name: str) -> None:
    assert "--name" in refused("codex", "--name", name)


def test_the_command_is_absolute_unless_the_path_has_it_for_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "bin" / "echopath"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)

    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv("PATH", str(script.parent))
    assert own_command() == ["echopath"]
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert own_command() == [str(script)]
    monkeypatch.setenv("PATH", "/nowhere")
    assert Path(own_command()[0]).is_absolute()


def test_the_shipped_entry_is_the_one_that_claude_is_told() -> None:
    shipped = json.loads((Path(__file__).parents[2] / "mcp.json").read_text())["mcpServers"]["echopath"]
    from server.install.claude import shown

    told = json.loads(shown(Entry("echopath", "echopath", ("serve",))))["mcpServers"]["echopath"]

    assert shipped == told
