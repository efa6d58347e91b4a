"""One GTK 3 window of our own: a form with menus, tools, fields, a list of rows and buttons.

Run as a script: X Y ROWS [CHANGES]; prints one JSON line with the box of every named widget, then stays.
"""

from __future__ import annotations

import json
import re
import sys

from bench.reaim.gtk_show import Change, show

ROWS = ("Globex", "Initech", "Umbrella", "Hooli", "Stark", "Wayne")
MENUS = ("File", "Edit", "View", "Records", "Tools", "Help")
TOOLS = (
    "document-new", "document-open", "document-save", "edit-cut", "edit-copy", "edit-paste", "edit-undo",
    "edit-redo", "edit-find", "list-add", "list-remove", "view-refresh", "go-previous", "go-next",
)  # fmt: skip
FIELDS = ("Client name", "Phone number", "City", "E-mail")
CHECKS = ("Send newsletter", "Active customer", "Tax exempt")
BUTTONS = ("Cancel", "Apply", "Save changes")


def widget(kind: str, name: str, **properties: str) -> str:
    inner = "".join(f'<property name="{k.replace("_", "-")}">{v}</property>' for k, v in properties.items())
    return f'<object class="{kind}" id="{name}"><property name="visible">True</property>{inner}</object>'


def child(inner: str, packing: str = "") -> str:
    return f"<child>{inner}{f'<packing>{packing}</packing>' if packing else ''}</child>"


def box(name: str, children: str, orientation: str = "horizontal", spacing: int = 6, border: int = 4) -> str:
    return (
        f'<object class="GtkBox" id="{name}"><property name="visible">True</property>'
        f'<property name="orientation">{orientation}</property><property name="spacing">{spacing}</property>'
        f'<property name="border-width">{border}</property>{children}</object>'
    )


def interface(rows: tuple[str, ...]) -> str:
    menus = "".join(child(widget("GtkMenuItem", f"menu:{m}", label=m)) for m in MENUS)
    bar = f'<object class="GtkMenuBar" id="bar"><property name="visible">True</property>{menus}</object>'
    tools = "".join(child(widget("GtkToolButton", f"tool:{t}", icon_name=t)) for t in TOOLS)
    strip = f'<object class="GtkToolbar" id="strip"><property name="visible">True</property>{tools}</object>'
    fields = "".join(
        child(box(f"line:{f}", child(widget("GtkLabel", f"label:{f}", label=f, width_chars="14"))
        + child(widget("GtkEntry", f"field:{f}", text=f"{f[:3]} 4{i}", width_chars="22"))))
        for i, f in enumerate(FIELDS)
    )  # fmt: skip
    checks = "".join(child(widget("GtkCheckButton", f"check:{k}", label=k)) for k in CHECKS)
    table = "".join(child(_row(r)) for r in rows)
    ends = "".join(child(widget("GtkButton", f"button:{b}", label=b)) for b in BUTTONS)
    body = box(
        "columns", child(box("left", fields + checks, "vertical")) + child(box("right", table, "vertical", 2))
    )
    page = "".join(child(part) for part in (bar, strip, body, box("ends", ends)))
    title, inner = '<property name="title">Accounts</property>', child(box("page", page, "vertical", 0, 0))
    return f'<interface><object class="GtkWindow" id="window">{title}{inner}</object></interface>'


def _row(name: str) -> str:
    label = widget("GtkLabel", f"name:{name}", label=name, width_chars="12", xalign="0")
    edit = widget("GtkButton", f"edit:{name}", label="Edit")
    delete = widget("GtkButton", f"delete:{name}", label="Delete")
    return box(f"row:{name}", child(label) + child(edit) + child(delete), border=1)


def named(text: str) -> list[str]:
    """What may be clicked, and the labels."""
    ids = re.findall(r'id="([^"]+)"', text)
    return [i for i in ids if ":" in i and not i.startswith(("line:", "row:"))]


if __name__ == "__main__":
    page = interface(tuple(sys.argv[3].split(",")) if sys.argv[3] else ROWS)
    change = Change(**json.loads(sys.argv[4])) if len(sys.argv) > 4 else Change()
    show(page, "window", named(page), (int(sys.argv[1]), int(sys.argv[2])), change)
