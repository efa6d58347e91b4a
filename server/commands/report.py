"""`echopath report`: one replay, told and shown."""

import json
from pathlib import Path

import click

from server.commands.replays import as_json, find_replay
from server.replay_view import described, shown
from server.settings import load_settings
from server.store import open_store


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
        from memory_store.transfer import write_file
        from server.report_page import recorded_target, report_page

        with open_store(load_settings()) as store:
            recorded = recorded_target(store, replay)
        text = report_page(replay, name, load_settings().runs, recorded)
        write_file(page.absolute(), text.encode())
        click.echo(f"page: {page}", err=as_json)
