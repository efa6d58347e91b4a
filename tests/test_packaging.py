"""The wheel, built once and installed once."""

import subprocess
import sys
import zipfile
from pathlib import Path

from server import __version__

ROOT = Path(__file__).parents[1]


def test_the_built_wheel_holds_the_four_packages_and_its_command_runs(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("echopath-*.whl")
    place = tmp_path / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(place), str(wheel)], check=True)

    said = subprocess.run(
        [sys.executable, "-P", str(place / "bin" / "echopath"), "--version"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(place), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )

    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"server", "memory_store", "actionlens", "ibtr", f"echopath-{__version__}.dist-info"}
    assert any(name.startswith("server/prompts/") for name in zipfile.ZipFile(wheel).namelist())
    assert said.stdout == f"echopath, version {__version__}\n"
