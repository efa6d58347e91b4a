"""openpyxl behind a fence: a distrusted XLSX file in, plain rows of plain values out.

Read only, stored values only, no macros, no links to other files. The archive is looked through before
openpyxl sees it: bombs, encrypted members and document types (entities) are refused.
"""

import io
import time
import warnings
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from datetime import time as time_of_day
from itertools import islice
from typing import TYPE_CHECKING, cast
from xml.etree.ElementTree import ParseError

from memory_store.evaluators.compare import Scalar
from memory_store.evaluators.outcome import CouldNotRun, clip
from memory_store.evaluators.scene import Limits

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet
    from openpyxl.worksheet.worksheet import Worksheet

_BROKEN = (
    *(
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        OverflowError,
        EOFError,
        OSError,
        RuntimeError,
    ),
    *(zipfile.BadZipFile, zlib.error, ParseError),
)
"""What openpyxl and zipfile are known to raise on a broken file."""
_DOCTYPES = tuple("<!DOCTYPE".encode(code) for code in ("ascii", "utf-16-le", "utf-16-be"))
_CHUNK = 1 << 20
_BATCH = 200


class _Timed(io.BytesIO):
    """The workbook's bytes, read under one deadline: whatever openpyxl does, it must come back for more."""

    def __init__(self, data: bytes, deadline: "Deadline") -> None:
        super().__init__(data)
        self._deadline = deadline

    def read(self, size: int | None = -1, /) -> bytes:
        """As usual, unless the time is over."""
        self._deadline.check()
        return super().read(size)


class Deadline:
    """The time that one check may take, over all that it reads."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, time.monotonic() + seconds

    def check(self) -> None:
        """Go on, or not.

        Raises:
            CouldNotRun: the time is over.
        """
        if time.monotonic() > self._end:
            raise CouldNotRun(
                "path",
                f"reading took over {self._seconds:g} s",
                "check a smaller workbook, or a cell further up",
                seconds=self._seconds,
            )


class _Parts(zipfile.ZipFile):
    """The workbook's archive, whose parts may have only so many tags where they are not streamed.

    Sheets and strings are. The others become a tree at once, in one call that no deadline can end.
    """

    def __init__(self, file: io.BytesIO, limits: Limits) -> None:
        super().__init__(file)
        self._tags = limits.xlsx_tags

    def read(self, name: str | zipfile.ZipInfo, pwd: bytes | None = None) -> bytes:
        """One part, if it is no bomb of tags."""
        data = super().read(name, pwd)
        if (tags := data.count(b"<")) > self._tags:
            raise _bomb(f"a part has {tags} tags, at most {self._tags}", tags=tags)
        return data


class Sheets:
    """The sheets of one workbook; nothing is kept open. One deadline from its making on."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data, self._limits, self._deadline = data, limits, Deadline(limits.seconds)
        with _translated():
            _check_archive(self._file(), len(data), limits)

    def rows(self, sheet: str | None, first: int, width: int | None = None) -> Iterator[tuple[Scalar, ...]]:
        """Rows of a sheet (the first if None) from row `first` on, `width` cells each."""
        yield from self._cells(sheet, first, None, 1, width, stored=True)

    def cell(self, sheet: str | None, row: int, column: int) -> Scalar:
        """One cell's stored value.

        Raises:
            CouldNotRun: it is a formula that no application has computed yet.
        """
        value = self._one(sheet, row, column, stored=True)
        if value is None and self._one(sheet, row, column, stored=False) is not None:
            raise CouldNotRun(
                "cell", "it holds a formula without a stored value", "save the workbook in its application"
            )
        return value

    def _one(self, sheet: str | None, row: int, column: int, *, stored: bool) -> Scalar:
        found = next(self._cells(sheet, row, row, column, column, stored=stored), ())
        return found[0] if found else None

    def _cells(
        self, sheet: str | None, first: int, last: int | None, left: int, right: int | None, *, stored: bool
    ) -> Generator[tuple[Scalar, ...]]:
        from openpyxl.reader.excel import ExcelReader

        with _translated():
            reader = ExcelReader(self._file(), read_only=True, data_only=stored, keep_links=False)
            reader.archive = _Parts(self._file(), self._limits)
            reader.read()
            book = reader.wb
        try:
            with _translated():
                page = _page(book, sheet)
                cells = page.iter_rows(first, last, left, right, values_only=True)
            while batch := _batch(cells, self._deadline):
                yield from batch
        finally:
            book.close()

    def _file(self) -> _Timed:
        return _Timed(self._data, self._deadline)


def _page(book: "Workbook", sheet: str | None) -> "Worksheet":
    names = [page.title for page in book.worksheets]
    if sheet is not None and sheet not in names:
        raise NoSuchSheet(f"there is no sheet {clip(sheet, 40)!r}, but {clip(', '.join(names))}")
    page = book[sheet or names[0]]
    cast("ReadOnlyWorksheet", page).reset_dimensions()  # A file may claim any size.
    return cast("Worksheet", page)


def _batch(cells: Iterator[tuple[object, ...]], deadline: Deadline) -> list[tuple[Scalar, ...]]:
    deadline.check()
    # In batches, because the warnings filter is the whole process's and must not be held across a yield.
    with _translated():
        return [tuple(_plain(value) for value in row) for row in islice(cells, _BATCH)]


class NoSuchSheet(Exception):
    """The workbook has no sheet of this name: the artifact is not as wanted."""


@contextmanager
def _translated() -> Generator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "extension is not supported": not our matter.
            yield
    except _BROKEN as exc:
        raise CouldNotRun(
            "path",
            f"not a readable XLSX workbook ({type(exc).__name__}: {clip(str(exc), 80)})",
            "check an XLSX file",
        ) from exc


def _check_archive(file: io.BytesIO, size: int, limits: Limits) -> None:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > limits.xlsx_members:
            raise _bomb(f"{len(members)} members, at most {limits.xlsx_members}", members=len(members))
        total = sum(member.file_size for member in members)
        if total > min(limits.xlsx_unpacked_bytes, max(1_000_000, limits.xlsx_ratio * size)):
            raise _bomb(f"it unpacks to {total} bytes from {size}", unpacked=total, packed=size)
        for member in members:
            _check_member(archive, member)


def _check_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    if member.flag_bits & 1:
        raise CouldNotRun("path", "the workbook is encrypted", "save it without a password")
    tail = b""
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            if any(mark in tail + chunk for mark in _DOCTYPES):
                raise _bomb(f"{member.filename} declares a document type")
            tail = chunk[-32:]


def _bomb(problem: str, **numbers: int) -> CouldNotRun:
    return CouldNotRun(
        "path", f"the workbook is not safe to open: {problem}", "check another file", **numbers
    )


def _plain(value: object) -> Scalar:
    if value is None or isinstance(value, str | int | float | bool | datetime | date | time_of_day):
        return value
    return str(value)
