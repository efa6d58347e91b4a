"""The documents say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import COMMANDS
from server.settings import PREFIX, Settings

ROOT = Path(__file__).parents[1]
DOCS = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
NOT_SETTINGS = {
    "ECHOPATH_CONFIG",
    "ECHOPATH_REQUIRE_DESKTOP",
    "ECHOPATH_STRESS",
    "ECHOPATH_TOKEN",
    "ECHOPATH_LOG",
}


def test_the_reference_is_what_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/reference.py", "--check"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_only_commands_settings_and_targets_that_exist_are_mentioned(document: Path) -> None:
    text = document.read_text()
    settings = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | NOT_SETTINGS
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert set(re.findall(r"`(?:\$ )?echopath ([a-z]+)", text)) <= set(COMMANDS)
    assert set(re.findall(r"ECHOPATH_[A-Z_]+", text)) <= settings
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_every_link_inside_the_repository_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", document.read_text())

    assert [link for link in links if "://" not in link and not (document.parent / link).exists()] == []


def test_the_first_thirty_lines_of_the_readme_do_the_job() -> None:
    top = "\n".join((ROOT / "README.md").read_text().splitlines()[:30])

    for needed in ("make demo", "make test", '"mcpServers"', "pipx install", "does not"):
        assert needed in top
