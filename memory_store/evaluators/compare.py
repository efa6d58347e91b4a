"""When is what was found what was wanted? Text with its options, and single values of any type."""

from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_store.evaluators.outcome import CouldNotRun

Encoding = Literal["utf-8", "utf-16", "latin-1", "cp1252"]
Scalar = str | int | float | bool | None | datetime | date | time


class TextOptions(BaseModel):
    """How exactly two texts must agree. A byte-order mark is never part of the text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoding: Encoding = "utf-8"
    strip: Annotated[bool, Field(description="Ignore white space at both ends.")] = False
    trailing_newline: Annotated[
        Literal["any", "exact"], Field(description="`any`: one newline more or less at the end is the same.")
    ] = "any"
    line_ends: Annotated[Literal["any", "exact"], Field(description="`any`: CRLF and LF are the same.")] = (
        "any"
    )
    ignore_case: bool = False

    def normal(self, text: str) -> str:
        """The text with what does not matter taken away."""
        text = text.removeprefix("\ufeff")
        if self.line_ends == "any":
            text = text.replace("\r\n", "\n")
        if self.strip:
            text = text.strip()
        elif self.trailing_newline == "any":
            text = text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
        return text.casefold() if self.ignore_case else text


def decode(data: bytes, encoding: Encoding, where: str) -> str:
    """The bytes as text, without a byte-order mark.

    Raises:
        CouldNotRun: they are not text in that encoding.
    """
    try:
        return data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as exc:
        raise CouldNotRun(
            where,
            f"byte {exc.start} is not {encoding}",
            "set `encoding`, or check a text file",
            byte=exc.start,
        ) from exc


def same_value(seen: Scalar, wanted: str, *, as_number: bool = False) -> bool:
    """Whether a typed value is what a string says: numbers by value, dates in ISO form, the rest by its text.

    A text is compared as text ("007" is not "7") unless `as_number`.
    """
    wanted = wanted.strip()
    if isinstance(seen, str):
        return seen.strip() == wanted or (as_number and _same_number(seen.strip(), wanted))
    if isinstance(seen, int | float) and not isinstance(seen, bool):
        return _same_number(seen, wanted)
    return wanted in _spellings(seen)


def show(seen: Scalar) -> str:
    """A value as a report shows it."""
    return "(empty)" if seen is None else seen.isoformat() if isinstance(seen, date | time) else str(seen)


def _same_number(seen: float | str, wanted: str) -> bool:
    # Spreadsheets keep and show 15 digits; beyond them 0.1 + 0.2 is not 0.3.
    digits = format(seen, ".15g") if isinstance(seen, float) else str(seen)
    try:
        return Decimal(digits) == Decimal(wanted)
    except InvalidOperation:
        return False


def _spellings(seen: bool | date | time | None) -> set[str]:
    if seen is None:
        return {""}
    if isinstance(seen, bool):
        return {"true", "True", "TRUE"} if seen else {"false", "False", "FALSE"}
    spelled = {seen.isoformat(), str(seen)}
    if isinstance(seen, datetime) and seen.time() == time():
        spelled.add(seen.date().isoformat())
    return spelled
