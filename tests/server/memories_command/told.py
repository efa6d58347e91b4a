"""What `echopath memories` answers, and a memory that it cannot read."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def answer(result: Result) -> dict[str, object]:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return dict(json.loads(result.output))


def damage(home: Path, name: str) -> None:
    with sqlite3.connect(home / "memories.db") as raw:
        raw.execute("UPDATE memories SET document = '{' WHERE tool_name = ?", [name])
    raw.close()
