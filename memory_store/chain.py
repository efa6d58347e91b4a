"""Pure: a chain of rows, each of whose hashes covers the row before it."""

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import JsonValue

from memory_store.canonical import digest

Cell = str | int | float | bytes | None
GENESIS: Final = "0" * 64


def linked(row: dict[str, str | int], seq: int, previous: str) -> dict[str, str | int]:
    """A row as the next link of its chain."""
    content: dict[str, JsonValue] = {**row, "seq": seq, "previous": previous}
    return {**row, "seq": seq, "previous": previous, "hash": digest(content)}


def chain_problems(rows: Iterable[Mapping[str, Cell]], what: str) -> list[str]:
    """Check every link of a chain, given in order; `what` is the noun for one."""
    problems: list[str] = []
    expected_seq, previous = 1, GENESIS
    for row in rows:
        seq, stated = row["seq"], row["hash"]
        assert isinstance(seq, int) and isinstance(stated, str)  # the tables are strict
        if seq != expected_seq:
            problems.append(f"{what} {expected_seq} is missing (next is {seq})")
        elif row["previous"] != previous:
            problems.append(f"{what} {seq} does not follow the one before it")
        content: dict[str, JsonValue] = {
            name: value for name, value in row.items() if name != "hash" and not isinstance(value, bytes)
        }
        if digest(content) != stated:
            problems.append(f"{what} {seq} was altered")
        expected_seq, previous = seq + 1, stated
    return problems
