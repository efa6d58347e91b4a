"""The windows that are drawn anew: those that re-aiming was developed on, others, and those held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.reaim.gtk_ui import LABELLED, controls
from bench.reaim.toolkits import GTK, TK, Frame, Look, capture

OFFICE = "/usr/lib/libreoffice/share/config/soffice.cfg"
DIALOGS = {
    "gtk, developed on": (
        f"{OFFICE}/modules/swriter/ui/sortdialog.ui",
        f"{OFFICE}/modules/swriter/ui/mailmerge.ui",
    ),
    "gtk, others": (
        "/usr/share/galculator/ui/scientific_buttons_gtk3.ui",
        "/usr/share/galculator/ui/prefs_gtk3.ui",
        "/usr/share/pcmanfm/ui/pref.ui",
        f"{OFFICE}/svx/ui/findreplacedialog.ui",
        f"{OFFICE}/modules/scalc/ui/pastespecial.ui",
    ),
    "gtk, held out": (
        f"{OFFICE}/modules/swriter/ui/insertbreak.ui",
        f"{OFFICE}/modules/swriter/ui/linenumbering.ui",
        f"{OFFICE}/modules/scalc/ui/goalseekdlg.ui",
        f"{OFFICE}/modules/scalc/ui/movecopysheet.ui",
        f"{OFFICE}/cui/ui/hyphenate.ui",
        "/usr/share/libfm/ui/filesearch.ui",
    ),
}
"""Descriptions that applications ship (scripts/bench-setup.sh); those that are not installed are left out."""
ANEW = ("125 %", "150 %", "dark theme", "other font")
WORDS = (
    "Transfer", "Quit", "Group", "Maximum", "Bold", "Choose", "Wait", "Numbering", "Up", "Ignore", "Kept",
    "Whole page", "Join us", "Yellow", "Zone", "Measure",
)  # fmt: skip


def windows() -> Iterator[tuple[str, str, str, tuple[Look, ...]]]:
    """Name of the set, script, description, and looks: the base first."""
    yield "gtk, developed on", "gtk_window", "", _looks(GTK)
    for name, files in DIALOGS.items():
        for file in files:
            if Path(file).exists():
                yield name, "gtk_ui", file, _looks(GTK)
    yield "tk, developed on", "tk_window", "", _looks(TK)
    yield "tk, others", "tk_other", "", _looks(TK)
    yield "tk, held out", "tk_held", "", _looks(TK)


def _looks(looks: tuple[Look, ...]) -> tuple[Look, ...]:
    return (looks[0], *(replace(look, at=(302, 140)) for look in looks if look.name in ANEW))


def renamed(script: str, source: str, look: Look, names: list[str]) -> tuple[Frame, list[str]]:
    """The window drawn anew, the labels of every third control changed to other words; and their names."""
    if script == "gtk_window":
        labelled = [n for n in names if n.startswith(("edit:", "delete:", "button:", "check:"))]
    else:
        kinds = controls(Path(source).read_text())
        labelled = [n for n in names if kinds.get(n) in LABELLED]
    chosen = labelled[::3]
    labels = {name: WORDS[i % len(WORDS)] for i, name in enumerate(chosen)}
    return capture(script, look, source, labels), chosen
