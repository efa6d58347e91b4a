import base64
import hashlib
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from actionlens import xlib
from actionlens.desk import open_virtual
from actionlens.errors import DesktopUnusable

pytestmark = pytest.mark.anyio


@pytest.fixture
def installed(tmp_path: Path) -> Distribution:
    """A package of two modules, with the hashes that its installer noted."""
    (tmp_path / "Xlib").mkdir()
    (tmp_path / "some-1.dist-info").mkdir()
    lines: list[str] = []
    for name in ("Xlib/randr.py", "Xlib/xinput.py"):
        (tmp_path / name).write_text(f"# {name} of 0.33\n")
        digest = base64.urlsafe_b64encode(hashlib.sha256((tmp_path / name).read_bytes()).digest())
        lines.append(f"{name},sha256={digest.rstrip(b'=').decode()},1")
    (tmp_path / "some-1.dist-info" / "RECORD").write_text("\n".join([*lines, "some-1.dist-info/RECORD,,"]))
    return Distribution.at(tmp_path / "some-1.dist-info")


def test_a_package_that_nobody_wrote_into_is_whole(installed: Distribution) -> None:
    assert xlib.overwritten(installed) == []


def test_a_module_that_another_package_wrote_or_took_away_is_named(
    installed: Distribution, tmp_path: Path
) -> None:
    (tmp_path / "Xlib" / "randr.py").write_text("# of 0.15\n")
    (tmp_path / "Xlib" / "xinput.py").unlink()

    assert xlib.overwritten(installed) == ["Xlib/randr.py", "Xlib/xinput.py"]


async def test_a_mixed_xlib_drives_nothing_and_the_command_that_mends_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xlib, "xlib_trouble", lambda: "7 files of python-xlib were overwritten")

    with pytest.raises(DesktopUnusable, match=r"7 files .* --no-deps python-xlib"):
        await open_virtual()


def test_the_xlib_that_the_tests_run_on_is_whole() -> None:
    assert xlib.xlib_trouble() == ""
