"""Entries of an X authority file, without which both Xlibs print to standard output, or raise."""

import os
import secrets
import socket
import struct
from contextlib import suppress
from pathlib import Path

THIS_HOST, ANY_HOST = 256, 65535  # address families


def ensure_cookie(display_name: str, folder: Path) -> None:
    """Give the display an entry in the authority file: without one both Xlibs print to stdout, or raise.

    An X server that checks no cookies ignores it; one that does would have refused us without it as well.
    """
    number = display_name.rpartition(":")[2].partition(".")[0]
    place = Path(os.environ.get("XAUTHORITY") or Path.home() / ".Xauthority")
    with suppress(OSError):
        if place.read_bytes().find(struct.pack(">H", len(number)) + number.encode()) >= 0:
            return
    own = folder / "Xauthority"
    own.touch(mode=0o600)
    with own.open("wb") as file:
        with suppress(OSError):
            file.write(place.read_bytes())
        file.write(cookie_entry(number, secrets.token_bytes(16)))
    os.environ["XAUTHORITY"] = str(own)


def cookie_entry(number: str, cookie: bytes, family: int = THIS_HOST) -> bytes:
    """One entry of an X authority file; without a number it fits every display."""
    host = socket.gethostname().encode() if family == THIS_HOST else b""
    fields = (host, number.encode(), b"MIT-MAGIC-COOKIE-1", cookie)
    return struct.pack(">H", family) + b"".join(struct.pack(">H", len(one)) + one for one in fields)
