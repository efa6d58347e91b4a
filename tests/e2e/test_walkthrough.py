"""The two pages that show call by call what happens are true."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.desktop
@pytest.mark.timeout(500)
def test_a_first_memory_a_refusal_and_a_repair_go_as_the_pages_say(x_server: None) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/walkthrough.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
