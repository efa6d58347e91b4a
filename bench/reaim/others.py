"""`--parts others`: real applications that no rule was developed on: GTK 3, Qt 5, wxWidgets, Firefox."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bench.reaim import fluid
from bench.reaim.filled import folder, letter, nothing, page, sheet
from bench.reaim.shown import App, Shown


def _database(home: Path, look: Shown) -> None:
    rows = [("Globex", "555-0142"), ("Initech", "555-0117"), ("Umbrella", "555-0165")]
    with closing(sqlite3.connect(home / "clients.db")) as database:
        database.execute("create table clients (name text, phone text)")
        if look.other:
            database.execute("create table invoices (number text, amount real)")
        database.executemany("insert into clients values (?, ?)", rows)
        database.commit()


def _source(home: Path, look: Shown) -> None:
    text = "print('other')\n" if look.other else "def total(rows):\n    return sum(rows)\n"
    (home / "total.py").write_text(text)


def _browser(home: Path, look: Shown) -> None:
    page(home, look, fluid.BOOKS, "books")
    profile = home / "profile"
    profile.mkdir()
    quiet = {
        "browser.shell.checkDefaultBrowser": "false", "browser.aboutwelcome.enabled": "false",
        "datareporting.policy.dataSubmissionEnabled": "false", "browser.startup.page": "0",
        "browser.tabs.warnOnClose": "false", "app.update.enabled": "false",
        "browser.startup.homepage_override.mstone": '"ignore"', "ui.caretBlinkTime": "0",
    }  # fmt: skip
    (profile / "user.js").write_text("".join(f'user_pref("{k}", {v});\n' for k, v in quiet.items()))


def _sites(home: Path, look: Shown) -> None:
    settings = home / ".config" / "filezilla" / "filezilla.xml"
    settings.parent.mkdir(parents=True)
    quiet = '<Setting name="Greeting version">9.9.9</Setting><Setting name="Update Check">0</Setting>'
    settings.write_text(f"<FileZilla3><Settings>{quiet}</Settings></FileZilla3>")


OTHERS = (
    App("Geany", ("geany", "-i", "total.py"), "geany", _source),
    App("Gnumeric", ("gnumeric", "budget.xlsx"), "gnumeric", sheet, rest_s=1.5),
    App("Thunar", ("thunar", "{home}/papers"), "thunar", folder, (900, 560)),
    App("FeatherPad", ("featherpad", "--standalone", "letter.txt"), "featherpad", letter, (900, 560)),
    App("DB Browser", ("sqlitebrowser", "clients.db"), "db browser for sqlite", _database, rest_s=1.5),
    App("KeePassXC", ("keepassxc",), "keepassxc", nothing, (900, 600), rest_s=1.5),
    App("FileZilla", ("filezilla",), "filezilla", _sites, rest_s=2.0),
    App(
        "Firefox",
        ("firefox-esr", "--no-remote", "--profile", "{home}/profile", "file://{home}/books.html"),
        "firefox-esr", _browser, rest_s=2.0, shows_page=True,
    ),
)  # fmt: skip
