"""A cell of an XLSX workbook, by its name or by what stands in its row."""

import re
from itertools import islice
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from memory_store.evaluators.compare import Scalar, same_value, show
from memory_store.evaluators.opening import Artifact, missing, read
from memory_store.evaluators.outcome import Finding, clip, found
from memory_store.evaluators.scene import Scene, Spec
from memory_store.evaluators.table import CellSpec, Header, compare_cell
from memory_store.evaluators.template import PathTemplate, TextTemplate
from memory_store.evaluators.workbook import NoSuchSheet, Sheets

MAX_COLUMNS = 1_024
Sheet = Annotated[TextTemplate | None, Field(description="Name of the sheet; the first one if absent.")]
CellName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{1,3}[1-9][0-9]{0,6}$")]


class XlsxCell(Spec):
    """The stored value of one cell, such as `B7`."""

    kind: Literal["xlsx_cell"] = "xlsx_cell"
    path: PathTemplate
    sheet: Sheet = None
    cell: CellName
    equals: TextTemplate
    as_number: bool = False

    def run(self, scene: Scene) -> Finding:
        """Read and compare."""
        place = scene.values.path(self.path, "path")
        artifact = read(place, "path", scene.limits.file_bytes)
        if artifact is None:
            return missing(place)
        wanted = scene.values.text(self.equals, "equals")
        try:
            seen = self._seen(artifact, scene)
        except NoSuchSheet as exc:
            return found(False, str(exc), artifact.facts, sha256=artifact.sha256)
        holds = same_value(seen, wanted, as_number=self.as_number)
        says = f"{self.cell} holds {clip(show(seen))!r}" + ("" if holds else ", not as wanted")
        return found(
            holds, says, artifact.facts, sha256=artifact.sha256, seen=clip(show(seen)), wanted=clip(wanted)
        )

    def _seen(self, artifact: Artifact, scene: Scene) -> Scalar:
        letters, digits = re.match(r"([A-Za-z]+)(\d+)", self.cell).groups()  # type: ignore[union-attr]
        column = 0
        for letter in letters.upper():
            column = column * 26 + ord(letter) - ord("A") + 1
        return Sheets(artifact.data, scene.limits).cell(_sheet(self.sheet, scene), int(digits), column)


class XlsxRow(CellSpec):
    """A cell in the row that holds certain values, below a line of headings."""

    kind: Literal["xlsx_row"] = "xlsx_row"
    path: PathTemplate
    sheet: Sheet = None
    header_row: Annotated[int, Field(ge=1, le=1_000)] = 1

    def run(self, scene: Scene) -> Finding:
        """Read, find the row, compare."""
        place = scene.values.path(self.path, "path")
        artifact = read(place, "path", scene.limits.file_bytes)
        if artifact is None:
            return missing(place)
        try:
            sheets = Sheets(artifact.data, scene.limits)
            sheet = _sheet(self.sheet, scene)
            header = Header.of(next(islice(sheets.rows(sheet, self.header_row, MAX_COLUMNS), 1), ()))
            width = max((at for at, name in enumerate(header.names, 1) if name), default=1)
            rows = sheets.rows(sheet, self.header_row + 1, width)
            return compare_cell(self, header, rows, scene, facts=artifact.facts, sha256=artifact.sha256)
        except NoSuchSheet as exc:
            return found(False, str(exc), artifact.facts, sha256=artifact.sha256)


def _sheet(sheet: str | None, scene: Scene) -> str | None:
    return None if sheet is None else scene.values.text(sheet, "sheet")
