"""Mousepad: menus, two dialogs, files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bench.study.stage import Stage
from bench.study.task import Spot, Start, Task, Values, click, hotkey, press, write
from ibtr.geometry import Box

_WINDOWS = (
    Box(300, 200, 900, 600), Box(80, 60, 700, 500), Box(500, 150, 1000, 640), Box(20, 20, 1100, 800),
    Box(640, 260, 640, 480), Box(260, 40, 820, 720),
)  # fmt: skip
FILE_MENU = Spot(Box(4, 2, 34, 22))


def on_file(name: str, content: str) -> Start:
    """Start Mousepad on a file with this content, with `{input}` for values."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        folder = stage.folder("mousepad")
        for old in folder.iterdir():
            old.unlink()
        (folder / name).write_text(content.format(**values))
        await stage.launch(["mousepad", "--disable-server", str(folder / name)], box)

    return start


_HIDE = ("ctrl", "m")
_task = partial(
    Task,
    application="mousepad",
    windows=_WINDOWS,
    other=on_file("shopping.txt", "milk\neggs\nbread\n"),
    dialog=("ctrl", "shift", "s"),
    speaks=True,
)


def tasks(out: Path) -> tuple[Task, ...]:
    folder = out / "work" / "mousepad"
    return (_note(folder / "clients.txt"), _replace(folder / "letter.txt"), _copy(folder))


def _note(file: Path) -> Task:
    return _task(
        name="note_client_phone",
        goal="Note the phone number {phone} of {client} in the clients file",
        ask="Write {client}'s phone number {phone} down in the clients note",
        phrases=("Note the phone number of a client in the clients text file", "add a number to the note"),
        start=on_file(file.name, ""),
        steps=(
            write("{client}", "client"),
            write(": "),
            write("{phone}", "phone"),
            press("enter"),
            click("file", "the File menu"),
            click("save", "Save"),
        ),
        evaluator={"kind": "file_equals", "path": str(file), "equals": "{client}: {phone}\n"},
        values=(
            {"client": "Globex", "phone": "555-0199"}, {"client": "Initech", "phone": "555-0142"},
            {"client": "Wayne & Sons", "phone": "0049 30 123"}, {"client": "Hooli", "phone": "1"},
            {"client": "Umbrella Corporation", "phone": "555-0666"}, {"client": "Äther", "phone": "+33 1 99"},
        ),
        spots={"file": FILE_MENU, "save": Spot(Box(4, 154, 300, 22))},
        title=file.name, hide=_HIDE,
    )  # fmt: skip


def _replace(file: Path) -> Task:
    """Find, Replace and Close are equal buttons in a row."""
    return _task(
        name="replace_word_in_letter",
        goal="Replace the word {old} by {new} in the letter",
        ask="Exchange every {old} for {new} in the letter file",
        phrases=("Replace a word everywhere in the letter", "find and replace a word in the letter"),
        start=on_file(file.name, "Dear {old},\nwe write to {old} about the invoice.\nYours, Ada\n"),
        steps=(
            hotkey("ctrl", "r"),
            write("{old}", "search for"),
            click("with", "the field Replace with"),
            write("{new}", "replace with"),
            click("all", "the checkbox Replace all in"),
            click("replace", "the Replace button"),
            press("escape"),
            hotkey("ctrl", "s"),
        ),
        evaluator={
            "kind": "file_equals", "path": str(file),
            "equals": "Dear {new},\nwe write to {new} about the invoice.\nYours, Ada\n",
        },
        values=(
            {"old": "Globex", "new": "Initech"}, {"old": "Hooli", "new": "Umbrella"},
            {"old": "Mr. Stark", "new": "Ms. Potts"}, {"old": "Wonka", "new": "Acme"},
            {"old": "Tyrell", "new": "Cyberdyne Ltd"}, {"old": "Soylent", "new": "Wayne"},
        ),
        spots={
            "with": Spot(Box(126, 47, 262, 33)),
            "all": Spot(Box(12, 208, 116, 18)),
            "replace": Spot(Box(258, 240, 84, 33)),
        },
        twins=True,
        title=file.name,
    )  # fmt: skip


def _copy(folder: Path) -> Task:
    return _task(
        name="save_minutes_as",
        goal="Save the minutes with the line {line} as {name}",
        ask="Add {line} to the minutes and keep them under the name {name}",
        phrases=("Write a line into the minutes and save them under another name", "save the minutes as"),
        start=on_file("minutes.txt", "Minutes\n"),
        steps=(
            hotkey("ctrl", "end"),
            write("{line}", "line"),
            click("file", "the File menu"),
            click("save as", "Save As..."),
            hotkey("ctrl", "a"),
            write("{name}", "file name"),
            click("save", "the Save button"),
        ),
        evaluator={"kind": "file_contains", "path": f"{folder}/{{name}}", "contains": "Minutes\n{line}"},
        values=(
            {"line": "Ada was there", "name": "monday.txt"}, {"line": "nobody came", "name": "june.txt"},
            {"line": "two votes", "name": "board-7.txt"}, {"line": "Budget: 12 %", "name": "money.txt"},
            {"line": "end at 17:00", "name": "a.txt"}, {"line": "see annex B", "name": "draft of may.txt"},
        ),
        spots={
            "file": FILE_MENU,
            "save as": Spot(Box(4, 178, 300, 23)),
            "save": Spot(Box(-107, -42, 100, 36)),
        },
        title="minutes.txt", hide=_HIDE,
    )  # fmt: skip
