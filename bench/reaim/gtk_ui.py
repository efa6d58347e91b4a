"""A dialog of a real application, from the description that the application itself ships.

Run as a script: X Y FILE [CHANGES]; prints one JSON line with the box of every control, then stays.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from bench.reaim.gtk_show import Change, show

CONTROLS = (
    "Button", "CheckButton", "RadioButton", "ToggleButton", "Entry", "SpinButton", "ComboBox", "ComboBoxText",
    "MenuItem", "ToolButton", "LinkButton",
)  # fmt: skip
LABELLED = ("Button", "CheckButton", "RadioButton", "ToggleButton")


def controls(text: str) -> dict[str, str]:
    """The kind of every control, by its name."""
    found = re.findall(r'<object class="Gtk(\w+)" id="([^"]+)"', text)
    return {name: kind for kind, name in found if kind in CONTROLS}


def top(text: str) -> str:
    """The name of the window."""
    found = re.search(r'<object class="Gtk(?:Window|Dialog)" id="([^"]+)"', text)
    if found is None:
        raise SystemExit("the description has no window")
    return found[1]


if __name__ == "__main__":
    description = Path(sys.argv[3]).read_text()
    changes = Change(**json.loads(sys.argv[4])) if len(sys.argv) > 4 else Change()
    show(
        description,
        top(description),
        list(controls(description)),
        (int(sys.argv[1]), int(sys.argv[2])),
        changes,
    )
