"""Labelled targets on screenshots: read from a set, one image in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from ibtr.geometry import Box, Point
from ibtr.pixels import Pixels


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled target: where it was clicked, and its true box."""

    id: str
    image: Path
    box: Box
    click: Point


def read_cases(targets: Path, images: Path) -> list[Case]:
    """The cases of a set of `{id, image, size, box, click}`."""
    rows = json.loads(targets.read_text())
    return [Case(r["id"], images / r["image"], Box(*r["box"]), Point(*r["click"])) for r in rows]


@lru_cache(maxsize=3)
def load(path: Path) -> Pixels:
    """A screenshot, BGR."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise SystemExit(f"not an image: {path}")
    return np.asarray(image, np.uint8)


def sample(cases: list[Case], count: int, seed: int) -> Iterator[Case]:
    """`count` cases in a fixed random order; all of them when `count` is 0."""
    order = np.random.default_rng(seed).permutation(len(cases))
    yield from (cases[i] for i in (order[:count] if count else order))
