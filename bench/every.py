"""`make bench`: one benchmark after the other, whatever becomes of each; then the tables go into the docs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench.tables import RESULTS, write_documents


@dataclass(frozen=True)
class Done:
    """How one target ended."""

    target: str
    code: int
    seconds: float

    @property
    def line(self) -> str:
        said = "ok" if self.code == 0 else f"FAILED, exit {self.code}"
        return f"{self.target:<18} {self.seconds:7.0f} s  {said}; {RESULTS.name}/{self.target}.log"


def run(target: str, make: Sequence[str] = ("make", "--no-print-directory")) -> Done:
    """Run a target; what it says goes to the terminal and to a file."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with (RESULTS / f"{target}.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*make, target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            log.write(line)
        code = process.wait()
    return Done(target, code, time.monotonic() - begun)


def main(targets: Sequence[str]) -> int:
    """Run all; 1 if any failed."""
    done = [run(target) for target in targets]
    print("\nwritten into docs/:", ", ".join(write_documents()) or "nothing")
    print("\n".join(one.line for one in done))
    return int(any(one.code for one in done))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
