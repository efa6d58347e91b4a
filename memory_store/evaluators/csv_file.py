"""A cell of a CSV file, by row number or by what stands in the row."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from memory_store.evaluators.compare import Encoding, decode
from memory_store.evaluators.opening import missing, read
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip
from memory_store.evaluators.scene import Scene
from memory_store.evaluators.table import CellSpec, Header, compare_cell, is_number
from memory_store.evaluators.template import PathTemplate, names_in, parse


class CsvCell(CellSpec):
    """A cell of a CSV file whose first line names its columns, unless `header` is false."""

    kind: Literal["csv_cell"] = "csv_cell"
    path: PathTemplate
    header: bool = True
    delimiter: Annotated[str, Field(pattern=r'^[^"\r\n\x00]$')] = ","
    encoding: Encoding = "utf-8"

    @model_validator(mode="after")
    def _numbers_without_headings(self) -> Self:
        named = [] if isinstance(self.column, int) or names_in(parse(self.column)) else [self.column]
        wrong = [name for name in (*named, *(self.where or {})) if not is_number(name)]
        if wrong and not self.header:
            raise ValueError(
                f"{clip(wrong[0], 40)!r} is no column: with `header` false, give its number, counted from 1"
            )
        return self

    def run(self, scene: Scene) -> Finding:
        """Read, find the row, compare."""
        place = scene.values.path(self.path, "path")
        artifact = read(place, "path", scene.limits.file_bytes)
        if artifact is None:
            return missing(place)
        rows = _rows(decode(artifact.data, self.encoding, "encoding"), self.delimiter)
        header = Header.of(next(rows, ())) if self.header else Header()
        return compare_cell(self, header, rows, scene, facts=artifact.facts, sha256=artifact.sha256)


def _rows(text: str, delimiter: str) -> Iterator[Sequence[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except csv.Error as exc:
        raise CouldNotRun("path", f"not a CSV file ({exc})", "check the file and `delimiter`") from exc
