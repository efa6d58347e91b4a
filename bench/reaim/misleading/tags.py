"""The pieces of HTML that the pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def button(text: str, mark: str = "") -> str:
    return f"<button{mark}>{text}</button>"


def icon(sign: str, mark: str = "") -> str:
    """A button without a frame, at the end of its row."""
    return f"<button class='icon end'{mark}>{sign}</button>"


def link(text: str, mark: str = "") -> str:
    return f"<a{mark}>{text}</a>"


def row(*parts: str, above: int = 0) -> str:
    """Beside each other, so many pixels below the last."""
    return f"<div class=row style='margin-top:{above}px'>{''.join(parts)}</div>"


def card(*parts: str, style: str = "") -> str:
    return f"<div class=card style='{style}'>{''.join(parts)}</div>"


def grid(columns: int, cards: Iterable[str]) -> str:
    return f"<div class=grid style='grid-template-columns:repeat({columns},1fr)'>{''.join(cards)}</div>"


def space(height: int) -> str:
    """Nothing, so high."""
    return f"<div style='height:{height}px'></div>"


def faint(text: str) -> str:
    return f"<p class=muted>{text}</p>"


def end(text: str, tag: str = "b") -> str:
    """At the right end of its row."""
    return f"<{tag} class=end>{text}</{tag}>"


def listed(items: Iterable[str]) -> str:
    return f"<ul>{''.join(items)}</ul>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], marks: Sequence[str] = ()) -> str:
    """Rows of cells under headings, if any; the row with a mark is the target itself."""
    head = f"<tr>{''.join(f'<th>{h}</th>' for h in heads)}</tr>" if heads else ""
    body = [
        f"<tr{marks[n] if marks else ''}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for n, cells in enumerate(rows)
    ]
    return f"<table>{head}{''.join(body)}</table>"
