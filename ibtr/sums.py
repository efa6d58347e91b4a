"""Spectra of pictures, and sums over their windows; with `pixels` and `masks` what knows cv2's types."""

from __future__ import annotations

from typing import TypeAlias, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ibtr.geometry import Size
from ibtr.pixels import Floats, Pixels


def best_size(size: Size) -> Size:
    """The next size whose spectrum is made quickly."""
    return Size(cv2.getOptimalDFTSize(size.width), cv2.getOptimalDFTSize(size.height))


def spectrum(image: Floats) -> Floats:
    """Fourier transform of a picture, which it takes the place of.

    Below which row there are zeros is not said: cv2 has its quick transform for whole pictures only.
    """
    return cast("Floats", cv2.dft(image, dst=image))


def correlated(image: Floats, crop: Floats) -> Floats:
    """The correlation of two pictures from their spectra; it takes the place of the second.

    Without its scale: it is as many times too large as there are pixels.
    """
    both = cv2.mulSpectrums(image, crop, 0, c=crop, conjB=True)
    return cast("Floats", cv2.dft(both, dst=both, flags=cv2.DFT_INVERSE | cv2.DFT_REAL_OUTPUT))


def divide(a: Floats, b: Floats, by: float) -> Floats:
    """`a` by `b` times `by`, in the place of `b`."""
    return cast("Floats", cv2.divide(a, b, dst=b, scale=1 / by))


Sums: TypeAlias = NDArray[np.int32] | NDArray[np.float64]


def integrals(image: Pixels | Floats) -> tuple[Sums, NDArray[np.float64]]:
    """Sum, and sum of squares, of all that lies above and left of each pixel."""
    sums, squares = cv2.integral2(image)
    return cast("Sums", sums), cast("NDArray[np.float64]", squares)


def windowed(sums: Sums, size: Size) -> Floats:
    """The sum over every window of `size`, from what `integrals` gives."""
    rows = cv2.subtract(sums[size.height :], sums[: -size.height])
    return cast("Floats", cv2.subtract(rows[:, size.width :], rows[:, : -size.width], dtype=cv2.CV_32F))


def deviations(sums: Sums, squares: Sums, size: Size, least: float) -> Floats:
    """For every window of `size`, the root of its squared deviations, or `least`; from `integrals`."""
    mean, spread = windowed(sums, size), windowed(squares, size)
    cv2.multiply(mean, mean, dst=mean, scale=1 / (size.width * size.height))
    cv2.subtract(spread, mean, dst=spread)
    cv2.max(spread, least * least, dst=spread)  # type: ignore[call-overload]
    return cast("Floats", cv2.sqrt(spread, dst=spread))
