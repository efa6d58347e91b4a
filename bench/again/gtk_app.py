"""Small GTK 3 programs that keep what they were given, for a Python that has PyGObject: KIND RECORDS URL."""

from __future__ import annotations

import importlib
import json
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

gi: Any = importlib.import_module("gi")
gi.require_version("Gtk", "3.0")
Gtk: Any = importlib.import_module("gi.repository.Gtk")
Gdk: Any = importlib.import_module("gi.repository.Gdk")
GLib: Any = importlib.import_module("gi.repository.GLib")


class App:
    def __init__(self, kind: str, records: Path, url: str) -> None:
        self.records, self.url = records, url
        Gdk.set_program_class("Keeper")
        self.window = Gtk.Window(title=f"Keeper: {kind}")
        self.window.set_default_size(560, 420)
        self.window.connect("destroy", Gtk.main_quit)
        self.page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, border_width=12)
        self.window.add(self.page)
        self.named: dict[str, Any] = {}
        getattr(self, kind)()
        self.window.show_all()
        GLib.timeout_add(150, self.tell)

    def post(self, kind: str, said: object) -> None:
        urllib.request.urlopen(f"{self.url}/{kind}", json.dumps(said).encode(), timeout=5).close()

    def tell(self) -> bool:
        boxes: dict[str, list[int]] = {}
        for name, one in self.named.items():
            top = one.get_toplevel()
            if one.get_mapped() and (place := one.translate_coordinates(top, 0, 0)):
                _, x, y = top.get_window().get_origin()
                size = one.get_allocation()
                boxes[name] = [x + place[0], y + place[1], size.width, size.height]
        self.post("layout", {"boxes": boxes})
        return True

    def name(self, name: str, widget: Any) -> Any:
        self.named[name] = widget

        def pressed(_widget: Any, event: Any) -> bool:
            if int(event.type) == 4:
                self.post("clicked", {"name": name})
            return False

        widget.connect("button-press-event", pressed)
        return widget

    def known(self) -> list[dict[str, str]]:
        lines = self.records.read_text().splitlines() if self.records.exists() else []
        return [json.loads(line) for line in lines]

    def keep(self, **said: str) -> None:
        with self.records.open("a") as file:
            file.write(json.dumps(said) + "\n")

    def field(self, name: str, label: str, value: str = "", page: Any = None) -> Any:
        row = Gtk.Box(spacing=12)
        row.pack_start(Gtk.Label(label=label, width_chars=14, xalign=0), False, False, 0)
        entry = self.name(name, Gtk.Entry(text=value, width_chars=30))
        row.pack_start(entry, False, False, 0)
        (page or self.page).pack_start(row, False, False, 0)
        return entry

    def button(self, name: str, words: str, command: Callable[[], None]) -> None:
        button = self.name(name, Gtk.Button(label=words, halign=Gtk.Align.START))
        button.connect("clicked", lambda _: command())
        self.page.pack_start(button, False, False, 0)

    def table(self) -> None:
        """Rows with a time of entry; the new row is selected; it is entered in a dialog."""
        store = Gtk.ListStore(str, str)
        view = Gtk.TreeView(model=store)
        for at, title in enumerate(("Visitor", "Number")):
            view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=at))
        count = Gtk.Label(xalign=0)

        def show() -> None:
            store.clear()
            for at, one in enumerate(self.known()):
                store.append([one["visitor"], str(at + 1)])
            count.set_text(f"{len(store)} visitors today")
            if len(store):
                view.get_selection().select_path(len(store) - 1)

        def add() -> None:
            dialog = Gtk.Dialog(title="New visitor", transient_for=self.window, modal=True)
            entry = self.field("visitor", "Name", page=dialog.get_content_area())
            self.name("ok", dialog.add_button("OK", 1))
            dialog.show_all()
            if dialog.run() == 1:
                self.keep(visitor=entry.get_text())
            dialog.destroy()
            del self.named["ok"], self.named["visitor"]
            show()

        self.button("new", "New visitor...", add)
        self.page.pack_start(view, True, True, 0)
        self.page.pack_start(count, False, False, 0)
        show()

    def settings(self) -> None:
        """A box that the run ticks, a number, Apply; a bar says what was applied."""
        last = self.known()[-1:]
        box = self.name("remind", Gtk.CheckButton(label="Send a reminder", active=bool(last)))
        self.page.pack_start(box, False, False, 0)
        entry = self.field("days", "Days before", last[0]["days"] if last else "")
        bar = Gtk.Label(xalign=0)

        def save() -> None:
            self.keep(days=entry.get_text(), remind=str(box.get_active()))
            bar.set_text(f"Applied: {entry.get_text()} days")

        self.button("save", "Apply", save)
        self.page.pack_start(bar, False, False, 0)

    def form(self) -> None:
        """The fields keep what was typed last; the last records are shown below, newest first."""
        last = self.known()[-1:] or [{"client": "", "amount": ""}]
        client = self.field("client", "Client", last[0]["client"])
        amount = self.field("amount", "Amount", last[0]["amount"])
        recent = Gtk.Label(xalign=0)

        def show() -> None:
            lines = [f"{one['client']}: {one['amount']} EUR" for one in self.known()[::-1]]
            recent.set_text("Recent\n" + "\n".join(lines))

        def save() -> None:
            self.keep(client=client.get_text(), amount=amount.get_text())
            show()

        self.button("save", "Save", save)
        self.page.pack_start(recent, False, False, 0)
        show()


if __name__ == "__main__":
    App(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
    Gtk.main()
