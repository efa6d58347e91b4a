"""Serve over Streamable HTTP: on loopback only, for the bearer of a token, both protocol eras."""

import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import anyio
import uvicorn
from anyio import to_thread

from ibtr.errors import EchoPathError
from server.access import Doorkeeper, find_token
from server.build import build_app, build_server
from server.settings import Settings, config_folder
from server.stopping import exit_on_signal

HOST = "127.0.0.1"
PATH = "/mcp"


class PortTaken(EchoPathError):
    """Somebody else listens there."""


class _Web(uvicorn.Server):
    """Uvicorn without its own signal handling: ours releases the desktop first."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals to us."""
        yield


async def serve_http(settings: Settings, port: int, say: Callable[[str], None]) -> None:
    """Run until a signal comes.

    Raises:
        PortTaken: naming the port.
        BadToken: naming the file or variable.
    """
    token, source = await to_thread.run_sync(find_token, config_folder())
    listening = listen(port)
    port = listening.getsockname()[1]
    app = build_app(settings)
    inner = build_server(app).streamable_http_app(streamable_http_path=PATH, host=HOST)
    config = uvicorn.Config(Doorkeeper(inner, port, token), log_config=None, access_log=False, lifespan="on")
    async with anyio.create_task_group() as group:
        await group.start(exit_on_signal, app)
        say(f"http://{HOST}:{port}{PATH}\nbearer token: {source}")
        await _Web(config).serve([listening])
        group.cancel_scope.cancel()


def listen(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes any that is free.

    Raises:
        PortTaken: naming the port.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as exc:
        listening.close()
        raise PortTaken(f"port {port} on {HOST}: {exc.strerror}; take another one with --port") from exc
    return listening
