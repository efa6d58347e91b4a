"""The shipped word tables, read where they are needed: `left = a, b, c` or a bare list a line."""

from collections.abc import Iterator
from importlib.resources import files


def read_lines(name: str) -> Iterator[str]:
    """The lines of a shipped table without comments and blanks."""
    text = files("memory_store.retrieval").joinpath("data", name).read_text(encoding="utf-8")
    for line in text.splitlines():
        kept = line.strip()
        if kept and not kept.startswith("#"):
            yield kept


def read_table(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each line as its left side and the comma-separated names on its right."""
    for line in read_lines(name):
        left, _, right = line.partition(" = ")
        yield left.strip(), tuple(part.strip() for part in right.split(",") if part.strip())
