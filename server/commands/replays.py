"""`echopath replays list|show`."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from memory_store.errors import MemoryStoreError
from memory_store.ledger import Replay
from memory_store.models import ReplayId
from memory_store.repository import Repository
from server import replay_view as view
from server.replay.interrupted import settle_interrupted
from server.settings import load_settings
from server.store import open_store

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


class ReplayUnknown(MemoryStoreError):
    """The ledger has no such replay."""


@click.group("replays")
def command() -> None:
    """What became of every replay: its ending, its time, its cost."""


@command.command("list")
@click.option("--memory", help="Only replays of this memory.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
@as_json
def list_replays(memory: str | None, limit: int, as_json: bool) -> None:
    """Replays, newest first."""
    with _settled() as store:
        rows = [view.listed(one, _name(store, one)) for one in store.replays(memory, limit=limit)]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
    else:
        click.echo(view.list_table(rows) if rows else "no replays yet")


@command.command("show")
@click.argument("replay_id")
@as_json
def show(replay_id: str, as_json: bool) -> None:
    """One replay, step by step: where it aimed, where the time went, why it ended as it did."""
    replay, name = find_replay(replay_id)
    if as_json:
        click.echo(json.dumps(view.described(replay, name), indent=1))
        return
    for line in view.shown(replay, name):
        click.echo(line)


def find_replay(replay_id: str) -> tuple[Replay, str]:
    """A replay of the ledger, and its memory's tool name.

    Raises:
        ReplayUnknown: the ledger has none of that id.
    """
    with _settled() as store:
        replay = store.replay(ReplayId(replay_id))
        if replay is None:
            raise ReplayUnknown(f"no replay is called {replay_id[:80]!r}; `echopath replays list` names them")
        return replay, _name(store, replay)


@contextmanager
def _settled() -> Generator[Repository]:
    """The store, with replays ended whose server is gone."""
    settings = load_settings()
    with open_store(settings) as store:
        for row in settle_interrupted(store, settings.runs, at=datetime.now(UTC)):
            click.echo(f"{row.id} was interrupted: {row.detail['says']}", err=True)
        yield store


def _name(store: Repository, replay: Replay) -> str:
    return store.get(replay.memory_id).tool_name
