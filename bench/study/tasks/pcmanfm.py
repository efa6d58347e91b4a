"""PCManFM: a menu in a menu, an icon whose label is an input."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from bench.study.stage import Stage
from bench.study.task import Spot, Start, Task, Values, click, press, write
from ibtr.geometry import Box

_WINDOWS = (
    Box(300, 150, 800, 500), Box(60, 40, 760, 560), Box(620, 220, 900, 600), Box(10, 10, 1000, 700),
    Box(480, 90, 840, 480), Box(200, 300, 780, 520),
)  # fmt: skip
_OK = Spot(Box(-99, -44, 87, 33))


def on_folder(*files: str, place: str = "papers") -> Start:
    """Start PCManFM on a folder with two folders and these files, with `{input}` for values."""

    async def start(stage: Stage, values: Values, box: Box) -> None:
        folder = stage.folder("pcmanfm") / place
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("archive", "inbox"):
            (folder / name).mkdir(parents=True)
        for name in files:
            (folder / name.format(**values)).touch()
        await stage.launch(["pcmanfm", "--no-desktop", str(folder)], box)

    return start


_task = partial(
    Task,
    application="pcmanfm",
    windows=_WINDOWS,
    title="papers",
    other=on_folder("other.txt", place="music"),
    dialog=("ctrl", "shift", "n"),
)


def tasks(out: Path) -> tuple[Task, ...]:
    folder = out / "work" / "pcmanfm" / "papers"
    return (_make(folder), _rename(folder))


def _make(folder: Path) -> Task:
    return _task(
        name="make_client_folder",
        goal="Make a folder {name} among the papers",
        ask="Create a new folder called {name} in papers",
        phrases=("Make a folder for a client among the papers", "create a new folder in papers"),
        start=on_folder(),
        steps=(
            click("file", "the File menu"),
            click("create", "Create New..."),
            click("folder", "Folder"),
            write("{name}", "name of the folder"),
            click("ok", "the OK button"),
        ),
        evaluator={"kind": "file_exists", "path": f"{folder}/{{name}}", "type": "folder"},
        values=tuple(
            {"name": one} for one in ("Globex", "Initech", "Wayne 2026", "a", "Stark and Sons", "Äther")
        ),
        spots={
            "file": Spot(Box(4, 3, 36, 22)),
            "create": Spot(Box(6, 86, 240, 22)),
            "folder": Spot(Box(252, 86, 218, 21)),
            "ok": _OK,
        },
        speaks=True,
    )  # fmt: skip


def _rename(folder: Path) -> Task:
    return _task(
        name="rename_scan",
        goal="Rename the scan to {name}",
        ask="Give the scanned file the new name {name}",
        phrases=("Rename the scanned file among the papers", "give the scan a new name"),
        start=on_folder("{scan}.txt"),
        steps=(
            click("scan", "the icon of the scanned file"),
            press("f2"),
            write("{name}", "new name"),
            click("ok", "the OK button"),
        ),
        evaluator={"kind": "file_exists", "path": f"{folder}/{{name}}.txt"},
        values=tuple(
            {"scan": f"scan{number}", "name": name}
            for number, name in (
                (117, "invoice-3"), (118, "contract"), (204, "letter to Ada"), (9, "x1"), (555, "offer"),
                (31, "map"),
            )
        ),
        spots={"scan": Spot(Box(375, 74, 42, 66)), "ok": _OK},
        depends=True,
        without=on_folder(),
    )  # fmt: skip
