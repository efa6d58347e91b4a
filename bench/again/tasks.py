"""Recurrent tasks whose application keeps what they leave behind, each in its own way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bench.study.site import PORT
from bench.study.stage import Stage
from bench.study.task import Do, Spot, Start, Task, Values, click, hotkey, press, write
from bench.study.tasks import chromium
from bench.study.tasks.galculator import KEYS
from ibtr.geometry import Box

_URL = f"http://127.0.0.1:{PORT}"
_AT = Box(300, 160, 0, 0)
_SYSTEM = "/usr/bin/python3"  # which has PyGObject, where the package python3-gi is installed


def every_task(out: Path) -> tuple[Task, ...]:
    folder = out / "work" / "again"
    folder.mkdir(parents=True, exist_ok=True)
    return (*_tk(folder), *_gtk(folder), *_real(folder), *_web(out / "work" / "office" / "records.json"))


def _program(folder: Path, toolkit: str, kind: str, name: str = "") -> tuple[Start, Path]:
    records = folder / f"{toolkit}-{name or kind}.jsonl"
    script = str(Path(__file__).with_name(f"{toolkit}_app.py"))
    python = sys.executable if toolkit == "tk" else _SYSTEM

    async def start(stage: Stage, values: Values, box: Box) -> None:
        stage.site.layout.clear()
        place = [f"+{box.x}+{box.y}"] if toolkit == "tk" else []
        argv = [python, script, kind, str(records), _URL, *place]
        await stage.launch(argv, None if toolkit == "tk" else box, application="keeper")

    return start, records


def _task(name: str, start: Start, steps: tuple[Do, ...], evaluator: dict[str, Any], **more: Any) -> Task:
    words = name.replace("_", " ")
    plain: dict[str, Any] = {"application": "keeper", "windows": (_AT,)}
    return Task(
        name=name, goal=words, ask=words, phrases=(words, f"please {words}"), start=start, steps=steps,
        evaluator=evaluator, **{**plain, **more},
    )  # fmt: skip


def _holds(records: Path, text: str) -> dict[str, Any]:
    return {"kind": "file_contains", "path": str(records), "contains": text}


def _values(**lists: tuple[str, ...]) -> tuple[Values, ...]:
    return tuple(dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True))


_ITEMS = _values(item=("buy tea", "call Ada Lovelace", "pay rent", "water plants", "ship box 7"))
_MONEY = _values(
    client=("Globex", "Initech", "Wayne and Sons", "Hooli", "Umbrella"),
    amount=("120", "75", "3300", "8", "41"),
)
_DAYS = _values(days=("3", "14", "5", "21", "7"))


def _tk(folder: Path) -> tuple[Task, ...]:
    tasks: list[Task] = []
    for kind in ("list_below", "list_above", "counts"):
        start, records = _program(folder, "tk", kind)
        steps = (click("item", "the field"), write("{item}", "item"), click("add", "the button"))
        tasks.append(_task(f"tk_{kind}", start, steps, _holds(records, '"item": "{item}"'), values=_ITEMS))
    start, records = _program(folder, "tk", "keeps_values")
    tasks.append(_task("tk_keeps_values", start, _FORM, _holds(records, _RECORD), values=_MONEY))
    start, records = _program(folder, "tk", "keeps_values", "behind")
    tasks.append(_task("tk_writes_behind", start, _BEHIND, _holds(records, _RECORD), values=_MONEY))
    start, records = _program(folder, "tk", "ticks")
    tasks.append(_task("tk_ticks", start, _TICK, _holds(records, _TICKED), values=_DAYS))
    start, records = _program(folder, "tk", "edits_row")
    edits = (
        click("edit Initech", "Edit in the row of Initech"),
        click("amount", "the Amount field", clicks=3),
        write("{amount}", "amount"),
        click("save", "the Save button"),
    )
    record = _holds(records, '"client": "Initech", "amount": "{amount}"')
    tasks.append(
        _task("tk_edits_row", start, edits, record, values=_values(amount=("120", "75", "3300", "8", "41")))
    )
    return tuple(tasks)


_FORM = (
    click("client", "the Client field", clicks=3),
    write("{client}", "client"),
    click("amount", "the Amount field", clicks=3),
    write("{amount}", "amount"),
    click("save", "the Save button"),
)
_BEHIND = (
    click("client", "the Client field"),
    write("{client}", "client"),
    press("tab"),
    write("{amount}", "amount"),
    click("save", "the Save button"),
)
_RECORD = '"client": "{client}", "amount": "{amount}"'
_TICK = (
    click("remind", "the box Send a reminder"),
    click("days", "the field Days before", clicks=3),
    write("{days}", "days"),
    click("save", "the Apply button"),
)
_TICKED = '"days": "{days}", "remind": "True"'


def _gtk(folder: Path) -> tuple[Task, ...]:
    start, records = _program(folder, "gtk", "table")
    steps = (
        click("new", "New visitor..."),
        click("visitor", "the Name field"),
        write("{visitor}", "visitor"),
        click("ok", "OK"),
    )
    people = _values(visitor=("Ada Byron", "Grace H.", "Alan", "Edsger Dijkstra", "Barbara L."))
    table = _task("gtk_table", start, steps, _holds(records, '"visitor": "{visitor}"'), values=people)
    start, records = _program(folder, "gtk", "settings")
    settings = _task("gtk_settings", start, _TICK, _holds(records, _TICKED), values=_DAYS)
    start, records = _program(folder, "gtk", "form")
    form = _task("gtk_form", start, _FORM, _holds(records, _RECORD), values=_MONEY)
    return table, settings, form


def _real(folder: Path) -> tuple[Task, ...]:
    page, end, top = click("page", "the page"), hotkey("ctrl", "end"), hotkey("ctrl", "home")
    return (
        _mousepad(folder / "diary.txt", "append_line", end),
        _mousepad(folder / "log.txt", "append_line_after_click", page, end),
        _mousepad(folder / "top.txt", "insert_line_on_top", page, top),
        _galculator(folder / "sums.txt"),
        _pcmanfm(folder / "papers"),
    )  # fmt: skip


def _mousepad(file: Path, name: str, *there: Do) -> Task:
    async def start(stage: Stage, values: Values, box: Box) -> None:
        _begin(file, "Diary of the office\n\nMonday: opened\n")
        await stage.launch(["mousepad", "--disable-server", str(file)], Box(260, 140, 800, 520))

    return _task(
        f"mousepad_{name}", start,
        (
            *there, write("{line}", "line"), press("enter"), click("file", "the File menu"),
            click("save", "Save"),
        ),
        _holds(file, "{line}\n"), application="mousepad", title=file.name,
        values=_values(line=("tea is out", "two letters came", "x", "the heater was mended", "closed")),
        spots={
            "file": Spot(Box(4, 2, 34, 22)), "save": Spot(Box(4, 154, 300, 22)),
            "page": Spot(Box(2, 53, 140, 18)),
        },
    )  # fmt: skip


def _galculator(note: Path) -> Task:
    async def start(stage: Stage, values: Values, box: Box) -> None:
        _begin(note, "Weights in grams\n")
        await stage.launch(["mousepad", "--disable-server", str(note)], Box(720, 200, 620, 420))
        await stage.launch(["galculator"], Box(300, 200, 0, 0))

    return _task(
        "galculator_last_result", start,
        (
            click("clear", "the key AC"), write("{kg}", "kilograms"),
            click("times", "the multiplication key"), click("1", "the key 1"), *[click("0", "the key 0")] * 3,
            click("equals", "the equals key"), hotkey("ctrl", "c"), click("note", "the heading of the note"),
            hotkey("ctrl", "end"), hotkey("ctrl", "v"), press("enter"), hotkey("ctrl", "s"),
            click("bar", "beside the calculator's menus"),
        ),
        _holds(note, "{kg}000\n"), application="galculator", title="galculator",
        values=_values(kg=("12", "7", "305", "48", "61")),
        spots={name: Spot(box, "galculator") for name, box in KEYS.items()}
        | {
            "clear": Spot(Box(217, 98, 52, 32), "galculator"),
            "bar": Spot(Box(262, 4, 60, 16), "galculator"),
            "note": Spot(Box(2, 53, 150, 18), "mousepad"),
        },
    )  # fmt: skip


def _pcmanfm(folder: Path) -> Task:
    async def start(stage: Stage, values: Values, box: Box) -> None:
        for name in ("archive", "inbox"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        await stage.launch(["pcmanfm", "--no-desktop", str(folder)], Box(300, 150, 800, 500))

    return _task(
        "pcmanfm_new_file", start,
        (
            click("file", "the File menu"), click("create", "Create New..."), click("blank", "Empty File"),
            write("{name}", "name of the file"), click("ok", "the OK button"),
        ),
        {"kind": "file_exists", "path": f"{folder}/{{name}}"}, application="pcmanfm", title=folder.name,
        values=_values(name=("june", "july", "a report", "x", "minutes")),
        spots={
            "file": Spot(Box(4, 3, 36, 22)), "create": Spot(Box(6, 86, 240, 22)),
            "blank": Spot(Box(252, 108, 218, 21)), "ok": Spot(Box(-99, -44, 87, 33)),
        },
    )  # fmt: skip


def _web(records: Path) -> tuple[Task, ...]:
    steps = (
        click("what", "the field What for"), write("{what}", "what for"), click("sum", "the Amount field"),
        write("{sum}", "amount"), click("save", "the Save button"),
    )  # fmt: skip
    values = _values(
        what=("tea", "train to Lyon", "books", "a new lamp", "stamps"), sum=("3.20", "64", "89.90", "17", "5")
    )
    return tuple(
        _task(
            f"web_list_{at}", _page(records, f"expenses?at={at}"), steps,
            _holds(records, '"what": "{what}", "sum": "{sum}"'), application="chromium", values=values,
            title="Expenses", windows=(Box(120, 60, 1400, 900),),
        )
        for at in ("below", "above")
    )  # fmt: skip


def _page(records: Path, page: str) -> Start:
    async def start(stage: Stage, values: Values, box: Box) -> None:
        known = _text(records)
        await chromium.opened(page)(stage, values, box)
        _write(records, known)

    return start


def _begin(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(text)


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _write(file: Path, text: str) -> None:
    file.write_text(text)
