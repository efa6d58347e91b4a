"""One GTK 3 window of our own, through ctypes: real rendering, and true boxes by construction.

Run as a script: X Y ROWS; prints one JSON line with the box of every named widget, then stays.
"""

from __future__ import annotations

import ctypes as c
import json
import sys

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


class Allocation(c.Structure):
    _fields_ = (("x", c.c_int), ("y", c.c_int), ("width", c.c_int), ("height", c.c_int))


def show(x: int, y: int, rows: tuple[str, ...]) -> None:
    gtk, gdk, glib = (c.CDLL(f"lib{n}.so.0") for n in ("gtk-3", "gdk-3", "glib-2.0"))
    for name in ("gtk_builder_new_from_string", "gtk_builder_get_object", "gtk_widget_get_window"):
        getattr(gtk, name).restype = c.c_void_p
    gtk.gtk_init(None, None)
    text = interface(rows).encode()
    builder = c.c_void_p(gtk.gtk_builder_new_from_string(text, c.c_ssize_t(len(text))))
    window = c.c_void_p(gtk.gtk_builder_get_object(builder, b"window"))
    gtk.gtk_window_move(window, x, y)
    gtk.gtk_window_set_focus(window, None)
    gtk.gtk_widget_show(window)
    ids = [part.split('"')[0] for part in interface(rows).split('id="')[1:]]

    def boxes() -> dict[str, list[int]]:
        left, top = c.c_int(), c.c_int()
        gdk.gdk_window_get_origin(c.c_void_p(gtk.gtk_widget_get_window(window)), c.byref(left), c.byref(top))
        scale = gtk.gtk_widget_get_scale_factor(window)
        found: dict[str, list[int]] = {}
        for name in ids:
            if ":" not in name or name.startswith(("line:", "row:")):
                continue
            item, place = c.c_void_p(gtk.gtk_builder_get_object(builder, name.encode())), Allocation()
            gtk.gtk_widget_get_allocation(item, c.byref(place))
            dx, dy = c.c_int(), c.c_int()
            gtk.gtk_widget_translate_coordinates(item, window, 0, 0, c.byref(dx), c.byref(dy))
            numbers = (left.value + dx.value, top.value + dy.value, place.width, place.height)
            found[name] = [v * scale for v in numbers]
        return found

    def report(_: object) -> int:
        print(json.dumps(boxes()), flush=True)
        return 0

    callback = c.CFUNCTYPE(c.c_int, c.c_void_p)(report)
    glib.g_timeout_add(700, callback, None)
    gtk.gtk_main()


if __name__ == "__main__":
    show(int(sys.argv[1]), int(sys.argv[2]), tuple(sys.argv[3].split(",")) if len(sys.argv) > 3 else ROWS)
