"""What a private desktop promises to the programs on it."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

_SIZES = """
import json, subprocess, sys
from pathlib import Path
from Xlib import Xatom, display
from actionlens.virtual import VirtualScreen
from ibtr.geometry import Size
screen = VirtualScreen(Size(1280, 720), Path(sys.argv[1]))
seen = []
for size in (Size(1280, 720), Size(1600, 900), Size(1920, 1080)):
    screen.resize(size)
    x = display.Display(screen.display)
    told = x.screen().root.get_full_property(Xatom.RESOURCE_MANAGER, Xatom.STRING)
    tk = subprocess.run([sys.executable, "-c", sys.argv[2]], env=screen.environment, stdout=subprocess.PIPE)
    seen.append([told.value.decode() if told else "", tk.stdout.decode()])
screen.end()
sys.stderr.write(json.dumps(seen))
"""
_TK = """
import tkinter, tkinter.font
root = tkinter.Tk()
print(tkinter.font.nametofont("TkTextFont").measure("0123456789"))
"""


async def test_a_text_is_as_wide_on_every_size_of_screen(x_server: None, tmp_path: Path) -> None:
    measure = _TK if find_spec("tkinter") else "print(0)"

    done = await anyio.run_process(
        [sys.executable, "-c", _SIZES, str(tmp_path), measure], cwd=Path(__file__).parents[2]
    )
    seen = json.loads(done.stderr)

    assert {resources for resources, _ in seen} == {"Xft.dpi:\t96\n"}
    assert len({width for _, width in seen}) == 1
    assert all(width.strip() for _, width in seen)
