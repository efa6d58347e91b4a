"""A cell in a table of rows: which row, which column, and is it as wanted? For CSV and XLSX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import Field, model_validator

from memory_store.evaluators.compare import Scalar, same_value, show
from memory_store.evaluators.outcome import CouldNotRun, Facts, Finding, clip, found
from memory_store.evaluators.scene import Scene, Spec
from memory_store.evaluators.template import TextTemplate
from memory_store.models import Digest

Column = Annotated[
    TextTemplate | Annotated[int, Field(ge=1)],
    Field(description="The column's heading, or its number from 1."),
]
Row = Sequence[Scalar]


class CellSpec(Spec):
    """The row is given by its number or by what stands in it; the column by its heading or number."""

    column: Column
    row: Annotated[int | None, Field(ge=1, description="From 1, the heading not counted.")] = None
    where: Annotated[
        dict[str, TextTemplate] | None,
        Field(min_length=1, max_length=8, description='{"Client": "{client}"}'),
    ] = None
    equals: TextTemplate
    as_number: Annotated[bool, Field(description="Compare 1200.00 and 1200 as numbers.")] = False

    @model_validator(mode="after")
    def _one_way_to_the_row(self) -> Self:
        if (self.row is None) == (self.where is None):
            raise ValueError("give exactly one of `row` and `where`")
        return self


@dataclass(frozen=True, slots=True)
class Header:
    """Headings of a table, trimmed; none when the table has no heading line."""

    names: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, row: Row) -> Self:
        """The headings that a line holds."""
        return cls(tuple("" if cell is None else show(cell).strip() for cell in row))

    def index(self, column: str | int, where: str) -> int:
        """Where a column stands, from 0.

        Raises:
            CouldNotRun: two columns have this heading.
            LookupError: there is no such column.
        """
        if isinstance(column, str) and not self.names and is_number(column):
            column = int(column)
        if isinstance(column, int):
            return column - 1
        if (count := self.names.count(column.strip())) > 1:
            raise CouldNotRun(where, f"{count} columns are headed {column!r}", "give the column's number")
        if not count:
            raise LookupError(f"{where}: no column is headed {column!r}, but {clip(', '.join(self.names))}")
        return self.names.index(column.strip())


def is_number(name: str) -> bool:
    """Whether a string counts columns, from 1."""
    return re.fullmatch("[1-9][0-9]{0,5}", name) is not None


def compare_cell(
    spec: CellSpec,
    header: Header,
    rows: Iterable[Row],
    scene: Scene,
    *,
    facts: Facts,
    sha256: Digest | None,
) -> Finding:
    """Whether the cell is as wanted; a row or column that is not there fails."""
    wanted = scene.values.text(spec.equals, "equals")
    try:
        seen, number = _cell(spec, header, rows, scene)
    except LookupError as exc:
        return found(False, str(exc.args[0]), facts, sha256=sha256, wanted=clip(wanted))
    holds = same_value(seen, wanted, as_number=spec.as_number)
    says = f"row {number} holds {clip(show(seen))!r}" + ("" if holds else ", not as wanted")
    return found(holds, says, facts, sha256=sha256, seen=clip(show(seen)), wanted=clip(wanted), row=number)


def _cell(spec: CellSpec, header: Header, rows: Iterable[Row], scene: Scene) -> tuple[Scalar, int]:
    column = spec.column if isinstance(spec.column, int) else scene.values.text(spec.column, "column")
    at = header.index(column, "column")
    row, number = _row(spec, header, rows, scene)
    return (row[at] if at < len(row) else None), number


def _row(spec: CellSpec, header: Header, rows: Iterable[Row], scene: Scene) -> tuple[Row, int]:
    conditions = {
        header.index(name, "where"): scene.values.text(value, "where")
        for name, value in (spec.where or {}).items()
    }
    fits: list[tuple[Row, int]] = []
    count = 0
    for count, row in enumerate(rows, 1):
        if count > scene.limits.rows:
            raise CouldNotRun(
                "path", f"more than {scene.limits.rows} rows", "check a smaller table", rows=count
            )
        if count == spec.row or (spec.where and _fits(row, conditions)):
            fits.append((row, count))
            if spec.row:
                break
    if len(fits) != 1:
        sought = f"row {spec.row}" if spec.row else f"`where` {clip(str(list(conditions.values())), 80)}"
        raise LookupError(f"{sought} fits {len(fits)} of {count} rows, 1 wanted")
    return fits[0]


def _fits(row: Row, conditions: dict[int, str]) -> bool:
    return all(at < len(row) and same_value(row[at], text) for at, text in conditions.items())
