"""Dynamic time warping of many short pictures at once: columns laid onto columns, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ibtr.pixels import Floats

BAND = 0.14
"""How far a column may wander, as a share of the picture's width."""
LEAST = 2.5
"""The same in columns, at least."""
BENT = 0.05
"""What it costs to stay on a column."""
NEVER = np.float32(1e6)


def warped(known: Sequence[Floats], seen: Sequence[Floats]) -> list[Floats]:
    """Each `seen`, its columns laid where they fit the `known` of the same number best."""
    if not known:
        return []
    wide = np.array([a.shape[1] for a in known]), np.array([b.shape[1] for b in seen])
    left, right = _stacked(known, int(wide[0].max())), _stacked(seen, int(wide[1].max()))
    ways = _ways(_costs(left, right, *wide), *wide)
    found: list[Floats] = []
    for index, (a, b) in enumerate(zip(known, seen, strict=True)):
        i, j = ways[index]
        lands = np.zeros(a.shape, np.float32)
        np.add.at(lands.T, i, b.T[j])
        counts = np.bincount(i, minlength=a.shape[1]).astype(np.float32)
        found.append(np.asarray(lands / counts, np.float32))
    return found


def _stacked(pictures: Sequence[Floats], width: int) -> Floats:
    """Columns of all pictures: number, column, row."""
    tall = max(picture.shape[0] for picture in pictures)
    whole = np.zeros((len(pictures), width, tall), np.float32)
    for index, picture in enumerate(pictures):
        whole[index, : picture.shape[1], : picture.shape[0]] = picture.T
    return whole


def _costs(left: Floats, right: Floats, n: NDArray[np.int_], m: NDArray[np.int_]) -> Floats:
    """Least cost of a way to each pair of columns, by diagonals; a border of one on the low side."""
    apart = (left**2).sum(2)[:, :, None] + (right**2).sum(2)[:, None] - 2 * left @ right.transpose(0, 2, 1)
    rows, columns = _shares(left.shape[1], n), _shares(right.shape[1], m)
    reach = np.maximum(BAND, LEAST / np.maximum(n, m))[:, None, None]
    apart[np.abs(rows[:, :, None] - columns[:, None]) > reach] = NEVER
    cost = np.full((len(n), left.shape[1] + 1, right.shape[1] + 1), NEVER, np.float32)
    cost[:, 0, 0] = 0
    for d in range(left.shape[1] + right.shape[1] - 1):
        i = _range(max(0, d - right.shape[1] + 1), min(left.shape[1], d + 1))
        j = d - i
        before = np.minimum(cost[:, i, j], np.minimum(cost[:, i, j + 1], cost[:, i + 1, j]) + BENT)
        cost[:, i + 1, j + 1] = before + apart[:, i, j]
    return cost


def _range(first: int, end: int) -> NDArray[np.int_]:
    return np.arange(first, end)


def _shares(length: int, ends: NDArray[np.int_]) -> Floats:
    """Where each column is on the way from the first to the last, per picture."""
    columns: NDArray[np.int_] = np.arange(length)
    return (columns[None] / np.maximum(1, ends - 1)[:, None]).astype(np.float32)


def _ways(
    cost: Floats, n: NDArray[np.int_], m: NDArray[np.int_]
) -> list[tuple[NDArray[np.int_], NDArray[np.int_]]]:
    """The cheapest way through each table, walked back from its end."""
    every = np.arange(len(n))
    i, j = n.copy(), m.copy()
    steps = [(i, j)]
    while bool(((i > 1) | (j > 1)).any()):
        choices = np.stack([cost[every, i - 1, j - 1], cost[every, i - 1, j], cost[every, i, j - 1]])
        choices[1][j == 0] = choices[2][i == 0] = np.inf
        best = choices.argmin(axis=0)
        done = (i == 1) & (j == 1)
        i, j = np.where(done | (best == 2), i, i - 1), np.where(done | (best == 1), j, j - 1)
        steps.append((i, j))
    ways: list[tuple[NDArray[np.int_], NDArray[np.int_]]] = []
    walk_i, walk_j = np.stack([s[0] for s in steps]), np.stack([s[1] for s in steps])
    for index in every:
        pairs = np.unique(np.stack([walk_i[:, index], walk_j[:, index]], axis=1), axis=0) - 1
        ways.append((pairs[:, 0], pairs[:, 1]))
    return ways
