"""Arrays in and out of cv2: with `masks` and `sums` the only file that knows its loose types."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ibtr.errors import BadImage
from ibtr.geometry import Box, Point, Size

Pixels: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]

SMALLEST = 16
"""A screenshot with a side shorter than this shows nothing that could be found."""


def checked(image: object, what: str = "screen") -> Pixels:
    """`image` as a BGR screenshot.

    Raises:
        BadImage: it is not a uint8 array of height x width x 3, or it is too small to hold anything.
    """
    if not isinstance(image, np.ndarray):
        raise BadImage(f"{what} is not an array but {type(image).__name__}")
    array = cast("NDArray[np.generic]", image)
    if array.dtype != np.uint8:
        raise BadImage(f"{what} holds {array.dtype}, not uint8")
    if array.ndim != 3 or array.shape[2] != 3:
        raise BadImage(f"{what} has the shape {array.shape}, not height x width x 3 (BGR)")
    if min(array.shape[:2]) < SMALLEST:
        raise BadImage(f"{what} is {array.shape[1]}x{array.shape[0]}: smaller than {SMALLEST} px")
    return np.ascontiguousarray(cast("Pixels", array))


def size_of(image: Pixels | Floats) -> Size:
    """Width and height of an array."""
    return Size(int(image.shape[1]), int(image.shape[0]))


Image = TypeVar("Image", Pixels, Floats, NDArray[np.int32])


def cut(image: Image, box: Box) -> Image:
    """The part of `image` under `box` (a view)."""
    return image[box.y : box.bottom, box.x : box.right]


def to_gray(image: Pixels) -> Pixels:
    """Luma, as the paper matches by default."""
    return image if image.ndim == 2 else cast("Pixels", cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def in_colours(gray: Pixels) -> Pixels:
    """Luma as a picture of three equal channels."""
    return cast("Pixels", cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))


def channels(image: Pixels) -> list[Floats]:
    """Blue, green and red apart."""
    return [part.astype(np.float32) for part in cast("list[Pixels]", cv2.split(image))]


def colourful(image: Pixels, levels: int) -> bool:
    """Whether any pixel has channels that are `levels` apart."""
    blue, green, red = cast("list[Pixels]", cv2.split(image))
    pairs = ((blue, green), (red, green), (red, blue))
    return any(cv2.norm(a, b, cv2.NORM_INF) >= levels for a, b in pairs)


def resized(image: Pixels, size: Size) -> Pixels:
    """Area interpolation when shrinking, bilinear otherwise (paper, B.3)."""
    width, height = max(1, size.width), max(1, size.height)
    if (width, height) == (image.shape[1], image.shape[0]):
        return image
    shrinks = width < image.shape[1] or height < image.shape[0]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return cast("Pixels", cv2.resize(image, (width, height), interpolation=how))


def halved(image: Pixels, size: Size, times: int) -> Pixels:
    """The same for a picture that is shrunk about 2^`times` times: where it is exactly that, far quicker."""
    if (size.width << times, size.height << times) == size_of(image):
        for left in range(times - 1, 0, -1):
            image = resized(image, Size(size.width << left, size.height << left))
    return resized(image, size)


def correlate(image: Pixels | Floats, template: Pixels | Floats, kept: Floats | None = None) -> Floats:
    """Zero-mean normalised correlation of `template`, or what of it is `kept`, at every place in `image`."""
    scores = cast("Floats", cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED, mask=kept))
    if kept is None:
        return scores
    sound = np.abs(scores) < 1.01  # beside a mask, cv2 divides by nothing where a place is plain
    return np.where(sound, np.clip(scores, -1, 1), 0).astype(np.float32)


def correlation(
    known: Pixels, seen: Pixels, kept: Floats | None = None, *, own: tuple[float, float] | None = None
) -> float:
    """Zero-mean normalised correlation of two pictures of one size; 0 where one of them is flat.

    Bytes are summed as they are: 2ab is what a² and b² have more than (a - b)². `own` are the moments of
    the first, where many are compared with it.
    """
    if kept is not None:
        free = kept > 0
        known, seen = known[free][None], seen[free][None]
    if not known.size:
        return 0.0
    (mean_a, spread_a), (mean_b, spread_b) = own or moments(known), moments(seen)
    if min(spread_a, spread_b) < FLAT:
        return 0.0
    apart = distance(known, seen) / known.size
    both = spread_a**2 + spread_b**2 + (mean_a - mean_b) ** 2 - apart
    return both / (2 * spread_a * spread_b)


def distance(a: Pixels, b: Pixels) -> float:
    """The sum of squared differences of two pictures of one size."""
    return cv2.norm(a, b, cv2.NORM_L2SQR)


FLAT = 1e-4
"""Deviation below which there is none: one pixel by one level is more on the largest screen."""


def moments(image: Pixels | Floats) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean, spread = cv2.meanStdDev(image)
    return float(mean[0, 0]), float(spread[0, 0])


def squared_difference(image: Pixels, template: Pixels) -> Floats:
    """Normalised squared difference of `template` at every place in `image`."""
    return cast("Floats", cv2.matchTemplate(image, template, cv2.TM_SQDIFF_NORMED))


FEW = 5
"""Pixels to a side of a window up to which it is quicker to add them up anew at each place."""


def local_mean(image: Floats, width: int, height: int | None = None) -> Floats:
    """Mean over a window of `width` x `height` around each pixel."""
    kernel = (width, height or width)
    if max(kernel) <= FEW:
        return cast("Floats", cv2.sepFilter2D(image, -1, even(kernel[0]), even(kernel[1])))
    return cast("Floats", cv2.boxFilter(image, -1, kernel, borderType=cv2.BORDER_REFLECT_101))


def smoothed(image: Pixels | Floats, sigma: float) -> Floats:
    """Gaussian blur."""
    weights = bell(sigma, round(8 * sigma + 1) | 1)
    return cast("Floats", cv2.sepFilter2D(image, cv2.CV_32F, weights, weights))


@lru_cache
def even(taps: int) -> Floats:
    """The weights of a mean."""
    return np.full(taps, 1 / taps, np.float32)


@lru_cache
def bell(sigma: float, taps: int) -> Floats:
    """The weights of a Gaussian."""
    return cast("Floats", cv2.getGaussianKernel(taps, sigma, cv2.CV_32F))


def root(image: Floats) -> Floats:
    """Square root of every pixel."""
    return cast("Floats", cv2.sqrt(image))


def same(a: Pixels, b: Pixels) -> bool:
    """Whether two pictures of one size have the same pixels, all of them."""
    return cv2.norm(a, b, cv2.NORM_INF) == 0


def average(image: Pixels | Floats) -> float:
    """Mean."""
    return float(cv2.mean(image)[0])


def spread(image: Pixels | Floats) -> float:
    """Standard deviation."""
    return moments(image)[1]


def at_least_zero(image: Floats) -> Floats:
    """Every pixel, or 0 where it is less; in its place."""
    return cast("Floats", cv2.threshold(image, 0, 0, cv2.THRESH_TOZERO, dst=image)[1])


def above(image: Floats, least: float, full: float) -> Floats:
    """Every pixel as a share of `full`, at most 1; 0 where it is not above `least`."""
    _, kept = cv2.threshold(image, least, 0, cv2.THRESH_TOZERO)
    shares = cast("Floats", kept)
    shares *= np.float32(1 / full)
    return cast("Floats", cv2.threshold(shares, 1, 0, cv2.THRESH_TRUNC, dst=shares)[1])


SOFT = 1.0
"""Deviation, in pixels of the shrunk picture, by which it is smoothed."""


def softened(image: Pixels, level: int) -> Pixels:
    """A picture shrunk `level` times without what depends on where its pixels fell.

    Unsmoothed, a 1-px line at a quarter of the size correlates with itself by 0.2 to 0.7, a pixel or two on.
    """
    weights = bell(SOFT, 7)
    return cast("Pixels", cv2.sepFilter2D(image, -1, weights, weights)) if level else image


def local_maximum(image: Floats, size: int) -> Floats:
    """Largest value in a window of `size` around each pixel."""
    return cast("Floats", cv2.dilate(image, np.ones((size, size), np.uint8)))


def moved(image: Pixels, at: Point, size: Size) -> Pixels:
    """A part of `image` that begins at a place between pixels; past the edge that is repeated."""
    height, width = image.shape[:2]
    if 0 <= at.x < width - size.width and 0 <= at.y < height - size.height:
        center = (at.x + (size.width - 1) / 2, at.y + (size.height - 1) / 2)
        return cast("Pixels", cv2.getRectSubPix(image, tuple(size), center))
    return moved_past_the_edge(image, at, size)


def moved_past_the_edge(image: Pixels, at: Point, size: Size) -> Pixels:
    """The same by ten times the work; `getRectSubPix` is wrong where a part begins above its picture."""
    matrix = np.array([[1, 0, at.x], [0, 1, at.y]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpAffine(image, matrix, tuple(size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return cast("Pixels", warped)


def padded(part: Pixels, have: Box, want: Box) -> Pixels:
    """`part`, which lies at `have`, continued to `want` by repeating its edge."""
    top, bottom = max(0, have.y - want.y), max(0, want.bottom - have.bottom)
    left, right = max(0, have.x - want.x), max(0, want.right - have.right)
    whole = cv2.copyMakeBorder(part, top, bottom, left, right, cv2.BORDER_REPLICATE)
    box = Box(max(0, want.x - have.x), max(0, want.y - have.y), want.width, want.height)
    return cut(cast("Pixels", whole), box)


def turned(image: Pixels) -> Pixels:
    """Rows as columns."""
    return np.ascontiguousarray(image.T)


def absolute_difference(a: Pixels, b: Pixels) -> Pixels:
    """How far apart two pictures of one size are, pixel by pixel."""
    return cast("Pixels", cv2.absdiff(a, b))


def structure(gray: Pixels, window: int = 9, most: float = 40.0) -> Floats:
    """What differs from its surroundings, strong edges capped: else one border outweighs all the text."""
    wide = gray.astype(np.float32)
    return cast("Floats", np.clip(wide - local_mean(wide, window), -most, most))
