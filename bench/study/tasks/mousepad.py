"""Mousepad: menus, a dialog, files."""

from __future__ import annotations

from pathlib import Path

from bench.study.stage import Stage
from bench.study.task import Spot, Start, Task, Values, click, press, write
from ibtr.geometry import Box

_WINDOWS = (
    Box(300, 200, 900, 600), Box(80, 60, 700, 500), Box(500, 150, 1000, 640), Box(20, 20, 1100, 800),
    Box(640, 260, 640, 480), Box(260, 40, 820, 720),
)  # fmt: skip
FILE, SEARCH = Spot(Box(4, 2, 34, 22)), Spot(Box(70, 2, 52, 22))
SAVE = Spot(Box(4, 154, 200, 22))


def on_file(name: str, content: str) -> Start:
    """Start Mousepad on a file with this content, with `{input}` for values."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        file = stage.folder("mousepad") / name
        file.write_text(content.format(**values))
        await stage.launch(["mousepad", "--disable-server", str(file)], box)

    return start


def tasks(out: Path) -> tuple[Task, ...]:
    folder = out / "work" / "mousepad"
    return (_note(folder / "clients.txt"),)


def _note(file: Path) -> Task:
    return Task(
        name="note_client_phone",
        application="mousepad",
        goal="Note the phone number {phone} of {client} in the clients file",
        ask="Write {client}'s phone number {phone} down in the clients note",
        phrases=("Note the phone number of a client in the clients text file", "add a phone number to the note"),
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
            {"client": "Umbrella Corporation", "phone": "555-0666"}, {"client": "Äther", "phone": "+33 1 999"},
        ),
        windows=_WINDOWS,
        spots={"file": FILE, "save": SAVE},
    )  # fmt: skip
