"""What a misleading form is: a page with a target, and other pages of the same application."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from bench.reaim.misleading.looks import Look, sheet
from ibtr.geometry import Size

WINDOW = Size(1280, 720)
TABS = ("Overview", "Orders", "Contacts", "Reports", "Settings")
SPOT = " data-n=target"
"""Marks the element that was clicked, on every page that has it."""


@dataclass(frozen=True)
class Page:
    """One state of an application, as a browser shows it."""

    body: str
    window: Size = WINDOW
    banner: str = ""
    unread: int = 3
    tab: int = 1
    scrolled: int = 0

    def drawn(self, look: Look) -> str:
        """The whole document."""
        tabs = "".join(f"<a{' class=on' if i == self.tab else ''}>{t}</a>" for i, t in enumerate(TABS))
        head = f"<header><b>Meridian</b><nav>{tabs}</nav><i>Inbox ({self.unread})</i></header>"
        banner = f"<div class=banner>{self.banner}</div>" if self.banner else ""
        moved = f"margin-top:-{self.scrolled}px" if self.scrolled else ""
        return (
            f"<!doctype html><meta charset=utf-8><style>{sheet(look)}</style>"
            f"<body style='{moved}'>{banner}{head}<main>{self.body}</main></body>"
        )


class Form(NamedTuple):
    """A recorded page; pages without its target, by what became of it; with it, by what else changed."""

    page: Page
    gone: Mapping[str, Page]
    honest: Mapping[str, Page] = {}
    at: tuple[float, float] = (0.5, 0.5)
    """Where in its box the target is clicked, as shares of its size."""
    filled: bool = False
    earlier: Page | None = None
    """The page before a dialog came up."""


Maker = Callable[[Random, Look], Form]


def form(
    page: str,
    gone: Mapping[str, str],
    honest: Mapping[str, str] | None = None,
    *,
    at: tuple[float, float] = (0.5, 0.5),
    filled: bool = False,
) -> Form:
    """A form of the bodies of its pages; of equal ones the first is kept."""
    seen = {page}

    def pages(bodies: Mapping[str, str]) -> dict[str, Page]:
        new = {what: body for what, body in bodies.items() if body not in seen}
        seen.update(new.values())
        first = {body: what for what, body in reversed(new.items())}
        return {what: Page(body) for what, body in new.items() if first[body] == what}

    return Form(Page(page), pages(gone), pages(honest or {}), at, filled)


def changed_around(page: Page, rng: Random) -> tuple[str, Page]:
    """The page as it may be another day: the entry is there, other things are not as they were."""
    ways = {
        "counter": replace(page, unread=rng.choice((4, 11, 27))),
        "other tab": replace(page, tab=rng.choice((0, 2, 3, 4))),
        "banner": replace(page, banner=f"Maintenance on Sunday at {rng.randint(2, 9)} am"),
        "scrolled": replace(page, scrolled=rng.randint(9, 38)),
        "narrower": replace(page, window=Size(rng.choice((1180, 1240)), 720)),
        "wider": replace(page, window=Size(rng.choice((1320, 1366)), 768)),
    }
    name = rng.choice(list(ways))
    return name, ways[name]
