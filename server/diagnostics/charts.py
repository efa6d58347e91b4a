"""Charts of what the diagnostics found, like the paper's figures with ours beside."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ibtr.pixels import Pixels
from server.diagnostics.canvas import BLUE, GREY, GRID, INK, ORANGE, RED, SKY, SOFT, At, Canvas, Colour
from server.diagnostics.figures import Diagnosis, Figure

_WIDE, _HIGH = 1280, 760
_LEFT, _RIGHT, _TOP, _BOTTOM = 110, 60, 150, 90


@dataclass(frozen=True, slots=True)
class Axes:
    """The plot inside a sheet: values to places."""

    canvas: Canvas
    x: tuple[float, float]
    y: tuple[float, float]
    logarithmic: bool = False
    left: int = _LEFT

    def at(self, x: float, y: float) -> At:
        """The place of a point."""
        low, high = (np.log10(v) for v in self.y) if self.logarithmic else self.y
        value = np.log10(max(y, self.y[0])) if self.logarithmic else y
        wide, tall = self.canvas.width - self.left - _RIGHT, self.canvas.height - _TOP - _BOTTOM
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        return At(self.left + wide * across, _TOP + tall * float(1 - (value - low) / (high - low)))

    def grid(self, xs: Sequence[float], ys: Sequence[float], names: tuple[str, str], unit: str = "") -> None:
        """Lines, numbers and what they are."""
        canvas = self.canvas
        for y in ys:
            at = self.at(self.x[0], y)
            canvas.line(at, self.at(self.x[1], y), GRID, 1)
            canvas.text(At(at.x - 14, at.y + 6), f"{_number(y)}{unit}", 18, SOFT, align="right")
        for x in xs:
            at = self.at(x, self.y[0])
            canvas.text(At(at.x, at.y + 28), _number(x), 18, SOFT, align="middle")
        canvas.line(self.at(self.x[0], self.y[0]), self.at(self.x[1], self.y[0]), SOFT, 1)
        middle = (self.left + canvas.width - _RIGHT) / 2
        canvas.text(At(middle, canvas.height - 26), names[0], 19, INK, align="middle")
        canvas.text(At(40, _TOP - 28), names[1], 19, INK)


def draw(found: Diagnosis) -> Pixels:
    """The chart of one diagnostic."""
    canvas = Canvas(_WIDE, _HIGH)
    canvas.text(At(40, 52), found.title, 32, bold=True)
    canvas.text(At(40, 84), _shortened(canvas, found.conditions[0], _WIDE - 80), 19, SOFT)
    _CHARTS[found.name](canvas, found)
    return canvas.pixels


def sheet(found: Sequence[Diagnosis]) -> Pixels:
    """Several charts on one sheet, two in a row."""
    charts = [draw(one) for one in found]
    if len(charts) % 2 and len(charts) > 1:
        charts.append(np.full_like(charts[0], 255))
    rows = [np.hstack(charts[at : at + 2]) for at in range(0, len(charts), 2)]
    return np.vstack(rows).astype(np.uint8)


def _retrieval(canvas: Canvas, found: Diagnosis) -> None:
    ours, longest, paper = (found.series[name] for name in ("median", "longest", "paper"))
    points = [*ours, *longest, *paper]
    most = max(x for x, _ in points)
    axes = Axes(canvas, (0, most * 1.06), _decades([y for _, y in points]), logarithmic=True)
    ticks = [10.0**n for n in range(-2, 5) if axes.y[0] <= 10.0**n <= axes.y[1]]
    axes.grid(_steps(most), ticks, ("memories in the library", "ms, log scale"))
    _curve(axes, paper, GREY, dashed=True)
    _curve(axes, longest, SKY)
    _curve(axes, ours, BLUE)
    for at, (x, y) in enumerate(ours):
        recall = found.figures[at].ours
        place = axes.at(x, y)
        canvas.text(At(place.x, place.y + 32), f"{recall:.0f} %", 17, BLUE, bold=True, align="middle")
    names = (
        ("median lookup, and share recalled", BLUE),
        ("longest lookup", SKY),
        ("the paper's median", GREY),
    )
    _legend(canvas, names)


def _storage(canvas: Canvas, found: Diagnosis) -> None:
    points = found.series["ours"]
    most = max(x for x, _ in points)
    fitted, paper = found.series["fit"], found.series["paper fit"][0]
    top = max(*(y for _, y in points), paper[0] + paper[1] * most)
    axes = Axes(canvas, (0, most * 1.06), (0, top * 1.1))
    axes.grid(_steps(most), _steps(top), ("steps of a memory", "MB"))
    for (intercept, slope), colour, dashed in ((paper, GREY, True), *((one, BLUE, False) for one in fitted)):
        canvas.line(axes.at(0, intercept), axes.at(most, intercept + slope * most), colour, 3, dashed=dashed)
    for x, y in points:
        canvas.dot(axes.at(x, y), BLUE)
    told = [f"ours: {one[0]:.3f} + {one[1]:.4f} MB a step" for one in fitted]
    ours = told[0] if told else "ours: too few lengths for a line"
    _legend(canvas, ((ours, BLUE), (f"the paper: {paper[0]:.3f} + {paper[1]:.3f} MB a step", GREY)))


_KINDS = ((BLUE, "within 2 px"), (SKY, "further off, on it"), (RED, "wrong place"), (GREY, "refused"))


def _reaim(canvas: Canvas, found: Diagnosis) -> None:
    from server.diagnostics.reaim import GONE, PAPER

    rows = [*found.series]
    left = 330
    axes = Axes(canvas, (0, 100), (0, 1), left=left)
    gap = 30 if any(name in GONE for name in rows) else 0
    high = (canvas.height - _TOP - _BOTTOM - gap) / len(rows)
    for tick in (0, 25, 50, 75, 100):
        x = axes.at(tick, 0).x
        canvas.line(At(x, _TOP), At(x, canvas.height - _BOTTOM), GRID, 1)
        canvas.text(At(x, canvas.height - _BOTTOM + 28), f"{tick} %", 18, SOFT, align="middle")
    for at, name in enumerate(rows):
        top = _TOP + high * at + (gap if name in GONE else 0)
        n = next((f.n for f in found.figures if f.what.startswith(f"{name}:")), 0)
        canvas.text(At(left - 14, top + high / 2 + 6), f"{name}, n = {n}", 19, align="right")
        begun = 0.0
        for kind, percent in found.series[name]:
            start = axes.at(begun, 0).x
            begun += percent
            canvas.bar(
                At(start, top + high * 0.16), At(axes.at(begun, 0).x, top + high * 0.84), _KINDS[int(kind)][0]
            )
        if name in PAPER:
            canvas.diamond(At(axes.at(PAPER[name][0], 0).x, top + high / 2), ORANGE)
    canvas.text(
        At(left, canvas.height - 26),
        "below the gap the target is gone or has a twin: to refuse is right",
        18,
        SOFT,
    )
    _legend(canvas, [*((text, colour) for colour, text in _KINDS), ("the paper accepted", ORANGE)])


def _gate(canvas: Canvas, found: Diagnosis) -> None:
    wanted = [figure for figure in found.figures if figure.paper is not None]
    _pairs(canvas, wanted)


def _pairs(canvas: Canvas, figures: Sequence[Figure]) -> None:
    """Ours beside the paper's, in percent, with our goal as a line."""
    axes = Axes(canvas, (0, len(figures)), (0, 108))
    axes.grid([], [0, 25, 50, 75, 100], ("", "right"), " %")
    for at, figure in enumerate(figures):
        for value, colour, place in ((figure.ours, BLUE, 0.22), (figure.paper, GREY, 0.52)):
            if value is not None:
                top = axes.at(at + place, value)
                canvas.bar(top, axes.at(at + place + 0.26, 0), colour)
                middle = At(axes.at(at + place + 0.13, 0).x, top.y - 12)
                canvas.text(
                    middle, f"{value:.1f}".removesuffix(".0") + " %", 21, INK, bold=True, align="middle"
                )
        if figure.goal and figure.goal.at_least is not None:
            y = figure.goal.at_least
            canvas.line(axes.at(at + 0.18, y), axes.at(at + 0.52, y), ORANGE, 3)
        below = axes.at(at + 0.5, 0)
        canvas.text(At(below.x, below.y + 32), figure.what, 20, INK, align="middle")
        canvas.text(At(below.x, below.y + 58), f"n = {figure.n}", 18, SOFT, align="middle")
    _legend(canvas, (("ours", BLUE), ("the paper", GREY), ("our goal", ORANGE)))


def _rebind(canvas: Canvas, found: Diagnosis) -> None:
    _pairs(canvas, found.figures)


_CHARTS: Final[dict[str, Callable[[Canvas, Diagnosis], None]]] = {
    "retrieval": _retrieval,
    "reaim": _reaim,
    "storage": _storage,
    "gate": _gate,
    "rebind": _rebind,
}


def _curve(
    axes: Axes, points: Sequence[tuple[float, float]], colour: Colour, *, dashed: bool = False
) -> None:
    places = [axes.at(x, y) for x, y in points]
    for start, end in itertools.pairwise(places):
        axes.canvas.line(start, end, colour, 3, dashed=dashed)
    for place in places:
        axes.canvas.dot(place, colour)


def _legend(canvas: Canvas, names: Sequence[tuple[str, Colour]]) -> None:
    """From the right, on one line under the title."""
    x = float(canvas.width - _RIGHT)
    for text, colour in reversed(names):
        x -= canvas.wide(text, 18)
        canvas.text(At(x, 120), text, 18, INK)
        canvas.bar(At(x - 22, 106), At(x - 8, 120), colour)
        x -= 46


def _decades(values: Sequence[float]) -> tuple[float, float]:
    positive = [value for value in values if value > 0] or [1.0]
    return 10.0 ** np.floor(np.log10(min(positive) * 0.8)), 10.0 ** np.ceil(np.log10(max(positive) * 1.1))


def _steps(most: float) -> list[float]:
    """Round numbers from 0 up to `most`, about five of them."""
    rough = most / 5
    power = 10.0 ** np.floor(np.log10(rough))
    step = next((power * by for by in (1, 2, 5) if power * by >= rough), power * 10)
    return [float(step * n) for n in range(int(most / step + 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{value:g}"


def _shortened(canvas: Canvas, text: str, most: int) -> str:
    while canvas.wide(text, 19) > most:
        text = text[:-2].rstrip() + "…"
    return text
