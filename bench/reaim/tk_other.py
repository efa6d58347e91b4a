"""A second Tk window, for measuring what was developed on the first: a dialog of settings."""

from __future__ import annotations

import sys
import tkinter as tk
from tkinter import ttk

from bench.reaim.tk_window import dress, stay

CHOICES = ("Landscape", "Portrait", "Automatic", "Booklet")
CHECKS = ("Draft quality", "Mirror pages", "Collate copies", "Reverse order", "Black and white", "Save toner")
FIELDS = ("Printer", "Paper size", "Left margin", "Right margin", "Resolution")
ROWS = ("Tray one", "Tray two", "Manual feed", "Envelopes", "Duplex unit")
BUTTONS = ("Print", "Preview", "Restore defaults", "Close window", "Help")


def show(x: int, y: int) -> None:
    root = tk.Tk()
    root.title("Print settings")
    dress(root)
    named: dict[str, tk.Widget] = {}
    parts = [ttk.LabelFrame(root, text=title) for title in ("Pages", "Options", "Device", "Paper")]
    for index, part in enumerate(parts):
        part.grid(row=index // 2, column=index % 2, padx=10, pady=8, sticky="nsew")
    for text in CHOICES:
        named[f"radio:{text}"] = ttk.Radiobutton(parts[0], text=text, value=text)
    for text in CHECKS:
        named[f"check:{text}"] = ttk.Checkbutton(parts[1], text=text, variable=tk.IntVar(root, 0))
    for widget in named.values():
        widget.pack(anchor="w", padx=6, pady=2)
    for line, text in enumerate(FIELDS):
        ttk.Label(parts[2], text=text).grid(row=line, column=0, sticky="w", padx=6)
        entry = ttk.Entry(parts[2], width=16)
        entry.insert(0, f"{text[-4:]} {line}7")
        entry.grid(row=line, column=1, padx=6, pady=2)
        named[f"field:{text}"] = entry
    for line, text in enumerate(ROWS):
        ttk.Label(parts[3], text=text).grid(row=line, column=0, sticky="w", padx=6)
        for column, kind in enumerate(("Select", "Configure"), 1):
            button = ttk.Button(parts[3], text=kind)
            button.grid(row=line, column=column, padx=4, pady=2)
            named[f"{kind}:{text}"] = button
    ends = ttk.Frame(root)
    ends.grid(row=2, column=0, columnspan=2, sticky="e", padx=8, pady=8)
    for text in BUTTONS:
        named[f"button:{text}"] = button = ttk.Button(ends, text=text)
        button.pack(side="left", padx=4)
    stay(root, named, x, y)


if __name__ == "__main__":
    show(int(sys.argv[1]), int(sys.argv[2]))
