"""Small Tk programs that keep what they were given: run as `python tk_app.py KIND RECORDS URL X Y`.

Each tells the study's site where its widgets are and what was clicked, as the pages of the office do.
"""

from __future__ import annotations

import json
import sys
import tkinter as tk
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tkinter import ttk


class App:
    def __init__(self, kind: str, records: Path, url: str, place: str) -> None:
        self.records, self.url = records, url
        self.root = tk.Tk(className="Keeper")
        self.root.title(f"Keeper: {kind}")
        self.root.geometry(place)
        self.root.resizable(False, False)
        self.named: dict[str, tk.Widget] = {}
        self.root.bind_all("<Button-1>", self.clicked, add="+")
        self.root.bind_all("<Configure>", lambda _: self.root.after_idle(self.tell), add="+")
        getattr(self, kind)()
        self.root.after(200, self.tell)

    # -- what the site is told -------------------------------------------------------------------

    def post(self, kind: str, said: object) -> None:
        urllib.request.urlopen(f"{self.url}/{kind}", json.dumps(said).encode(), timeout=5).close()

    def tell(self) -> None:
        self.root.update_idletasks()
        boxes = {
            name: [one.winfo_rootx(), one.winfo_rooty(), one.winfo_width(), one.winfo_height()]
            for name, one in self.named.items()
            if one.winfo_ismapped()
        }
        self.post("layout", {"boxes": boxes})

    def clicked(self, event: tk.Event[tk.Misc]) -> None:
        name = next((name for name, one in self.named.items() if one is event.widget), "nothing")
        self.post("clicked", {"name": name})

    # -- parts -----------------------------------------------------------------------------------

    def known(self) -> list[dict[str, str]]:
        lines = self.records.read_text().splitlines() if self.records.exists() else []
        return [json.loads(line) for line in lines]

    def keep(self, **said: str) -> None:
        with self.records.open("a") as file:
            file.write(json.dumps(said) + "\n")

    def field(self, name: str, label: str, value: str = "") -> ttk.Entry:
        row = ttk.Frame(self.root, padding=6)
        row.pack(fill="x")
        ttk.Label(row, text=label, width=14).pack(side="left")
        entry = ttk.Entry(row, width=36)
        entry.insert(0, value)
        entry.pack(side="left")
        self.named[name] = entry
        return entry

    def button(self, name: str, words: str, command: Callable[[], None]) -> ttk.Button:
        button = ttk.Button(self.root, text=words, command=command)
        button.pack(pady=6)
        self.named[name] = button
        return button

    # -- programs --------------------------------------------------------------------------------

    def list_below(self) -> None:
        """A field, a button, a list below that grows, and a line that counts."""
        entry = self.field("item", "New item")
        rows = tk.Listbox(self.root, height=9, width=50)
        count = ttk.Label(self.root)

        def show() -> None:
            rows.delete(0, "end")
            for one in self.known():
                rows.insert("end", one["item"])
            count.config(text=f"{rows.size()} items")

        def add() -> None:
            self.keep(item=entry.get())
            entry.delete(0, "end")
            show()

        self.button("add", "Add", add)
        rows.pack(padx=8)
        count.pack(pady=4)
        show()

    def list_above(self) -> None:
        """The rows stand above the field and push it down."""
        above = ttk.Frame(self.root, padding=8)
        above.pack(fill="x")

        def show(item: str) -> None:
            ttk.Label(above, text=f"\u2022 {item}").pack(anchor="w")

        ttk.Label(above, text="To do").pack(anchor="w")
        for one in self.known():
            show(one["item"])
        entry = self.field("item", "New item")

        def add() -> None:
            self.keep(item=entry.get())
            show(entry.get())
            entry.delete(0, "end")

        self.button("add", "Add", add)

    def keeps_values(self) -> None:
        """The fields keep what was typed last, and a line says what was saved."""
        last = self.known()[-1:] or [{"client": "", "amount": ""}]
        client = self.field("client", "Client", last[0]["client"])
        amount = self.field("amount", "Amount", last[0]["amount"])
        said = ttk.Label(self.root, text="Nothing was saved yet")

        def save() -> None:
            self.keep(client=client.get(), amount=amount.get())
            said.config(text=f"Saved {client.get()}: {amount.get()}")

        self.button("save", "Save", save)
        said.pack(pady=4)

    def counts(self) -> None:
        """The button itself says how many there are."""
        entry = self.field("item", "Message")

        def add() -> None:
            self.keep(item=entry.get())
            entry.delete(0, "end")
            button.config(text=f"Send ({len(self.known())} sent)")

        button = self.button("add", f"Send ({len(self.known())} sent)", add)

    def ticks(self) -> None:
        """A box that the run ticks and that stays ticked."""
        last = self.known()[-1:]
        ticked = tk.BooleanVar(value=bool(last))
        box = ttk.Checkbutton(self.root, text="Send a reminder", variable=ticked)
        box.pack(padx=20, pady=12, anchor="w")
        self.named["remind"] = box
        entry = self.field("days", "Days before", last[0]["days"] if last else "")

        def save() -> None:
            self.keep(days=entry.get(), remind=str(ticked.get()))

        self.button("save", "Apply", save)

    def edits_row(self) -> None:
        """A row is chosen from a list; its amount is changed, and shown in that row."""
        amounts = {"Globex": "100", "Initech": "250", "Umbrella": "75", "Hooli": "310"}
        for one in self.known():
            amounts[one["client"]] = one["amount"]
        table = ttk.Frame(self.root, padding=8)
        table.pack(fill="x")
        labels: dict[str, ttk.Label] = {}
        chosen = tk.StringVar()

        def pick(name: str) -> None:
            chosen.set(name)
            entry.delete(0, "end")
            entry.insert(0, amounts[name])

        for at, (name, amount) in enumerate(amounts.items()):
            ttk.Label(table, text=name, width=20).grid(row=at, column=0, pady=3)
            labels[name] = ttk.Label(table, text=amount, width=12)
            labels[name].grid(row=at, column=1)
            edit = ttk.Button(table, text="Edit", command=partial(pick, name))
            edit.grid(row=at, column=2)
            self.named[f"edit {name}"] = edit
        ttk.Label(self.root, textvariable=chosen).pack()
        entry = self.field("amount", "Amount")

        def save() -> None:
            amounts[chosen.get()] = entry.get()
            labels[chosen.get()].config(text=entry.get())
            self.keep(client=chosen.get(), amount=entry.get())

        self.button("save", "Save", save)


if __name__ == "__main__":
    App(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]).root.mainloop()
