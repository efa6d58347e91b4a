"""One Tk window of our own: the same widgets as the GTK one, drawn by another toolkit."""

from __future__ import annotations

import json
import os
import sys
import tkinter as tk
from tkinter import ttk

FIELDS = ("Client name", "Phone number", "City", "E-mail")
CHECKS = ("Send newsletter", "Active customer", "Tax exempt")
BUTTONS = ("Cancel", "Apply", "Save changes")


def dress(root: tk.Tk) -> None:
    """Font, scale and theme as the environment says."""
    family, _, size = os.environ.get("TK_FONT", "DejaVu Sans 10").rpartition(" ")
    scale = float(os.environ.get("TK_SCALE", "1"))
    root.tk.call("tk", "scaling", 96 / 72 * scale)
    font, style = (family, int(size)), ttk.Style(root)
    style.theme_use("clam")
    style.configure(".", font=font, padding=round(3 * scale))
    root.option_add("*Font", font)
    if os.environ.get("TK_DARK"):
        back, fore = "#2b2b2b", "#e6e6e6"
        root.configure(background=back)
        style.configure(
            ".", background=back, foreground=fore, fieldbackground="#3a3a3a", bordercolor="#555555"
        )
        style.configure("TButton", background="#3c3c3c")


def show(x: int, y: int, rows: tuple[str, ...]) -> None:
    root = tk.Tk()
    root.title("Accounts")
    dress(root)
    named: dict[str, tk.Widget] = {}
    left, right, ends = ttk.Frame(root), ttk.Frame(root), ttk.Frame(root)
    left.grid(row=0, column=0, padx=8, pady=8, sticky="n")
    right.grid(row=0, column=1, padx=8, pady=8, sticky="n")
    ends.grid(row=1, column=0, columnspan=2, sticky="e", padx=8, pady=8)
    for line, text in enumerate(FIELDS):
        ttk.Label(left, text=text).grid(row=line, column=0, sticky="w", pady=2)
        entry = ttk.Entry(left, width=22)
        entry.insert(0, f"{text[:3]} 4{line}")
        entry.grid(row=line, column=1, padx=6)
        named[f"field:{text}"] = entry
    for line, text in enumerate(CHECKS, len(FIELDS)):
        check = ttk.Checkbutton(left, text=text, variable=tk.IntVar(root, line % 2))
        check.grid(row=line, column=0, columnspan=2, sticky="w", pady=2)
        named[f"check:{text}"] = check
    for line, text in enumerate(rows):
        ttk.Label(right, text=text, width=12).grid(row=line, column=0, sticky="w")
        for column, kind in enumerate(("Edit", "Delete"), 1):
            button = ttk.Button(right, text=kind, width=7)
            button.grid(row=line, column=column, padx=3, pady=1)
            named[f"{kind.lower()}:{text}"] = button
    for text in BUTTONS:
        button = ttk.Button(ends, text=text)
        button.pack(side="left", padx=4)
        named[f"button:{text}"] = button
    stay(root, named, x, y)


def stay(root: tk.Tk, named: dict[str, tk.Widget], x: int, y: int) -> None:
    """Show the window, print the boxes of its widgets, and stay."""
    root.geometry(f"+{x}+{y}")

    def report() -> None:
        boxes = {
            name: [w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height()]
            for name, w in named.items()
        }
        print(json.dumps(boxes), flush=True)

    root.after(700, report)
    root.mainloop()


if __name__ == "__main__":
    show(int(sys.argv[1]), int(sys.argv[2]), tuple(sys.argv[3].split(",")))
