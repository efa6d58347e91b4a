"""`echopath report`: one replay, told and shown."""

import json
from contextlib import suppress
from pathlib import Path

import click

from ibtr.errors import EchoPathError
from memory_store.ledger import Replay
from memory_store.repository import Repository
from server.commands.replays import as_json, find_replay
from server.replay_view import described, shown
from server.settings import load_settings


@click.command("report")
@click.argument("replay_id")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with every frame here.",
)
@as_json
def command(replay_id: str, page: Path | None, as_json: bool) -> None:
    """Tell what one replay did, and why it ended as it did."""
    replay, name = find_replay(replay_id)
    lines = [json.dumps(described(replay, name), indent=1)] if as_json else shown(replay, name)
    for line in lines:
        click.echo(line)
    if page is not None:
        from server.report_page import report_page

        page.write_text(report_page(replay, name, load_settings().runs, _target(replay)))
        click.echo(f"page: {page}", err=as_json)


def _target(replay: Replay) -> bytes | None:
    """The recorded look of what the refused step aimed at, if it aimed at anything."""
    from server.replay.crops_shown import reference_picture
    from server.replay.targets import load_targets

    step = replay.detail.get("step")
    if not replay.cause or not isinstance(step, int):
        return None
    with Repository(load_settings().home) as store, suppress(EchoPathError):
        targets = load_targets(store.get(replay.memory_id), store.blob)
        return reference_picture(targets[step - 1], step - 1) if step - 1 in targets else None
    return None
