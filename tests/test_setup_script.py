"""`make setup` where it cannot do its work: a sentence, never a trace."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "setup.sh"
TOOLS = ("bash", "env", "dirname", "cat", "touch", "grep")


def machine(tmp_path: Path, **programs: str) -> dict[str, str]:
    """A PATH with a few real tools and programs that say what they are told to."""
    for name in TOOLS:
        real = next(Path(folder) / name for folder in ("/usr/bin", "/bin") if (Path(folder) / name).exists())
        (tmp_path / name).symlink_to(real)
    for name, body in programs.items():
        file = tmp_path / name.replace("_", "-")
        file.write_text(f"#!/bin/bash\n{body}\n")
        file.chmod(0o755)
    return {"PATH": str(tmp_path), "VENV": str(tmp_path / "venv"), "HOME": os.environ["HOME"]}


def run(env: dict[str, str]) -> tuple[int, str]:
    bash = Path(env["PATH"]) / "bash"
    done = subprocess.run([bash, SCRIPT], env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("system", ["Darwin", "MINGW64_NT-10.0"])
def test_elsewhere_than_on_linux_it_says_what_works(tmp_path: Path, system: str) -> None:
    code, said = run(machine(tmp_path, uname=f"echo {system}"))

    assert f"{system}: desktops are driven on Linux only" in said
    assert (code, "no python3" in said) == (1, True)


def test_without_a_package_manager_it_names_the_programs(tmp_path: Path) -> None:
    code, said = run(machine(tmp_path, uname="echo Linux"))

    assert "no apt-get here: install Xvfb, openbox" in said
    assert code == 1


def test_without_root_and_sudo_it_names_the_packages(tmp_path: Path) -> None:
    code, said = run(
        machine(tmp_path, uname="echo Linux", apt_get="exit 1", dpkg_query="exit 1", id="echo 1000")
    )

    assert code == 1
    assert "neither root nor sudo" in said
    assert "xvfb openbox" in said


def test_packages_that_cannot_be_had_are_named(tmp_path: Path) -> None:
    code, said = run(
        machine(tmp_path, uname="echo Linux", apt_get="exit 1", dpkg_query="exit 1", id="echo 0")
    )

    assert code == 1
    assert "'apt-get update' failed" in said


def test_an_old_python_is_named(tmp_path: Path) -> None:
    old = 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi'
    code, said = run(machine(tmp_path, uname="echo Linux", python3=old))

    assert code == 1
    assert "Python 3.11 or newer is needed, Python 3.9.2 was found" in said
