"""Show a GTK 3 window from its description, through ctypes: real rendering, true boxes by construction."""

from __future__ import annotations

import ctypes as c
import json
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Change:
    """What happened to some of the widgets since they were recorded."""

    labels: dict[str, str] = field(default_factory=dict)
    """New labels of buttons, by name."""
    hidden: tuple[str, ...] = ()
    """Widgets that are not painted, though they keep their place."""


class Allocation(c.Structure):
    _fields_ = (("x", c.c_int), ("y", c.c_int), ("width", c.c_int), ("height", c.c_int))


class Window:
    """One top-level window of a description."""

    def __init__(self, text: str, root: str) -> None:
        self.gtk, self.gdk, self.glib = (c.CDLL(f"lib{n}.so.0") for n in ("gtk-3", "gdk-3", "glib-2.0"))
        for name in ("gtk_builder_new_from_string", "gtk_builder_get_object", "gtk_widget_get_window"):
            getattr(self.gtk, name).restype = c.c_void_p
        self.gtk.gtk_init(None, None)
        data = text.encode()
        self.builder = c.c_void_p(self.gtk.gtk_builder_new_from_string(data, c.c_ssize_t(len(data))))
        self.window = self.item(root)

    def item(self, name: str) -> c.c_void_p:
        return c.c_void_p(self.gtk.gtk_builder_get_object(self.builder, name.encode()))

    def change(self, change: Change) -> None:
        for name, label in change.labels.items():
            self.gtk.gtk_button_set_label(self.item(name), label.encode())
        for name in change.hidden:
            self.gtk.gtk_widget_set_opacity(self.item(name), c.c_double(0))

    def boxes(self, names: list[str]) -> dict[str, list[int]]:
        left, top = c.c_int(), c.c_int()
        inner = c.c_void_p(self.gtk.gtk_widget_get_window(self.window))
        self.gdk.gdk_window_get_origin(inner, c.byref(left), c.byref(top))
        scale = self.gtk.gtk_widget_get_scale_factor(self.window)
        found: dict[str, list[int]] = {}
        for name in names:
            item, place = self.item(name), Allocation()
            if not item or not self.gtk.gtk_widget_get_mapped(item):
                continue
            self.gtk.gtk_widget_get_allocation(item, c.byref(place))
            dx, dy = c.c_int(), c.c_int()
            self.gtk.gtk_widget_translate_coordinates(item, self.window, 0, 0, c.byref(dx), c.byref(dy))
            numbers = (left.value + dx.value, top.value + dy.value, place.width, place.height)
            found[name] = [v * scale for v in numbers]
        return found


def show(text: str, root: str, names: list[str], at: tuple[int, int], change: Change) -> None:
    """Show the window, print the boxes of its widgets, and stay."""
    shown = Window(text, root)
    shown.change(change)
    shown.gtk.gtk_window_move(shown.window, *at)
    shown.gtk.gtk_window_set_focus(shown.window, None)
    shown.gtk.gtk_widget_show(shown.window)

    def report(_: object) -> int:
        print(json.dumps(shown.boxes(names)), flush=True)
        return 0

    callback = c.CFUNCTYPE(c.c_int, c.c_void_p)(report)
    shown.glib.g_timeout_add(700, callback, None)
    shown.gtk.gtk_main()
