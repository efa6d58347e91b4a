from pathlib import Path

import pytest

from server.doctor import Finding, examine
from server.panic import end_panic, start_panic
from server.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


async def found(tmp_path: Path) -> dict[str, Finding]:
    findings = await examine(Settings(home=tmp_path / "home", desktop="virtual"))
    return {finding.what: finding for finding in findings}


async def test_a_policy_that_cannot_be_read_and_a_stop_are_found_with_their_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, x_server: None
) -> None:
    monkeypatch.setenv("ECHOPATH_CONFIG", str(tmp_path))
    (tmp_path / "policy.toml").write_text("read_onyl = true")
    start_panic(tmp_path, "a test")

    broken = await found(tmp_path)
    (tmp_path / "policy.toml").write_text("read_only = true")
    end_panic([tmp_path])
    mended = await found(tmp_path)

    assert not broken["policy"].works
    assert "read_onyl" in broken["policy"].detail
    assert broken["emergency stop"].fix == "echopath panic --clear"
    assert mended["policy"].works
    assert "read_only" in mended["policy"].detail
    assert mended["emergency stop"].works
