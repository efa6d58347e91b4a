"""A third Tk window, kept out of all tuning: classic widgets, labels above fields, a list."""

from __future__ import annotations

import sys
import tkinter as tk

from bench.reaim.tk_window import dress, stay

FIELDS = ("Server", "Port", "User name", "Mailbox", "Reply to", "Signature")
TASKS = ("Backup", "Index rebuild", "Virus scan", "Log rotation")
SWITCHES = ("Encrypted", "Verify peer", "Keep alive", "Offline mode")
BUTTONS = ("Test", "Connect", "Reset", "Export settings", "Done")


def show(x: int, y: int) -> None:
    root = tk.Tk()
    root.title("Connections")
    dress(root)
    named: dict[str, tk.Widget] = {}
    bar, form, side, ends = (tk.Frame(root) for _ in range(4))
    bar.pack(fill="x", padx=6, pady=4)
    ends.pack(side="bottom", fill="x", padx=6, pady=8)
    form.pack(side="left", padx=10, anchor="n")
    side.pack(side="left", padx=16, anchor="n")
    for text in ("Session", "Accounts", "Window", "About"):
        named[f"tab:{text}"] = tk.Button(bar, text=text, relief="flat")
        named[f"tab:{text}"].pack(side="left")
    for index, text in enumerate(FIELDS):
        row, column = divmod(index, 2)
        tk.Label(form, text=text).grid(row=2 * row, column=column, sticky="w", padx=6)
        entry = tk.Entry(form, width=18)
        if index % 3 != 2:
            entry.insert(0, f"{text.lower()[:5]}{index}")
        entry.grid(row=2 * row + 1, column=column, padx=6, pady=(0, 6))
        named[f"field:{text}"] = entry
    for index, text in enumerate(SWITCHES):
        switch = tk.Checkbutton(form, text=text, variable=tk.IntVar(root, index % 2))
        switch.grid(row=8 + index // 2, column=index % 2, sticky="w")
        named[f"switch:{text}"] = switch
    for line, text in enumerate(TASKS):
        tk.Label(side, text=text).grid(row=line, column=0, sticky="w")
        for column, kind in enumerate(("Start", "Stop", "Plan"), 1):
            named[f"{kind}:{text}"] = tk.Button(side, text=kind)
            named[f"{kind}:{text}"].grid(row=line, column=column, padx=2, pady=2)
    for text in BUTTONS:
        named[f"button:{text}"] = tk.Button(ends, text=text)
        named[f"button:{text}"].pack(side="right", padx=4)
    stay(root, named, x, y)


if __name__ == "__main__":
    show(int(sys.argv[1]), int(sys.argv[2]))
