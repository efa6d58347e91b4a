"""`echopath memories export|import|verify|log|gc`: memories as files, and the store as a whole."""

import sys
from pathlib import Path

import click

from memory_store.canonical import document
from memory_store.listing import Listing
from memory_store.models import Lifecycle
from server import memory_view as view
from server.elsewhere import elsewhere
from server.memory_group import as_json, brief, command, echo, now, opened, print_json
from server.table import counted


@command.command()
@click.argument("names", nargs=-1)
@click.option(
    "--to", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The bundle."
)
@click.option("--all", "everything", is_flag=True, help="Every active memory.")
@click.option("--no-frames", is_flag=True, help="Leave full screenshots at home.")
@click.option("--force", is_flag=True, help="Replace a file that is already there.")
@as_json
def export(
    *, names: tuple[str, ...], path: Path, everything: bool, no_frames: bool, force: bool, as_json: bool
) -> None:
    """Write memories with their evidence into one file."""
    if path.exists() and not force:
        raise click.UsageError(f"{path} is already there; --force replaces it")
    with opened() as repository:
        active = repository.listing(Lifecycle.ACTIVE) if everything else Listing([], [])
        wanted = [*names, *(memory.tool_name for memory in active.memories)]
        if not wanted and everything:
            raise click.ClickException("no memory is active, so there is nothing to export; name one")
        if not wanted:
            raise click.UsageError("name the memories, or give --all")
        size = repository.export(wanted, path.absolute(), at=now(), frames=not no_frames)
    if as_json:
        left = {"damaged": [one._asdict() for one in active.damaged]} if active.damaged else {}
        print_json({"bundle": str(path), "bytes": size, "memories": [*dict.fromkeys(wanted)], **left})
    else:
        click.echo(
            f"{counted(len(dict.fromkeys(wanted)), 'memory', 'memories')} written to {path} ({size} bytes)"
        )
        echo(f"left out: {line}" for line in view.damaged_lines(active.damaged))


@command.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--rename", "renames", multiple=True, metavar="OLD=NEW", help="Another tool name for one of them."
)
@as_json
def import_bundle(path: Path, renames: tuple[str, ...], as_json: bool) -> None:
    """Take in a bundle, all or nothing; its memories become candidates."""
    pairs = [pair.partition("=") for pair in renames]
    if bad := [old for old, equals, new in pairs if not (old and equals and new)]:
        raise click.UsageError(f"--rename {bad[0]}: write OLD=NEW")
    with opened() as repository:
        arrived = repository.import_bundle(path, at=now(), names={old: new for old, _, new in pairs})
    if as_json:
        print_json({"imported": [brief(memory) | {"warnings": elsewhere(memory)} for memory in arrived]})
    for memory in arrived if not as_json else ():
        click.echo(f"{memory.tool_name}: {memory.lifecycle.value} ({memory.id})")
        echo(f"  warning: {text}" for text in elsewhere(memory))


@command.command()
@as_json
def verify(as_json: bool) -> None:
    """Prove the log, every record and every piece of evidence."""
    with opened() as repository:
        report = repository.verify()
    if as_json:
        print_json({**document(report), "sound": report.sound})
    else:
        echo(view.verify_lines(report))
    if not report.sound:
        sys.exit(1)


@command.command()
@click.argument("name", required=False)
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@as_json
def log(name: str | None, limit: int, as_json: bool) -> None:
    """What happened, newest first, to one memory or to all."""
    with opened() as repository:
        events = repository.log(name, limit=limit)
    if as_json:
        print_json([document(event) for event in events])
    else:
        click.echo(view.log_table(events) if events else "nothing has happened yet")


@command.command()
@as_json
def gc(as_json: bool) -> None:
    """Remove evidence that no memory refers to."""
    with opened() as repository:
        count, freed = repository.collect_garbage()
    if as_json:
        print_json({"removed": count, "bytes": freed})
    else:
        click.echo(f"{counted(count, 'unused piece', 'unused pieces')} of evidence removed ({freed} bytes)")
