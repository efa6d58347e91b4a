"""`echopath report`: one replay, told and shown."""

from pathlib import Path

import click

from server.commands.replays import find_replay
from server.replay_view import shown
from server.settings import load_settings


@click.command("report")
@click.argument("replay_id")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with every frame here.",
)
def command(replay_id: str, page: Path | None) -> None:
    """Tell what one replay did, and why it ended as it did."""
    replay, name = find_replay(replay_id)
    for line in shown(replay, name):
        click.echo(line)
    if page is not None:
        from server.report_page import report_page

        page.write_text(report_page(replay, name, load_settings().runs))
        click.echo(f"page: {page}")
