"""Many pages in one picture: each in a frame of its own, so that one start of the browser draws them all."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from bench.reaim.toolkits import Look
from bench.reaim.web import capture_html
from ibtr.geometry import Box, Size
from ibtr.pixels import Pixels

COLUMNS, ROWS = 4, 16
CELL = Size(1366, 768)
SCRIPT = """addEventListener('load',()=>{const found={};document.querySelectorAll('iframe').forEach((f,i)=>{
const o=f.getBoundingClientRect();f.contentDocument.querySelectorAll('[data-n]').forEach(e=>{
const r=e.getBoundingClientRect();found[i+':'+e.dataset.n]=[o.x+r.x,o.y+r.y,r.width,r.height]})});
const out=document.createElement('script');out.type='application/json';out.id='boxes';
out.textContent=JSON.stringify(found);document.body.append(out)})"""


class Source(NamedTuple):
    """A page and the size of the window it is shown in; none is larger than a cell."""

    html: str
    window: Size


class Shot(NamedTuple):
    """What the browser shows, and where the target is."""

    image: Pixels
    box: Box | None


def shots(sources: Sequence[Source], folder: Path, *, kept: bool) -> Iterator[Shot]:
    """Each page as it is drawn, and kept in the folder; `kept`: those that are there are not drawn again."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {s for s in sources if kept and _place(folder, s).exists()}
    new = [s for s in dict.fromkeys(sources) if s not in drawn]
    for start in range(0, len(new), COLUMNS * ROWS):
        some = new[start : start + COLUMNS * ROWS]
        for source, shot in zip(some, _drawn(some), strict=True):
            _keep(_place(folder, source), shot)
    for source in sources:
        yield _kept(_place(folder, source))


def _place(folder: Path, source: Source) -> Path:
    told = f"{source.window}{source.html}".encode()
    return folder / f"{hashlib.sha1(told, usedforsecurity=False).hexdigest()[:16]}.json"


def _keep(place: Path, shot: Shot) -> None:
    cv2.imwrite(str(place.with_suffix(".png")), shot.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    place.write_text(json.dumps(shot.box))


def _kept(place: Path) -> Shot:
    box = json.loads(place.read_text())
    image = np.asarray(cv2.imread(str(place.with_suffix(".png"))), np.uint8)
    return Shot(image, Box(*box) if box else None)


def _drawn(sources: Sequence[Source]) -> Iterator[Shot]:
    corners = [(CELL.width * (i % COLUMNS), CELL.height * (i // COLUMNS)) for i in range(len(sources))]
    frames = "".join(_frame(*pair) for pair in zip(sources, corners, strict=True))
    rows = -(-len(sources) // COLUMNS)
    whole = Size(CELL.width * COLUMNS, CELL.height * rows)
    page = f"<!doctype html><body style='margin:0'>{frames}<script>{SCRIPT}</script></body>"
    drawn = capture_html(page, Look("misleading"), 1.0, whole)
    for i, (source, (x, y)) in enumerate(zip(sources, corners, strict=True)):
        image = np.ascontiguousarray(drawn.image[y : y + source.window.height, x : x + source.window.width])
        box = drawn.boxes.get(f"{i}:target")
        yield Shot(image, box._replace(x=box.x - x, y=box.y - y) if box else None)


def _frame(source: Source, corner: tuple[int, int]) -> str:
    place = (
        f"left:{corner[0]}px;top:{corner[1]}px;width:{source.window.width}px;height:{source.window.height}px"
    )
    return f'<iframe style="position:absolute;border:0;{place}" srcdoc="{html.escape(source.html)}"></iframe>'
