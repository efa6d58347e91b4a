"""Memories out of a store and into another one, by command."""

import os
from pathlib import Path

import pytest

from memory_store.models import (
    FileCondition,
    LaunchCondition,
    Lifecycle,
    WindowCondition,
)
from memory_store.repository import Repository
from tests.memory_store.making import AT, add_memory, later, make_memory
from tests.server.memories_command.told import Run, answer, damage


def test_a_damaged_memory_does_not_keep_others_from_being_exported(
    run: Run, home: Path, store: None, tmp_path: Path
) -> None:
    with Repository(home) as repository:
        repository.promote("other", at=later(1))
    damage(home, "update_phone")

    named = run("export", "other", "--to", tmp_path / "named.zip")
    everything = answer(run("export", "--all", "--to", tmp_path / "all.zip", "--json"))
    itself = run("export", "update_phone", "--to", tmp_path / "itself.zip", "--json")

    assert named.exit_code == 0, named.output
    assert everything["memories"] == ["other"]
    assert [one["tool_name"] for one in everything["damaged"]] == ["update_phone"]  # type: ignore[attr-defined]
    assert (itself.exit_code, answer(itself)["error"]) == (1, "StoreCorrupt")


@pytest.mark.usefixtures("store")
def test_what_was_imported_says_how_it_comes_into_use_and_how_a_taken_name_is_passed(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "out.zip"
    run("export", "update_phone", "--to", bundle)
    again = run("import", bundle, "--json")
    monkeypatch.setenv("ECHOPATH_HOME", str(home.parent / "elsewhere"))
    with Repository(home.parent / "elsewhere") as repository:
        add_memory(repository, "update_phone", seed=7)
    taken = run("import", bundle, "--json")
    run("import", bundle, "--rename", "update_phone=theirs")
    refused = run("promote", "theirs")
    done = run("promote", "theirs", "--confirmed", "the number is in the sheet")

    assert "--rename update_phone=NEW" in str(answer(again)["message"])
    assert "'update_phone' already belongs to" in str(answer(taken)["message"])
    assert "--rename OLD=NEW" in str(answer(taken)["message"])
    assert 'memories promote theirs --confirmed "what you saw"' in refused.output
    assert done.exit_code == 0


def test_an_import_warns_of_paths_that_belong_to_another_home_or_lead_nowhere(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = WindowCondition(application="Pcmanfm")
    named = {
        "theirs": LaunchCondition(argv=("pcmanfm", "/home/of_recorder/clients"), window=window),
        "nowhere": FileCondition(path=f"{tmp_path}/gone/{{phone}}.txt"),
        "mine": LaunchCondition(argv=("pcmanfm", "~/clients", str(tmp_path)), window=window),
    }
    with Repository(tmp_path / "source") as source:
        for name, condition in named.items():
            made = make_memory(name).model_copy(update={"preconditions": (condition,)})
            source.add(made, at=AT)
        source.export([*named], tmp_path / "bundle.zip", at=AT)

    told = answer(run("import", tmp_path / "bundle.zip", "--json"))["imported"]

    assert isinstance(told, list)
    warned = {one["tool_name"]: " ".join(one["warnings"]) for one in told}
    assert "/home/of_recorder, not your home folder" in warned["theirs"]
    assert f"there is no {tmp_path}/gone on this machine" in warned["nowhere"]
    assert warned["mine"] == ""


@pytest.mark.usefixtures("store")
def test_memories_are_shared_through_a_file(
    run: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "out.zip"
    assert run("export", "update_phone", "other", "--to", bundle).exit_code == 0
    assert run("export", "update_phone", "--to", bundle).exit_code == 2
    assert run("export", "--to", tmp_path / "none.zip").exit_code == 2
    assert answer(run("export", "--all", "--to", bundle, "--force", "--json"))["memories"] == ["update_phone"]
    clash = run("import", bundle, "--json")
    monkeypatch.setenv("ECHOPATH_HOME", str(home.parent / "elsewhere"))
    arrived = answer(run("import", bundle, "--rename", "update_phone=theirs", "--json"))

    assert (clash.exit_code, answer(clash)["error"]) == (1, "BundleRefused")
    assert isinstance(arrived["imported"], list)
    assert [(each["tool_name"], each["lifecycle"]) for each in arrived["imported"]] == [
        ("theirs", "candidate")
    ]


@pytest.mark.usefixtures("store")
def test_exporting_everything_where_nothing_is_active_says_so(run: Run, home: Path, tmp_path: Path) -> None:
    with Repository(home) as repository:
        for memory in repository.memories(Lifecycle.ACTIVE):
            repository.deprecate(memory.id, at=AT, because="a test")

    result = run("export", "--all", "--to", tmp_path / "none.zip")

    assert result.exit_code == 1
    assert "no memory is active" in result.output


def test_a_bundle_is_a_regular_file_of_bounded_size(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in ("/dev/zero", tmp_path / "pipe", tmp_path):
        refused = run("import", path, "--json")
        assert refused.exit_code == 1
        assert answer(refused)["error"] == "BundleRefused"
