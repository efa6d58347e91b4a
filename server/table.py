"""Rows for people: a plain aligned table, colour on a terminal only."""

from collections.abc import Iterable, Sequence

import click


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """An aligned table; empty cells show as a dash."""
    cells = [[("-" if cell in (None, "") else str(cell)) for cell in row] for row in rows]
    widths = [max(len(line[n]) for line in [list(head), *cells]) for n in range(len(head))]
    lines = [click.style(_line(head, widths), bold=True), *(_line(row, widths) for row in cells)]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def counted(count: int, one: str, many: str) -> str:
    """How many of what, in the right number."""
    return f"{count} {one if count == 1 else many}"


def size_text(size: int) -> str:
    """Bytes for people."""
    return (
        f"{size} B"
        if size < 1024
        else f"{size / 1024:.1f} kB"
        if size < 1024**2
        else f"{size / 1024**2:.1f} MB"
    )
