import re
import tomllib
from pathlib import Path

from server.cli import COMMANDS
from server.policy import Policy
from server.policy_defaults import HOTKEYS_REFUSED
from tests.server.processes import ROOT

POLICY = (ROOT / "docs" / "policy.md").read_text()
HOSTS = (ROOT / "docs" / "hosts.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_policys_page_names_every_field_and_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", POLICY, re.MULTILINE))

    assert set(rows) == set(Policy.model_fields)
    for name, field in Policy.model_fields.items():
        default = field.default
        said = rows[name].strip("`")
        if default == ():
            assert said == "none", name
        else:
            assert tomllib.loads(f"x = {said}")["x"] == (
                list(default) if isinstance(default, tuple) else default
            )


def test_the_policys_page_shows_a_policy_that_can_be_used() -> None:
    for block in blocks(POLICY, "toml"):
        Policy.model_validate(tomllib.loads(block))


def test_the_policys_page_names_the_refused_keys() -> None:
    for chord in HOTKEYS_REFUSED:
        assert chord in POLICY or re.fullmatch(r"ctrl\+alt\+f\d+", chord), chord


def test_the_hosts_page_shows_entries_that_parse_and_commands_that_exist() -> None:
    for block in blocks(HOSTS, "toml"):
        assert "echopath" in tomllib.loads(block)["mcp_servers"]
    for command in re.findall(r"^echopath (\w+)", HOSTS, re.MULTILINE):
        assert command in COMMANDS


def test_the_documents_name_no_folder_of_a_machine() -> None:
    for page in Path(ROOT / "docs").glob("*.md"):
        assert not re.search(r"/root/|/work/|/home/\w", page.read_text()), page
