import hashlib
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_store.archive import BundleLimits
from memory_store.canonical import canonical
from memory_store.errors import BundleRefused
from memory_store.images import image_size
from memory_store.models import Lifecycle, Memory
from memory_store.repository import Repository
from tests.memory_store.bundles import Entries, entries_of, nothing_was_kept, repack
from tests.memory_store.making import crop, later


def _manifest(entries: Entries, change: Callable[[dict[str, object]], object]) -> None:
    plain = json.loads(entries["manifest.json"])
    change(plain)
    entries["manifest.json"] = json.dumps(plain).encode()


def _record(entries: Entries) -> str:
    return next(name for name in entries if name.startswith("memories/"))


def _blob(entries: Entries) -> str:
    return next(name for name in entries if name.startswith("blobs/"))


def _reseal(entries: Entries, change: Callable[[dict[str, object]], object]) -> None:
    """Alter a record and make the manifest agree: what a careful forger would do."""
    name = _record(entries)
    plain = json.loads(entries[name])
    change(plain)
    entries[name] = canonical(plain).encode()

    def relist(manifest: dict[str, object]) -> None:
        listed = manifest["memories"]
        assert isinstance(listed, list)
        for item in listed:
            if name == f"memories/{item['id']}.json":
                item["size"], item["sha256"] = len(entries[name]), hashlib.sha256(entries[name]).hexdigest()

    _manifest(entries, relist)


ATTACKS: dict[str, tuple[Callable[[Entries], object], str]] = {
    "path traversal": (lambda e: e.update({"../evil": b"x"}), "../evil"),
    "absolute path": (lambda e: e.update({"/etc/evil": b"x"}), "/etc/evil"),
    "backslashes": (lambda e: e.update({"blobs\\..\\evil": b"x"}), "blobs\\..\\evil"),
    "traversal inside blobs": (lambda e: e.update({"blobs/../../evil": b"x"}), "blobs/../../evil"),
    "an entry that is not listed": (lambda e: e.update({"blobs/" + "0" * 64: b"x"}), "blobs/" + "0" * 64),
    "no manifest": (lambda e: e.pop("manifest.json"), "manifest.json"),
    "a manifest that is no JSON": (lambda e: e.update({"manifest.json": b"{"}), "manifest.json"),
    "a manifest that is a list": (lambda e: e.update({"manifest.json": b"[]"}), "manifest.json"),
    "a newer version": (lambda e: _manifest(e, lambda m: m.update(version=2)), "version"),
    "another format": (lambda e: _manifest(e, lambda m: m.update(format="zip")), "format"),
    "a surprise in the manifest": (
        lambda e: _manifest(e, lambda m: m.update(run="rm -rf /")),
        "manifest.run",
    ),
    "no memories": (lambda e: _manifest(e, lambda m: m.update(memories=[])), "manifest.memories"),
    "a missing record": (lambda e: e.pop(_record(e)), "memories/"),
    "a missing blob": (lambda e: e.pop(_blob(e)), "blobs/"),
    "an altered record": (
        lambda e: e.update({_record(e): e[_record(e)].replace(b"phone", b"fonee")}),
        "memories/",
    ),
    "an altered blob": (lambda e: e.update({_blob(e): e[_blob(e)][:-1] + b"?"}), "blobs/"),
    "an unknown schema version": (
        lambda e: _reseal(e, lambda m: m.update(schema_version=9)),
        "schema_version",
    ),
    "an unknown field": (lambda e: _reseal(e, lambda m: m.update(lua="os.exit()")), "lua"),
    "an id that is a path": (lambda e: _reseal(e, lambda m: m.update(id="../../x")), ": id"),
    "another tool name than listed": (
        lambda e: _reseal(e, lambda m: m.update(tool_name="other")),
        "memories/",
    ),
    "no steps": (lambda e: _reseal(e, lambda m: m.update(steps=[])), "steps"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_forged_bundle_is_refused_by_field_and_leaves_nothing(
    repository: Repository, bundle: Path, attack: str
) -> None:
    forge, field = ATTACKS[attack]
    entries = entries_of(bundle)
    forge(entries)
    repack(bundle, entries)

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(1))

    assert field in refused.value.field
    assert nothing_was_kept(repository)


def test_an_active_claim_in_a_forged_record_is_ignored(repository: Repository, bundle: Path) -> None:
    entries = entries_of(bundle)
    assert b'"lifecycle":"active"' in entries[_record(entries)]

    arrived: tuple[Memory, ...] = repository.import_bundle(bundle, at=later(1))

    assert {memory.lifecycle for memory in arrived} == {Lifecycle.CANDIDATE}


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_special_files_are_refused(repository: Repository, bundle: Path, kind: int) -> None:
    entries = entries_of(bundle)
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (kind | 0o777) << 16 if name == _blob(entries) else 0
            archive.writestr(info, data)

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(1))

    assert refused.value.field == _blob(entries)
    assert nothing_was_kept(repository)


def test_an_entry_that_is_there_twice_is_refused(repository: Repository, bundle: Path) -> None:
    entries = entries_of(bundle)
    with zipfile.ZipFile(bundle, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(_blob(entries), entries[_blob(entries)])

    with pytest.raises(BundleRefused):
        repository.import_bundle(bundle, at=later(1))

    assert nothing_was_kept(repository)


@pytest.mark.parametrize(
    "limits",
    [
        BundleLimits(file_bytes=100),
        BundleLimits(unpacked_bytes=100),
        BundleLimits(entries=3),
        BundleLimits(record_bytes=100),
        BundleLimits(blob_bytes=100),
    ],
)
def test_too_much_of_anything_is_refused(repository: Repository, bundle: Path, limits: BundleLimits) -> None:
    with pytest.raises(BundleRefused):
        repository.import_bundle(bundle, at=later(1), limits=limits)

    assert nothing_was_kept(repository)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(repository: Repository, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for index in range(2):
            archive.writestr(f"blobs/{index:064x}", b"\0" * (8 * 1024 * 1024))

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bomb, at=later(1), limits=BundleLimits(unpacked_bytes=10 * 1024 * 1024))

    assert bomb.stat().st_size < 20_000
    assert refused.value.field == "entries"


def test_a_png_bomb_is_refused_by_its_header(repository: Repository, bundle: Path) -> None:
    data = bytearray(crop(321, 320, 200))
    data[16:24] = (60_000).to_bytes(4) + (60_000).to_bytes(4)

    with pytest.raises(Exception, match="60000x60000"):
        image_size(bytes(data), "image/png")


@pytest.mark.parametrize("junk", [b"", b"PK", b"PK\x05\x06" + b"\0" * 18, b"\x89PNG\r\n", b"MZ" * 100])
def test_what_is_no_bundle_is_refused(repository: Repository, tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "junk.zip").write_bytes(junk)

    with pytest.raises(BundleRefused):
        repository.import_bundle(tmp_path / "junk.zip", at=later(1))
    with pytest.raises(BundleRefused):
        repository.import_bundle(tmp_path / "absent.zip", at=later(1))
    with pytest.raises(BundleRefused):
        repository.import_bundle(tmp_path, at=later(1))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_flipped_byte_is_either_refused_or_changes_nothing_that_counts(
    repository: Repository, bundle: Path, tmp_path: Path, data: st.DataObject
) -> None:
    original = bundle.read_bytes()
    position = data.draw(st.integers(0, len(original) - 1))
    flipped = bytearray(original)
    flipped[position] ^= data.draw(st.integers(1, 255))
    (tmp_path / "flipped.zip").write_bytes(bytes(flipped))

    count = len(repository.memories())
    names = {"first": f"first_{count}", "second": f"second_{count}"}
    try:
        arrived = repository.import_bundle(tmp_path / "flipped.zip", at=later(1), names=names)
    except BundleRefused:
        return

    with Repository(tmp_path / "source") as source:
        assert [memory.steps for memory in arrived] == [
            source.get(name).steps for name in ("first", "second")
        ]


def test_a_list_of_too_many_entries_is_refused_before_it_is_parsed(
    repository: Repository, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = bundle.read_bytes()
    start, end = packed.index(b"PK\x01\x02"), packed.index(b"PK\x05\x06")
    bundle.write_bytes(packed[:start] + packed[start:end] * 10_000 + packed[end:])
    monkeypatch.setattr(zipfile, "ZipFile", None)

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(1))

    assert refused.value.field == "entries"


@pytest.mark.parametrize("parents", [["m_" + "0" * 16] * 2, ["itself"]])
def test_a_lineage_that_loops_or_repeats_is_refused_by_field(
    repository: Repository, bundle: Path, parents: list[str]
) -> None:
    entries = entries_of(bundle)

    def forge(memory: dict[str, object]) -> None:
        named = [memory["id"] if each == "itself" else each for each in parents]
        lineage = memory["lineage"]
        assert isinstance(lineage, dict)
        memory["lineage"] = {**lineage, "parents": named}

    _reseal(entries, forge)
    repack(bundle, entries)

    with pytest.raises(BundleRefused) as refused:
        repository.import_bundle(bundle, at=later(1))

    assert refused.value.field.endswith("lineage.parents")
    assert nothing_was_kept(repository)
