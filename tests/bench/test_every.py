import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
from bench import every
every.RESULTS = Path(sys.argv[1])
every.write_documents = lambda: ["one"]
sys.exit(every.main(["bench-breaks", "bench-works"]))
"""


def test_one_that_fails_is_named_at_the_end_and_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("bench-breaks:\n\t@false\nbench-works:\n\t@echo figures\n")

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "results")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    breaks, works = done.stdout.splitlines()[-2:]
    assert breaks.startswith("bench-breaks")
    assert "FAILED, exit 2" in breaks
    assert "ok" in works
    assert (tmp_path / "results" / "bench-works.log").read_text() == "figures\n"
