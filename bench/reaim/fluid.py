"""A page that fills its window, in windows of several sizes: columns move, fields stretch, letters stay."""

from __future__ import annotations

from typing import NamedTuple

from bench.reaim.toolkits import FULL_HD, Frame, Look
from bench.reaim.web import SCRIPT, capture_html
from ibtr.geometry import Size

SIZES = (Size(1600, 900), Size(1366, 768), Size(1280, 800))
STYLE = """body{font:14px/1.5 'DejaVu Sans',sans-serif;margin:0;color:#222}
nav{display:flex;justify-content:space-between;background:#eef;padding:10px 24px}nav a{color:#06c}
main{padding:0 24px}.bar{display:flex;gap:8px;margin:12px 0}.bar .end{margin-left:auto}
form{display:grid;grid-template-columns:1fr 1fr 1fr;gap:10px 24px}form label{display:block}
input[type=text]{width:100%;box-sizing:border-box;padding:5px}
table{width:100%;border-collapse:collapse;margin-top:14px}
td{padding:6px 12px;border-bottom:1px solid #ddd}td:last-child{text-align:right}button{padding:5px 12px}"""


class Words(NamedTuple):
    """What a page shows."""

    links: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    fields: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    deeds: tuple[str, ...]


CLIENTS = Words(
    ("Orders", "Customers", "Products", "Reports", "Settings", "Sign out"),
    ("New client", "Import", "Export"),
    ("Filter", "Columns", "Refresh"),
    ("Company", "Street", "Postal code", "Contact", "Telephone", "E-mail"),
    (
        ("Globex", "555-0142", "Springfield", "open"),
        ("Initech", "555-0199", "Austin", "open"),
        ("Umbrella", "555-0171", "Raccoon City", "closed"),
        ("Hooli", "555-0123", "Palo Alto", "open"),
        ("Stark", "555-0188", "New York", "closed"),
        ("Wayne", "555-0155", "Gotham", "open"),
    ),
    ("Edit", "Delete"),
)
BOOKS = Words(
    ("Catalogue", "Loans", "Readers", "Reminders", "Statistics"),
    ("Add book", "Scan"),
    ("Print list", "Help"),
    ("Title", "Author", "Shelf", "Publisher", "Year", "Keywords"),
    (
        ("Dune", "Frank Herbert", "A 12", "1965"),
        ("Emma", "Jane Austen", "B 3", "1815"),
        ("Ulysses", "James Joyce", "B 7", "1922"),
        ("Solaris", "Stanislaw Lem", "A 14", "1961"),
        ("Momo", "Michael Ende", "C 1", "1973"),
    ),
    ("Lend", "Reserve", "Remove"),
)
PAGES = {"web, fluid": CLIENTS, "web, fluid, others": BOOKS}


def page(words: Words) -> str:
    """The page as HTML; everything named can be clicked."""
    buttons = [
        "".join(f'<button data-n="button:{w}">{w}</button>' for w in side)
        for side in (words.left, words.right)
    ]
    parts = ["<nav>", *(f'<a href="#" data-n="link:{w}">{w}</a>' for w in words.links), "</nav><main>"]
    parts += [f"<div class=bar>{buttons[0]}<span class=end></span>{buttons[1]}</div><form>"]
    parts += [
        f'<label>{w}<input type=text data-n="field:{w}" value="{w[:3]} 12"></label>' for w in words.fields
    ]
    parts += ["</form><table>"]
    for row in words.rows:
        deeds = " ".join(f'<button data-n="{deed}:{row[0]}">{deed}</button>' for deed in words.deeds)
        parts.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}<td>{deeds}</td></tr>")
    parts.append("</table></main>")
    return f"<!doctype html><style>{STYLE}</style><body>{''.join(parts)}<script>{SCRIPT}</script></body>"


def capture_fluid(words: Words, screen: Size = FULL_HD) -> Frame:
    """The page as a browser of the size of the screen shows it."""
    return capture_html(page(words), Look(f"{screen.width}x{screen.height}"), 1.0, screen)
