"""Search a regular expression in a process of its own: a pattern that never ends cannot hold us."""

import json
import subprocess
import sys
from typing import NamedTuple

from memory_store.evaluators.outcome import CouldNotRun

# -I -S: neither the folder it is started in nor the user's site packages can lend it another `re`.
_CHILD = """
import json, re, sys
ask = json.load(sys.stdin)
hit = re.search(ask["pattern"], ask["text"], re.MULTILINE | (re.IGNORECASE if ask["ignore_case"] else 0))
json.dump(hit and [hit.start(), hit.group(0)[:1000]], sys.stdout)
"""


class Hit(NamedTuple):
    """Where a pattern matched, and on what."""

    start: int
    text: str


def search(pattern: str, text: str, where: str, *, ignore_case: bool, seconds: float) -> Hit | None:
    """The first match, or None.

    Raises:
        CouldNotRun: the search took too long, or the filled pattern is none.
    """
    ask = json.dumps({"pattern": pattern, "text": text, "ignore_case": ignore_case})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=ask.encode("ascii"),
            capture_output=True,
            timeout=seconds,
            check=False,
            env={"PYTHONUTF8": "1"},
        )
    except subprocess.TimeoutExpired as exc:
        raise CouldNotRun(
            where,
            f"the search took over {seconds:g} s",
            "write the pattern without nested repetition",
            seconds=seconds,
        ) from exc
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise CouldNotRun(where, f"the search failed ({reason})", "correct the pattern")
    answer: list[int | str] | None = json.loads(done.stdout)
    return None if answer is None else Hit(int(answer[0]), str(answer[1]))
