"""What is put into the fresh home of an application: documents and settings, the same or other ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bench.reaim import fluid
from bench.reaim.shown import Shown


def notes(home: Path, look: Shown) -> None:
    """A text, and an editor with its bars."""
    settings = home / ".config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        "[org/xfce/mousepad/preferences/window]\ntoolbar-visible=true\nstatusbar-visible=true\n"
    )
    lines = ("Bread", "Milk", "Two pounds of apples") if look.other else ("Call Globex", "Send the invoice")
    (home / "notes.txt").write_text("\n".join(lines) + "\n")


def folder(home: Path, look: Shown) -> None:
    """A folder with files."""
    papers = home / "papers"
    names: tuple[str, ...] = ("letters", "budget.txt", "minutes.txt", "plan.txt", "travel.txt")
    if look.other:
        names = ("archive", "letters", "agenda.txt", "minutes.txt", "summary.txt", "travel.txt")
    for name in names:
        if "." in name:
            papers.mkdir(exist_ok=True)
            (papers / name).touch()
        else:
            (papers / name).mkdir(parents=True)


def sheet(home: Path, look: Shown) -> None:
    """A small budget."""
    from openpyxl import Workbook

    rows = [("Rent", "900", "monthly"), ("Paper", "40", "weekly"), ("Phone", "25", "monthly")]
    last = [("Travel", "300", "yearly")]
    if look.other:
        rows = [("Tea", "12", "weekly"), *rows[:2]]
        last = [("Insurance", "410", "yearly"), ("Travel", "280", "yearly")]
    book = Workbook()
    for row in [("Item", "Amount", "Paid"), *rows, *last]:
        book.worksheets[0].append(row)
    book.save(home / "budget.xlsx")


def letter(home: Path, look: Shown) -> None:
    """A short letter."""
    (home / "letter.txt").write_text(
        "A reminder of the rent.\n" if look.other else "Dear client,\nthank you.\n"
    )


def picture(home: Path, look: Shown) -> None:
    """A plain picture."""
    cv2.imwrite(str(home / "picture.png"), np.full((300, 400, 3), 90 if look.other else 200, np.uint8))
    settings = home / ".config" / "GIMP" / "2.10" / "gimprc"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'(theme "{"Dark" if look.dark else "Light"}")\n')


def page(home: Path, look: Shown, words: fluid.Words = fluid.CLIENTS, name: str = "clients") -> None:
    """A page with links, a form and a table, light and dark."""
    if look.other:
        words = words._replace(rows=(words.rows[4], ("Acme", "555-0117", "Oslo", "open"), *words.rows[:3]))
    dark = "@media(prefers-color-scheme:dark){body{background:#202124;color:#e8eaed}nav{background:#303134}}"
    scheme = f"<meta name=color-scheme content='light dark'><style>{dark}</style>"
    (home / f"{name}.html").write_text(fluid.page(words) + scheme)


def nothing(home: Path, look: Shown) -> None:
    """As it starts."""
