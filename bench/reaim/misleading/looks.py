"""How the pages look: plain HTML, cards, dense tables; light and dark, in several fonts and sizes."""

from __future__ import annotations

from typing import NamedTuple

SANS, SERIF, NARROW = "'DejaVu Sans'", "'DejaVu Serif'", "'Liberation Sans','Nimbus Sans'"


class Look(NamedTuple):
    """One style sheet."""

    name: str
    ui: str
    font: str
    px: int
    dark: bool = False
    lines: bool = True
    icons: bool = False


LOOKS = (
    Look("plain", "plain", SANS, 14),
    Look("cards", "card", SANS, 14, icons=True),
    Look("dense", "dense", NARROW, 13),
    Look("dark cards", "card", NARROW, 15, dark=True),
    Look("plain serif", "plain", SERIF, 15, lines=False),
    Look("dense dark", "dense", SANS, 12, dark=True, icons=True),
    Look("flat", "card", NARROW, 16, lines=False),
    Look("large", "plain", NARROW, 16, icons=True),
    Look("dark without lines", "dense", SANS, 13, dark=True, lines=False),
)

FRAME = """*{box-sizing:border-box}body{margin:0}
header{display:flex;gap:28px;align-items:center;padding:10px 24px}
nav{display:flex;gap:20px;flex:1}nav a.on{text-decoration:underline}header i{font-style:normal}
.banner{padding:9px 24px;background:#c90;color:#000}
main{padding:14px 24px}h1{font-size:1.5em;margin:8px 0 14px}
h2{font-size:1.1em;margin:0 0 6px}p{margin:4px 0}.row{display:flex;gap:12px;align-items:center}
.end{margin-left:auto}.grid{display:grid;gap:14px}.muted{opacity:.65}table{border-collapse:collapse;width:100%}
th{text-align:left}td:last-child,th:last-child{text-align:right}td .muted{margin:0}
.icon{border:0;background:none;color:inherit;
font:inherit;padding:2px 8px}.chip{display:inline-flex;gap:6px;border-radius:12px;padding:2px 10px}
.side{display:grid;grid-template-columns:250px 1fr;gap:20px}.over{position:fixed;inset:0;background:#0007}
.dialog{position:fixed;left:50%;top:44%;transform:translate(-50%,-50%)}
.picture{height:84px;border-radius:4px;background:linear-gradient(135deg,#8aa,#467)}
ul{list-style:none;margin:0;padding:0}textarea,input,select,button{font:inherit}a{color:var(--link)}"""


def sheet(look: Look) -> str:
    """The style sheet."""
    ink, ground, raised, line, link = (
        ("#e6e8eb", "#1d2024", "#2a2f35", "#454c55", "#8ab4f8")
        if look.dark
        else ("#222", "#fff" if look.ui == "plain" else "#f3f4f6", "#fff", "#d0d4da", "#0b57d0")
    )
    border = f"1px solid {line}" if look.lines else "0"
    under = f"1px solid {line}" if look.lines else "0"
    pad = {"plain": "6px 10px", "card": "9px 14px", "dense": "3px 8px"}[look.ui]
    body = f"body{{font:{look.px}px/1.45 {look.font};color:{ink};background:{ground};--link:{link}}}"
    parts = [FRAME, body]
    parts.append(f"td,th,li{{padding:{pad};border-bottom:{under}}}header{{border-bottom:{border}}}")
    card = f"background:{raised};border:{border};border-radius:{8 if look.ui == 'card' else 2}px"
    parts.append(f".card{{{card};padding:12px}}")
    parts.append(f".dialog{{background:{raised};border:1px solid {line};padding:20px;border-radius:6px}}")
    parts.append(f".chip{{background:{line}}}.on{{font-weight:bold}}.now{{background:{line}}}")
    field = f"background:{raised};color:{ink};border:1px solid {line};padding:4px 7px"
    parts.append(f"input:not([type=checkbox],[type=radio]),select,textarea{{{field}}}")
    if look.ui == "card":
        parts.append(
            f"button{{background:{link};color:{raised};border:0;border-radius:5px;padding:6px 14px}}"
        )
    elif look.dark:
        parts.append(f"button{{background:{line};color:{ink};border:1px solid {ink};padding:2px 9px}}")
    parts.append(f"button.icon{{background:none;border:0;color:{ink};padding:2px 8px}}")
    return "\n".join(parts)
