"""LibreOffice Calc and Writer: a grid of equal cells, toolbars, a question about the file format."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from bench.study.stage import Stage
from bench.study.task import Spot, Start, Task, Values, click, hotkey, press, write
from ibtr.geometry import Box

_WINDOWS = (
    Box(100, 60, 1400, 860), Box(40, 30, 1300, 800), Box(150, 20, 1250, 820), Box(0, 20, 1500, 840),
    Box(220, 60, 1350, 780), Box(80, 40, 1450, 810),
)  # fmt: skip
_REST_S = 2.0  # its toolbars come in long after its window
_ARGUMENTS = ["--norestore", "--nologo", "--nofirststartwizard"]
_ITEMS = (("Rent", 900), ("Paper", 40), ("Phone", 25), ("Travel", 300))
_FLAT = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" '
    'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>'
    "<text:p>Diary of the office</text:p><text:p>Day one: {first}.</text:p></office:text></office:body>"
    "</office:document>"
)


def on_sheet(name: str = "budget.xlsx", **changed: str) -> Start:
    """Start Calc on the budget; `changed` gives items another amount, with `{input}` for values."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        from openpyxl import Workbook

        book = Workbook()
        sheet = book.worksheets[0]
        sheet.title = "Budget"
        sheet.append(("Item", "Amount"))
        for item, amount in _ITEMS:
            sheet.append((item, int(changed.get(item, str(amount)).format(**values))))
        file = _fresh(stage) / name
        book.save(file)
        argv = ["libreoffice", "--calc", *_ARGUMENTS, str(file)]
        await stage.launch(argv, box, "libreoffice-calc", _REST_S)

    return start


def on_text(name: str) -> Start:
    """Start Writer on the diary."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        file = _fresh(stage) / name
        file.write_text(_FLAT.format(**values))
        argv = ["libreoffice", "--writer", *_ARGUMENTS, str(file)]
        await stage.launch(argv, box, "libreoffice-writer", _REST_S)

    return start


def _fresh(stage: Stage) -> Path:
    folder = stage.folder("office-documents")
    shutil.rmtree(folder)  # with the lock of a Calc that was killed
    folder.mkdir()
    return folder


_task = partial(Task, windows=_WINDOWS, dialog=("ctrl", "o"), hide=("ctrl", "shift", "j"))
_sheet = partial(
    _task,
    application="libreoffice-calc",
    title="budget.xlsx",
    other=on_sheet("holidays.xlsx", Rent="12", Paper="4"),
)


def tasks(out: Path) -> tuple[Task, ...]:
    folder = out / "work" / "office-documents"
    return (_cell(folder / "budget.xlsx"), _phone(folder / "budget.xlsx"), _diary(folder / "diary.fodt"))


_KEEP = Spot(Box(264, -34, 258, 31))
_SAVE = Spot(Box(97, 32, 20, 24))


def _amount(file: Path, item: str) -> dict[str, object]:
    """The sheet has this item, with the amount that was asked for."""
    return {
        "kind": "xlsx_row", "path": str(file), "sheet": "Budget", "column": "Amount",
        "where": {"Item": item}, "equals": "{amount}", "as_number": True,
    }  # fmt: skip


def _cell(file: Path) -> Task:
    return _sheet(
        name="add_budget_item",
        goal="Add {item} with {amount} to the budget",
        ask="Put a new item {item} of {amount} into the budget sheet",
        phrases=("Add an item with its amount to the budget", "new item in the budget sheet"),
        start=on_sheet(),
        steps=(
            click("name", "the Name Box"),
            write("A6"),
            press("enter"),
            write("{item}", "item"),
            press("tab"),
            write("{amount}", "amount"),
            press("enter"),
            hotkey("ctrl", "s"),
            click("keep", "the button that keeps the Excel format"),
        ),
        evaluator=_amount(file, "{item}"),
        values=tuple(
            {"item": item, "amount": amount}
            for item, amount in (
                ("Water", "41"), ("Books", "27"), ("Insurance", "1250"), ("Tea", "8"),
                ("Chairs", "310"), ("Ink", "99"),
            )
        ),
        spots={"name": Spot(Box(12, 108, 100, 26)), "keep": _KEEP},
    )  # fmt: skip


def _phone(file: Path) -> Task:
    """The cell holds another amount every time, and all cells are twins."""
    return _sheet(
        name="update_phone_budget",
        goal="Set the phone budget to {amount}",
        ask="Change the amount for the phone in the budget to {amount}",
        phrases=("Update the amount for the phone in the budget", "change the phone budget"),
        start=on_sheet(Phone="{was}"),
        steps=(
            click("phone", "the amount in the row of Phone"),
            write("{amount}", "amount"),
            press("enter"),
            click("save", "the Save button in the toolbar"),
            click("keep", "the button that keeps the Excel format"),
        ),
        evaluator=_amount(file, "Phone"),
        values=tuple(
            {"amount": amount, "was": was}
            for amount, was in (
                ("26", "25"), ("31", "27"), ("44", "19"), ("505", "30"), ("12", "88"), ("70", "61"),
            )
        ),
        spots={"phone": Spot(Box(119, 224, 72, 17)), "save": _SAVE, "keep": _KEEP},
        twins=True,
        depends=True,
    )  # fmt: skip


def _diary(file: Path) -> Task:
    return _task(
        name="write_diary_line",
        application="libreoffice-writer",
        goal="Write {line} into the office diary",
        ask="Add the line {line} to the diary of the office",
        phrases=("Write a line into the office diary", "add a line to the diary"),
        start=on_text("diary.fodt"),
        steps=(
            hotkey("ctrl", "end"),
            press("enter"),
            write("{line}", "line"),
            click("save", "the Save button in the toolbar"),
        ),
        evaluator={"kind": "file_contains", "path": str(file), "contains": "{line}</text:p>"},
        values=tuple(
            {"line": line, "first": first}
            for line, first in (
                ("Rain all day.", "sun"), ("Ada came by.", "fog"), ("Ordered 12 chairs.", "snow and ice"),
                ("The lift is broken.", "wind"), ("Budget signed.", "sun"), ("Moved to room 7.", "hail"),
            )
        ),
        title=file.name,
        other=on_text("minutes.fodt"),
        spots={"save": _SAVE},
    )  # fmt: skip
