"""Galculator with a note beside it: keys of one size in rows, and two windows."""

from __future__ import annotations

from pathlib import Path

from bench.study.stage import Stage
from bench.study.task import Spot, Start, Task, Values, click, hotkey, write
from ibtr.geometry import Box

_HEAD, _NOTE = "Weights in grams", "weights.txt"
KEYS = {
    "times": Box(201, 224, 58, 32),
    "1": Box(6, 264, 58, 32),
    "0": Box(6, 304, 58, 32),
    "equals": Box(266, 264, 58, 72),
}


def _beside(name: str, content: str) -> Start:
    """Start Galculator beside a note with this content; beside none without a name."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        folder = stage.folder("galculator")
        (folder / _NOTE).write_text(f"{_HEAD}\n")
        if name:
            (folder / name).write_text(content)
            beside = Box(box.x + 420, box.y, 620, 420)
            await stage.launch(["mousepad", "--disable-server", str(folder / name)], beside)
        await stage.launch(["galculator"], Box(box.x, box.y, 0, 0))

    return start


def tasks(out: Path) -> tuple[Task, ...]:
    note = out / "work" / "galculator" / _NOTE
    return (
        Task(
            name="note_weight_in_grams",
            application="galculator",
            goal="Work out how many grams {kg} kilograms are and note it",
            ask="Convert {kg} kg to grams with the calculator and put the result into the weights note",
            phrases=("Convert kilograms to grams and note the weight", "kilograms into grams in the note"),
            start=_beside(_NOTE, f"{_HEAD}\n"),
            steps=(
                write("{kg}", "kilograms"),
                click("times", "the multiplication key"),
                click("1", "the key 1"),
                click("0", "the key 0"),
                click("0", "the key 0"),
                click("0", "the key 0"),
                click("equals", "the equals key"),
                hotkey("ctrl", "c"),
                click("note", "the heading of the note"),
                hotkey("ctrl", "end"),
                hotkey("ctrl", "v"),
                hotkey("ctrl", "s"),
            ),
            evaluator={"kind": "file_equals", "path": str(note), "equals": f"{_HEAD}\n{{kg}}000"},
            values=tuple({"kg": one} for one in ("12", "7", "305", "48", "61", "9")),
            windows=tuple(
                Box(x, y, 0, 0)
                for x, y in ((300, 200), (60, 80), (420, 160), (10, 30), (500, 300), (200, 440))
            ),
            spots={name: Spot(box, "galculator") for name, box in KEYS.items()}
            | {"note": Spot(Box(2, 53, 150, 18), "mousepad")},
            twins=True,
            title="galculator",
            other=_beside("names.txt", "Names of the clients\n"),
            later_document=True,
            without=_beside("", ""),
            dialog=("ctrl", "p"),
        ),
    )
