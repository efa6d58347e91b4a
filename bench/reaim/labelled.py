"""`python -m bench.reaim.labelled OUT`: a set of labelled screens that nobody labelled by hand.

From the frames of real applications that `--parts apps others` kept or, with `--screens FOLDER`, from any
screenshots: words and icons at random. `make bench-reaim CASES=OUT/targets.json IMAGES=OUT` then puts them
through every condition. They are of other kinds than a person labels first, and show other holes.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from bench.reaim.apps import APPS, LOOKS, looks_of
from bench.reaim.boxes import thinned
from bench.reaim.cases import load
from bench.reaim.measure import clicked
from bench.reaim.others import OTHERS
from bench.reaim.shown import Seen, kept_frame
from ibtr.geometry import Box
from ibtr.page import Page
from ibtr.pixels import Pixels, to_gray


def kept(folder: Path, look: str) -> Iterator[tuple[str, Seen]]:
    """The frames of that look, by application."""
    for app in (*APPS, *OTHERS):
        for shown in looks_of(app):
            frame = kept_frame(shown, folder / app.name) if shown.name == look else None
            if frame is not None:
                yield app.name, frame


def rows_of(frame: Seen, name: str, most: int) -> list[dict[str, object]]:
    """What can be clicked on it, `most` of each kind, clicked in its middle."""
    whole = {n: box for n, box in clicked(frame).items() if n not in frame.cut}
    chosen = enumerate(thinned(whole, most).items())
    return [
        _row(f"{name}-{n}-{widget.split(':')[0]}", f"{name}.png", frame.image, box)
        for n, (widget, box) in chosen
    ]


def marks_of(screen: Pixels, image: str, most: int, rng: np.random.Generator) -> list[dict[str, object]]:
    """Words and icons of a screenshot, `most` of them at random, clicked in their middle."""
    page = Page(to_gray(screen), screen)
    boxes = [page.box(mark) for mark in range(len(page.boxes))]
    fits = [box for box in boxes if 8 <= box.height <= 40 and 8 <= box.width <= 200]
    chosen: list[int] = rng.permutation(len(fits))[:most].tolist()
    return [_row(f"{Path(image).stem}-{n}", image, screen, fits[at]) for n, at in enumerate(chosen)]


def _row(name: str, image: str, screen: Pixels, box: Box) -> dict[str, object]:
    height, width = screen.shape[:2]
    click = [int(box.x + box.width // 2), int(box.y + box.height // 2)]
    return {
        "id": name, "image": image, "size": [width, height], "box": [int(v) for v in box], "click": click
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", type=Path, nargs="+", default=[Path("bench-out/reaim/applications")])
    parser.add_argument("--look", default="maximised", choices=[look.name for look in LOOKS])
    parser.add_argument("--most", type=int, default=2, help="targets of one kind in a window, or on a screen")
    parser.add_argument("--screens", type=Path, help="screenshots to take words and icons from instead")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rows, rng = list[dict[str, object]](), np.random.default_rng(args.seed)
    for file in sorted(args.screens.glob("*.png")) if args.screens else ():
        shutil.copy(file, args.out)
        rows += marks_of(load(file), file.name, args.most, rng)
    for folder in () if args.screens else args.frames:
        for app, frame in kept(folder, args.look):
            name = app.replace(" ", "_").replace(",", "")
            cv2.imwrite(str(args.out / f"{name}.png"), frame.image)
            rows += rows_of(frame, name, args.most)
    (args.out / "targets.json").write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} targets of {len({row['image'] for row in rows})} screens")


if __name__ == "__main__":
    main()
