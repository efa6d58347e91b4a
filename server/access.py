"""Who may speak to the HTTP server: the right host name, no foreign web page, the bearer of the token."""

import hmac
import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from ibtr.errors import EchoPathError
from server.settings import PREFIX

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_FILE = "token"
TOKEN_VARIABLE = f"{PREFIX}TOKEN"
_SHORTEST = 20
LOOPBACK = ("127.0.0.1", "localhost")


class BadToken(EchoPathError):
    """A token that cannot be used; the text says why and what to do."""


def find_token(folder: Path) -> tuple[str, str]:
    """The token, and where it comes from: the environment, else a file that is made when it is absent.

    Raises:
        BadToken: too short, or a file that others can read.
    """
    if said := os.environ.pop(TOKEN_VARIABLE, ""):  # nothing we start needs to know it
        return _long_enough(said.strip(), f"${TOKEN_VARIABLE}"), f"${TOKEN_VARIABLE}"
    file = folder / TOKEN_FILE
    try:
        return _read_or_make(file), str(file)
    except OSError as exc:
        raise BadToken(f"{file}: {exc.strerror}") from exc


def _read_or_make(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if file.stat().st_mode & 0o077:
            raise BadToken(
                f"{file} can be read by others: chmod 600 it, or remove it for a new one"
            ) from None
        return _long_enough(file.read_text().strip(), str(file))
    token = secrets.token_urlsafe(32)
    with os.fdopen(made, "w") as out:
        out.write(f"{token}\n")
    return token


def _long_enough(token: str, source: str) -> str:
    if len(token) < _SHORTEST or not token.isascii() or any(sign.isspace() for sign in token):
        raise BadToken(f"{source}: a token has at least {_SHORTEST} ASCII characters without spaces")
    return token


class Doorkeeper:
    """Refuses a request before anything else sees it: 421 wrong host, 403 foreign page, 401 no token."""

    def __init__(self, inner: "ASGIApp", port: int, token: str) -> None:
        self._inner, self._token = inner, token.encode()
        self._hosts = {f"{name}:{port}".encode() for name in LOOPBACK}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http" and (no := self._refusal(scope["headers"])):
            await _answer(send, *no)
            return
        await self._inner(scope, receive, send)

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        given = {name: [value for key, value in headers if key == name] for name, _ in headers}
        if len(hosts := given.get(b"host", [])) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "wrong Host header"
        if any(one not in self._origins for one in given.get(b"origin", [])):
            return 403, "foreign Origin"
        said = given.get(b"authorization", [])
        scheme, _, token = (said[0] if len(said) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return 401, "the bearer token is missing or wrong"
        return None


async def _answer(send: "Send", status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="echopath"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
