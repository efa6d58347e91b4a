"""A page of our own in Chromium, at several page zooms, with the true box of everything that can be clicked.

Page zoom lays the page out anew in a narrower viewport and draws it larger: a device scale does the same.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np

from bench.reaim.toolkits import FULL_HD, Frame, Look
from ibtr.geometry import Box, Size

ZOOMS = (1.0, 1.1, 1.25, 1.5)
SHOP = (
    ("Orders", "Customers", "Products", "Reports", "Settings", "Sign out"),
    ("Company", "Street and number", "Postal code", "Contact person", "Telephone"),
    ("Send invoice by e-mail", "Keep me informed", "Pay in instalments"),
    ("Save order", "Print preview", "Discard", "Back to list", "Duplicate"),
    ("Laptop stand", "Desk lamp", "Paper tray", "Headset", "Web camera"),
)
MAIL = (
    ("Inbox", "Drafts", "Archive", "Calendar", "Contacts", "Help"),
    ("Recipient", "Copy to", "Subject line", "Signature", "Reply address"),
    ("Request receipt", "Encrypt message", "Mark as urgent"),
    ("Send now", "Attach file", "Schedule", "Delete draft", "Insert image"),
    ("Weekly minutes", "Travel plans", "Budget review", "Welcome pack", "Road map"),
)
CLINIC = (
    ("Today", "Patients", "Waiting room", "Laboratory", "Billing", "Log off"),
    ("Family name", "Date of birth", "Insurance", "Allergies", "Next visit"),
    ("Consent signed", "Send reminder", "Private patient"),
    ("Admit", "Prescribe", "Print label", "Refer to specialist", "Close case"),
    ("Blood count", "X-ray chest", "Ultrasound", "Vaccination", "Eye test"),
)
PAGES = {"web, developed on": SHOP, "web, others": MAIL, "web, held out": CLINIC}
HELD = """body{font:15px/1.4 'Liberation Serif','DejaVu Serif',serif;margin:0 40px;
color:#123;background:#f4f1ea}
nav{background:#234;padding:12px}nav a{color:#fff;margin-right:30px;text-decoration:none}
div{display:inline-block;vertical-align:top;margin:6px 12px 6px 0}div label{display:block}
input{padding:7px;border:1px solid #99a;border-radius:4px}
button{background:#275;color:#fff;border:0;border-radius:6px;padding:8px 18px;margin:6px 8px 6px 0}
table{border-collapse:collapse;margin-top:10px}td{padding:8px 20px;border:1px solid #ccc;background:#fff}"""
STYLE = """body{font:14px/1.5 'DejaVu Sans',sans-serif;margin:24px;color:#222}
nav a{margin-right:22px;color:#06c}
input{margin:4px;padding:5px}
label{display:inline-block;margin:4px 14px 4px 0}button{margin:5px;padding:6px 14px}
td{padding:5px 16px;border-bottom:1px solid #ddd}"""
SCRIPT = """const found={};document.querySelectorAll('[data-n]').forEach(e=>{
const r=e.getBoundingClientRect();found[e.dataset.n]=[r.x,r.y,r.width,r.height]});
const out=document.createElement('script');out.type='application/json';out.id='boxes';
out.textContent=JSON.stringify(found);document.body.append(out)"""


def page(words: tuple[tuple[str, ...], ...]) -> str:
    """The page as HTML; everything named can be clicked. The one held out looks otherwise."""
    style = HELD if words is CLINIC else STYLE
    links, fields, checks, buttons, rows = words
    parts = ["<nav>", *(f'<a href="#" data-n="link:{w}">{w}</a>' for w in links), "</nav><h2>Overview</h2>"]
    parts += [f'<div><label>{w}</label><input data-n="field:{w}" value="{w[:3]} 12"></div>' for w in fields]
    parts += [f'<div><label data-n="check:{w}"><input type="checkbox">{w}</label></div>' for w in checks]
    parts += [f'<button data-n="button:{w}">{w}</button>' for w in buttons]
    edit = '<button data-n="edit:{0}">Edit</button></td><td><button data-n="remove:{0}">Remove</button>'
    parts += ["<table>", *(f"<tr><td>{w}</td><td>{edit.format(w)}</td></tr>" for w in rows), "</table>"]
    return f"<!doctype html><style>{style}</style><body>{''.join(parts)}<script>{SCRIPT}</script></body>"


def capture_page(words: tuple[tuple[str, ...], ...], zoom: float, screen: Size = FULL_HD) -> Frame:
    """The page as a browser of the size of the screen shows it."""
    return capture_html(page(words), Look(f"page zoom {zoom:.0%}"), zoom, screen)


def capture_html(source: str, look: Look, zoom: float, screen: Size) -> Frame:
    """Any page that tells its boxes."""
    with tempfile.TemporaryDirectory() as home:
        file, shot = Path(home) / "page.html", Path(home) / "page.png"
        file.write_text(source)
        command = [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={home}/profile", f"--force-device-scale-factor={zoom}",
            f"--window-size={round(screen.width / zoom)},{round(screen.height / zoom)}",
        ]  # fmt: skip
        subprocess.run(
            [*command, f"--screenshot={shot}", str(file)], check=True, capture_output=True, timeout=90
        )
        dom = subprocess.run(
            [*command, "--dump-dom", str(file)], check=True, capture_output=True, text=True, timeout=90
        ).stdout
        image = np.asarray(cv2.imread(str(shot)), np.uint8)
    found = re.search(r'<script type="application/json" id="boxes">(.*?)</script>', dom, re.DOTALL)
    if found is None:
        raise SystemExit("the page did not tell its boxes")
    boxes: dict[str, list[float]] = json.loads(html.unescape(found[1]))
    return Frame(look, image, {n: Box(*(round(v * zoom) for v in b)) for n, b in boxes.items()})
