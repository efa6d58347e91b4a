"""How sure we must be of a target that was drawn anew."""

from __future__ import annotations

from dataclasses import dataclass

from ibtr.strokes import Match


@dataclass(frozen=True, slots=True)
class Sure:
    """How sure we must be of a target that was drawn anew."""

    whole: float = 0.88
    weakest: float = 0.66
    """Least likeness of each of its marks, and of each letter."""
    pixels: float = 0.7
    """Or, of an icon: least share of pixels that are the same."""
    behind: float = 0.07
    """Most by which it may be less alike than the marks around it."""
    near_whole: float = 0.85
    near_weakest: float = 0.55
    near_pixels: float = 0.6
    """The same for the marks around it."""
    label_whole: float = 0.92
    label_weakest: float = 0.8
    """The same for a longer mark, which stands for several."""
    support: float = 0.55
    """Least share of these that must be there."""
    itself: float = 0.4
    """The same where it has its own pixels still, in its whole row: an icon among larger letters."""
    around: float = 0.5
    many: int = 6
    """The same of an icon that has its own pixels, and is the only one of its kind, and of how many marks."""
    row: float = 0.5
    """The same for those in its own row: a list repeats its buttons, not its names."""
    rowed: float = 0.9
    mates: int = 2
    """Share of its row, and marks in it, by which it is known whatever other rows have moved to the side."""
    company: int = 3
    """Least number of these."""
    unchanged: float = 0.5
    """Share of the words around it with the same pixels from which nothing was drawn anew: it is gone."""
    kept: float = 0.1
    """The same of all marks around it, where frames are as they were and words are few."""
    size: float = 1.2
    """Most by which it may be larger or smaller than the words around it say."""
    rounding: float = 3.0
    """Pixels by which it may be longer or shorter than any of these says: letters are set on pixels."""
    letter: int = 6
    """Height of a letter, at least: what is flatter is a bar,"""
    bar: float = 1.12
    """and may be so much longer or shorter than as it was, or than the words around it say."""
    better: float = 0.01
    """Most by which what is there may be more like another recorded mark."""
    same: float = 0.97
    """Likeness from which that other mark shows the same."""
    margin: float = 0.2
    """Least distance in that share to another place that shows the target."""


SURE = Sure()


def good(match: Match, sure: Sure) -> bool:
    """Whether a mark of the target is there."""
    return (match.whole >= sure.whole and match.weakest >= sure.weakest) or match.pixels >= sure.pixels


def near(match: Match, sure: Sure) -> bool:
    """Whether a mark around it is."""
    strokes = match.whole >= sure.near_whole and match.weakest >= sure.near_weakest
    return strokes or match.pixels >= sure.near_pixels


def reads(match: Match, sure: Sure) -> bool:
    """Whether a longer mark is there."""
    return match.whole >= sure.label_whole and match.weakest >= sure.label_weakest
