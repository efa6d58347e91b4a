import os
from pathlib import Path

import pytest

from memory_store.evaluators import Limits, Scene, Values
from memory_store.models import Outcome
from tests.memory_store.evaluators.checks import run, with_inputs


@pytest.mark.parametrize(
    ("written", "options", "passes"),
    [
        ("total 12\n", {}, True),
        ("total 12", {}, True),
        ("total 12\n\n", {}, False),
        ("\ufefftotal 12\r\n", {}, True),
        ("total 12\n", {"trailing_newline": "exact"}, False),
        ("  total 12 \n\n", {"strip": True}, True),
        ("Total 12", {}, False),
        ("Total 12", {"ignore_case": True}, True),
        ("total 13", {}, False),
    ],
)
def test_a_text_is_compared_as_the_options_say(
    tmp_path: Path, written: str, options: dict[str, object], passes: bool
) -> None:
    (tmp_path / "a.txt").write_bytes(written.encode())

    check = run(kind="file_equals", path=f"{tmp_path}/a.txt", equals="total 12", options=options)

    assert (check.outcome is Outcome.PASSED) == passes
    assert check.artifact_sha256 is not None
    assert check.evidence["bytes"] == len(written.encode())


def test_a_difference_is_shown_where_it_begins(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 500 + "A")

    check = run(kind="file_equals", path=f"{tmp_path}/a.txt", equals="x" * 500 + "B")

    assert check.outcome is Outcome.FAILED
    assert check.evidence["differs_at"] == 500
    assert str(check.evidence["seen"]).endswith("xA")


def test_the_replays_own_values_are_what_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "Globex.txt").write_text("phone: 555-0199\n")
    spec = {"kind": "file_contains", "path": f"{tmp_path}/{{client}}.txt", "contains": "phone: {phone}"}

    assert run(with_inputs(client="Globex", phone="555-0199"), **spec).outcome is Outcome.PASSED
    assert run(with_inputs(client="Globex", phone="555-0100"), **spec).outcome is Outcome.FAILED
    assert run(with_inputs(client="Initech", phone="555-0199"), **spec).outcome is Outcome.FAILED


def test_text_wanted_twice_must_be_there_twice(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("ab ab")

    assert (
        run(kind="file_contains", path=f"{tmp_path}/a.txt", contains="ab", times=2).outcome is Outcome.PASSED
    )
    assert run(kind="file_contains", path=f"{tmp_path}/a.txt", contains="ab", times=3).evidence["times"] == 2


def test_an_empty_value_is_not_found_everywhere(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("abc")

    check = run(with_inputs(x=""), kind="file_contains", path=f"{tmp_path}/a.txt", contains="{x}")

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["field"] == "contains"


def test_a_pattern_matches_lines_and_takes_values_literally(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("name: a.c\nid: 12345\n")
    path = f"{tmp_path}/a.txt"

    assert run(kind="file_regex", path=path, regex=r"^id: \d{5}$").outcome is Outcome.PASSED
    assert (
        run(with_inputs(n="a.c"), kind="file_regex", path=path, regex="^name: {n}$").outcome is Outcome.PASSED
    )
    assert (
        run(with_inputs(n="..."), kind="file_regex", path=path, regex="^name: {n}$").outcome is Outcome.FAILED
    )


def test_a_pattern_that_never_ends_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 60 + "!")

    check = run(
        Scene(limits=Limits(seconds=0.3)), kind="file_regex", path=f"{tmp_path}/a.txt", regex=r"^(a+)+$"
    )

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["field"] == "regex"


def test_a_file_is_there_or_gone_or_large_enough(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("abc")
    there, absent = f"{tmp_path}/a.txt", f"{tmp_path}/b.txt"

    assert run(kind="file_exists", path=there).outcome is Outcome.PASSED
    assert run(kind="file_exists", path=there, min_bytes=4).outcome is Outcome.FAILED
    assert run(kind="file_exists", path=there, exists=False).outcome is Outcome.FAILED
    assert run(kind="file_exists", path=absent).outcome is Outcome.FAILED
    assert run(kind="file_exists", path=absent, exists=False).outcome is Outcome.PASSED
    assert run(kind="file_exists", path=str(tmp_path), type="folder").outcome is Outcome.PASSED
    assert run(kind="file_exists", path=there, type="folder").outcome is Outcome.FAILED


def test_a_pipe_a_device_and_a_folder_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in (f"{tmp_path}/pipe", "/dev/zero", str(tmp_path)):
        check = run(kind="file_contains", path=path, contains="x")
        assert check.outcome is Outcome.COULD_NOT_RUN
        assert check.evidence["field"] == "path"


def test_a_file_over_the_limit_is_refused_with_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 101)

    check = run(
        Scene(limits=Limits(file_bytes=100)), kind="file_contains", path=f"{tmp_path}/a.txt", contains="x"
    )

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["limit"] == 100


def test_a_link_cannot_lead_an_input_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link").symlink_to(tmp_path)
    scene = Scene(values=Values({"name": "link/secret.txt"}))

    for kind in ("file_exists", "file_contains"):
        more = {"contains": "x"} if kind == "file_contains" else {}
        check = run(scene, kind=kind, path=f"{tmp_path}/out/{{name}}", **more)
        assert check.outcome is Outcome.COULD_NOT_RUN


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"ab\xff")

    check = run(kind="file_contains", path=f"{tmp_path}/a.bin", contains="a")

    assert check.outcome is Outcome.COULD_NOT_RUN
    assert check.evidence["byte"] == 2
    assert check.evidence["field"] == "options.encoding"


@pytest.mark.parametrize("value", ["x" * 300, "half \ud800"])
def test_a_name_that_no_file_can_have_could_not_be_checked(tmp_path: Path, value: str) -> None:
    for more in ({}, {"exists": False}, {"type": "folder"}):
        check = run(with_inputs(name=value), kind="file_exists", path=f"{tmp_path}/{{name}}", **more)
        assert check.outcome is Outcome.COULD_NOT_RUN
        assert check.evidence["field"] == "path"


@pytest.mark.parametrize(
    "path", ["/proc/self/environ", "/proc/version", "/sys/kernel/mm/ksm/run", "/dev/null"]
)
def test_the_systems_own_files_are_no_artifact_not_even_through_a_link(tmp_path: Path, path: str) -> None:
    (tmp_path / "link.txt").symlink_to(path)

    for named in (path, f"{tmp_path}/link.txt"):
        for spec in ({"kind": "file_contains", "contains": "zzz"}, {"kind": "file_exists"}):
            check = run(path=named, **spec)
            assert check.outcome is Outcome.COULD_NOT_RUN
            assert check.evidence["field"] == "path"


def test_a_report_holds_hardly_anything_of_a_file_that_does_not_fit(tmp_path: Path) -> None:
    secret = "-----BEGIN KEY-----\n" + "s3cr3t" * 100
    (tmp_path / "a.txt").write_text(secret)
    path = f"{tmp_path}/a.txt"

    contains = run(kind="file_contains", path=path, contains="Done")
    regex = run(kind="file_regex", path=path, regex="Done")
    equals = run(kind="file_equals", path=path, equals="Done")
    matched = run(kind="file_regex", path=path, regex="(?s).*")

    for check in (contains, regex):
        assert "s3cr3t" not in check.model_dump_json()
    for check in (contains, regex, equals, matched):
        assert check.model_dump_json().count("s3cr3t") < 10
        assert check.evidence["characters"] == len(secret)
        assert check.artifact_sha256 is not None


def test_a_text_that_nearly_fits_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Total:  12 EUR")
    path = f"{tmp_path}/a.txt"

    assert "ignore_case" in run(kind="file_contains", path=path, contains="total:").detail
    assert "white space" in run(kind="file_contains", path=path, contains="Total: 12").detail
    assert run(kind="file_contains", path=path, contains="sum").detail.endswith("1 wanted")
