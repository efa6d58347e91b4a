"""The documents say what the code does."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bench import tables
from server.cli import COMMANDS, cli
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


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_every_command_to_type_is_one_that_the_program_takes(document: Path) -> None:
    blocks = re.findall(r"^```\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE)
    blocks += re.findall(r"^ {4}(echopath .*)$", document.read_text(), re.MULTILINE)
    typed = [line for block in blocks for line in block.splitlines() if line.startswith("echopath ")]

    for line in typed:
        words = shlex.split(line.replace("[", "").replace("]", ""), comments=True)[1:]
        command: click.Command = cli
        while isinstance(command, click.Group):
            context = click.Context(command)
            _, found, words = command.resolve_command(context, words)
            assert found is not None, line
            command = found
        command.make_context(line, words)


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_every_table_that_claims_to_be_measured_has_a_place_that_the_generator_knows(document: Path) -> None:
    text = document.read_text()
    known = {name for name, page in tables.DOCUMENTS.items() if page == document.name}

    assert set(re.findall(r"<!-- bench:(\S+) -->", text)) == known
    assert {name for name in known if tables.fill(text, name, "x") == text} == set()
    outside = re.sub(r"<!-- bench:(\S+) -->.*?<!-- /bench:\1 -->", "", text, flags=re.DOTALL)
    assert document.name in tables.WHOLE or not re.search(r"^Measured \d{4}-", outside, re.MULTILINE)


@pytest.mark.parametrize("document", tables.WHOLE)
def test_a_document_that_a_benchmark_writes_whole_says_so(document: str) -> None:
    assert f"<!-- written by make {tables.WHOLE[document]}" in (ROOT / "docs" / document).read_text()


def test_every_benchmark_is_run_by_make_bench_and_told_on_its_page() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^(bench-[a-z]+):", makefile, re.MULTILINE))
    listed = subprocess.run(
        ["make", "-n", "bench"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    page = (ROOT / "docs" / "benchmarks.md").read_text()

    assert targets == set(re.findall(r"bench-[a-z]+", listed.split("bench.every")[1]))
    assert {target for target in targets if f"`make {target}`" not in page} == set()


def test_the_readme_has_a_picture_that_is_small() -> None:
    pictures = [*(ROOT / "docs").glob("*.png")]

    assert "](docs/filmstrip.png)" in (ROOT / "README.md").read_text()
    assert [path.name for path in pictures if path.stat().st_size > 150_000] == []
