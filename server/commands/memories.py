"""`echopath memories list|show|diff|promote|reject|quarantine|deprecate|branch|merge|...`."""

import json
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from memory_store.canonical import document
from memory_store.edits import MemoryEdit
from memory_store.errors import MemoryStoreError, PromotionRefused
from memory_store.models import Attestation, Check, Keys, Lifecycle, Memory, Outcome, Verdict
from memory_store.repository import Repository
from server import memory_view as view
from server.settings import load_settings


def _asked_for_json(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> bool:
    ctx.meta[_JSON] = asked
    return asked


_JSON = "echopath.memories.json"
as_json = click.option(
    "--json", "as_json", is_flag=True, callback=_asked_for_json, help="Print JSON instead of a table."
)
because = click.option("--because", required=True, help="Why, in a sentence; it is kept in the log.")
optional_because = click.option("--because", default="", help="Why, in a sentence; it is kept in the log.")
new_name = click.option("--name", help="Its tool name; without one, the parent's with a number.")
_STATES = click.Choice([state.value for state in Lifecycle])


class _Refusals(click.Group):
    """A group whose refusals are JSON on standard output when JSON was asked for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a refusal ends with exit code 1."""
        try:
            return super().invoke(ctx)
        except MemoryStoreError as exc:
            if not ctx.meta.get(_JSON):
                raise
            _print({"error": type(exc).__name__, "message": str(exc), **_facts(exc)})
            ctx.exit(1)


@click.group("memories", cls=_Refusals)
def command() -> None:
    """What was learned: look at it, prove it, promote it, retire it, share it."""


@command.command("list")
@click.option("--state", "states", type=_STATES, multiple=True, help="Only memories in this state.")
@as_json
def list_memories(states: tuple[str, ...], as_json: bool) -> None:
    """Every memory, oldest first."""
    with _open() as repository:
        rows = [view.listed(repository, each) for each in repository.memories(*map(Lifecycle, states))]
    if as_json:
        _print(rows)
    else:
        click.echo(view.list_table(rows) if rows else "no memories yet")


@command.command()
@click.argument("name")
@click.option(
    "--filmstrip", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture of it here."
)
@as_json
def show(name: str, filmstrip: Path | None, as_json: bool) -> None:
    """One memory: steps, inputs, evidence, and what stands in the way of its promotion."""
    with _open() as repository:
        memory = repository.get(name)
        if filmstrip is not None:
            from memory_store.filmstrip import filmstrip as draw
            from memory_store.transfer import write_file

            write_file(filmstrip.absolute(), draw(memory, repository.blob))
        if as_json:
            _print(view.described(repository, memory))
            return
        for line in view.shown(repository, memory):
            click.echo(line)
    if filmstrip is not None:
        click.echo(f"filmstrip: {filmstrip}")


@command.command()
@click.argument("first")
@click.argument("second")
@as_json
def diff(first: str, second: str, as_json: bool) -> None:
    """What two memories share, and where they part."""
    with _open() as repository:
        found = repository.diff(first, second)
    if as_json:
        _print(document(found))
        return
    for line in view.diff_lines(found):
        click.echo(click.style(line, fg=_COLOURS.get(line.lstrip()[:2])))


@command.command()
@click.argument("name")
@click.option("--confirmed", help="You checked the result yourself: what you saw.")
@optional_because
@as_json
def promote(name: str, confirmed: str | None, because: str, as_json: bool) -> None:
    """Make a candidate active, or say everything that stands in the way."""
    verdict = _confirmation(confirmed) if confirmed else None
    with _open() as repository:
        try:
            memory = repository.promote(name, verdict, at=_now(), because=because)
        except PromotionRefused as refused:
            if not as_json:
                click.echo(f"{name} was not promoted:")
                for blocker in refused.blockers:
                    click.echo(f"  {blocker.code.value}: {blocker.detail}")
                raise SystemExit(1) from refused
            raise
    _say(memory, as_json)


@command.command()
@click.argument("name")
@because
@as_json
def reject(name: str, because: str, as_json: bool) -> None:
    """Refuse a candidate; it stays for diagnosis and can be branched."""
    _change(lambda repository: repository.reject(name, at=_now(), because=because), as_json)


@command.command()
@click.argument("name")
@because
@as_json
def quarantine(name: str, because: str, as_json: bool) -> None:
    """Take an active memory out of use until it is proven anew."""
    _change(lambda repository: repository.quarantine(name, at=_now(), because=because), as_json)


@command.command()
@click.argument("name")
@because
@as_json
def deprecate(name: str, because: str, as_json: bool) -> None:
    """Retire a memory for good; its record and its log stay."""
    _change(lambda repository: repository.deprecate(name, at=_now(), because=because), as_json)


@command.command()
@click.argument("name")
@click.argument("new")
@optional_because
@as_json
def rename(name: str, new: str, because: str, as_json: bool) -> None:
    """Give a memory another tool name."""
    _change(lambda repository: repository.rename(name, new, at=_now(), because=because), as_json)


@command.command()
@click.argument("parent")
@new_name
@click.option("--intent", help="What the branch is for, where that differs.")
@click.option("--phrase", "phrases", multiple=True, help="What the branch is found by, where that differs.")
@optional_because
@as_json
def branch(
    *,
    parent: str,
    name: str | None,
    intent: str | None,
    phrases: tuple[str, ...],
    because: str,
    as_json: bool,
) -> None:
    """Copy a memory into a candidate of its own; the parent stays as it is."""

    def work(repository: Repository) -> Memory:
        old = repository.get(parent).keys
        keys = Keys(task_intent=intent or old.task_intent, query_phrases=phrases or old.query_phrases)
        edit = MemoryEdit(keys=keys) if keys != old else MemoryEdit()
        return repository.branch(parent, edit, at=_now(), tool_name=name, because=because)

    _change(work, as_json)


@command.command()
@click.argument("first")
@click.argument("second")
@new_name
@optional_because
@as_json
def merge(first: str, second: str, name: str | None, because: str, as_json: bool) -> None:
    """Make one candidate of two memories, one of which does what the other does, or a part of it."""
    _change(
        lambda repository: repository.merge(first, second, at=_now(), tool_name=name, because=because),
        as_json,
    )


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
    with _open() as repository:
        wanted = [*names, *(m.tool_name for m in repository.memories(Lifecycle.ACTIVE) if everything)]
        if not wanted:
            raise click.UsageError("name the memories, or give --all")
        size = repository.export(wanted, path.absolute(), at=_now(), frames=not no_frames)
    if as_json:
        _print({"bundle": str(path), "bytes": size, "memories": [*dict.fromkeys(wanted)]})
    else:
        click.echo(f"{len(dict.fromkeys(wanted))} memories written to {path} ({size} bytes)")


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
    with _open() as repository:
        arrived = repository.import_bundle(path, at=_now(), names={old: new for old, _, new in pairs})
    if as_json:
        _print({"imported": [_brief(memory) for memory in arrived]})
    for memory in arrived if not as_json else ():
        click.echo(f"{memory.tool_name}: {memory.lifecycle.value} ({memory.id})")


@command.command()
@as_json
def verify(as_json: bool) -> None:
    """Prove the log, every record and every piece of evidence."""
    with _open() as repository:
        report = repository.verify()
    if as_json:
        _print({**document(report), "sound": report.sound})
    else:
        _echo(view.verify_lines(report))
    if not report.sound:
        sys.exit(1)


@command.command()
@click.argument("name", required=False)
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@as_json
def log(name: str | None, limit: int, as_json: bool) -> None:
    """What happened, newest first, to one memory or to all."""
    with _open() as repository:
        events = repository.log(name, limit=limit)
    if as_json:
        _print([document(event) for event in events])
    else:
        click.echo(view.log_table(events) if events else "nothing has happened yet")


@command.command()
@as_json
def gc(as_json: bool) -> None:
    """Remove evidence that no memory refers to."""
    with _open() as repository:
        count, freed = repository.collect_garbage()
    if as_json:
        _print({"removed": count, "bytes": freed})
    else:
        click.echo(f"{count} unused pieces of evidence removed ({freed} bytes)")


_COLOURS = {"- ": "red", "+ ": "green"}


def _open() -> Repository:
    return Repository(load_settings().home, actor="cli")


def _now() -> datetime:
    return datetime.now(UTC)


def _confirmation(saw: str) -> Verdict:
    check = Check(outcome=Outcome.PASSED, detail=saw, at=_now())
    return Verdict(evaluator="human_confirmation", attestation=Attestation.HUMAN, after=check)


def _change(work: Callable[[Repository], Memory], as_json: bool) -> None:
    with _open() as repository:
        _say(work(repository), as_json)


def _say(memory: Memory, as_json: bool) -> None:
    if as_json:
        _print(_brief(memory))
    else:
        click.echo(f"{memory.tool_name} is {memory.lifecycle.value} ({memory.id})")


def _brief(memory: Memory) -> dict[str, object]:
    return {"id": memory.id, "tool_name": memory.tool_name, "lifecycle": memory.lifecycle.value}


def _facts(exc: MemoryStoreError) -> dict[str, object]:
    if isinstance(exc, PromotionRefused):
        return {"blockers": [view.blocker_json(each) for each in exc.blockers]}
    return {"evidence": exc.evidence}


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _print(value: object) -> None:
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))
