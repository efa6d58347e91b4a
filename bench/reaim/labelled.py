"""`python -m bench.reaim.labelled OUT`: frames of real applications as a set of labelled screens.

From what `--parts apps others` kept. `make bench-reaim CASES=OUT/targets.json IMAGES=OUT` then puts them
through every condition: widgets that nobody labelled by hand, of other kinds than a person clicks most.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2

from bench.reaim.apps import APPS, LOOKS, looks_of
from bench.reaim.boxes import thinned
from bench.reaim.measure import clicked
from bench.reaim.others import OTHERS
from bench.reaim.shown import Seen, kept_frame


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
    height, width = frame.image.shape[:2]
    return [
        {
            "id": f"{name}-{index}-{widget.split(':')[0]}", "image": f"{name}.png", "size": [width, height],
            "box": list(box), "click": [box.x + box.width // 2, box.y + box.height // 2],
        }
        for index, (widget, box) in enumerate(thinned(whole, most).items())
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", type=Path, nargs="+", default=[Path("bench-out/reaim/applications")])
    parser.add_argument("--look", default="maximised", choices=[look.name for look in LOOKS])
    parser.add_argument("--most", type=int, default=2, help="targets of one kind in a window")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    for folder in args.frames:
        for app, frame in kept(folder, args.look):
            name = app.replace(" ", "_").replace(",", "")
            cv2.imwrite(str(args.out / f"{name}.png"), frame.image)
            rows += rows_of(frame, name, args.most)
    (args.out / "targets.json").write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} targets of {len({row['image'] for row in rows})} screens")


if __name__ == "__main__":
    main()
