"""`echopath memories list|show|diff|promote|reject|quarantine|deprecate|branch|merge|...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from pydantic import ValidationError

from actionlens.problems import in_words
from memory_store.canonical import document
from memory_store.edits import MemoryEdit
from memory_store.errors import PromotionRefused
from memory_store.models import Attestation, Check, Keys, Lifecycle, Memory, Outcome, Verdict
from memory_store.repository import Repository
from server import memory_sharing
from server import memory_view as view
from server.memory_group import (
    as_json,
    because,
    brief,
    change,
    command,
    echo,
    new_name,
    now,
    opened,
    optional_because,
    print_json,
    say,
    some_words,
)

if TYPE_CHECKING:
    from actionlens.controller import Frame

__all__ = ["command", "memory_sharing"]
_STATES = click.Choice([state.value for state in Lifecycle])
_COLOURS = {"- ": "red", "+ ": "green"}


@command.command("list")
@click.option("--state", "states", type=_STATES, multiple=True, help="Only memories in this state.")
@as_json
def list_memories(states: tuple[str, ...], as_json: bool) -> None:
    """Every memory, oldest first."""
    with opened() as repository:
        found = repository.listing(*map(Lifecycle, states))
        rows = [view.listed(repository, each) for each in found.memories]
    if as_json:
        print_json([*rows, *(view.damaged_row(one) for one in found.damaged)])
        return
    if rows or not found.damaged:
        click.echo(view.list_table(rows) if rows else "no memories yet")
    echo(view.damaged_lines(found.damaged))


@command.command()
@click.argument("name")
@click.option(
    "--filmstrip", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture of it here."
)
@as_json
def show(name: str, filmstrip: Path | None, as_json: bool) -> None:
    """One memory: steps, inputs, evidence, and what stands in the way of its promotion."""
    with opened() as repository:
        memory = repository.get(name)
        if filmstrip is not None:
            from memory_store.filmstrip import filmstrip as draw
            from memory_store.transfer import write_file

            write_file(filmstrip.absolute(), draw(memory, repository.blob))
        if as_json:
            print_json(view.described(repository, memory))
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
    with opened() as repository:
        found = repository.diff(first, second)
    if as_json:
        print_json(document(found))
        return
    for line in view.diff_lines(found):
        click.echo(click.style(line, fg=_COLOURS.get(line.lstrip()[:2])))


@command.command()
@click.argument("name")
@click.option("--confirmed", callback=some_words, help="You checked the result yourself: what you saw.")
@click.option(
    "--check-again", is_flag=True, help="Run its evaluator now, with the recorded values, for a new verdict."
)
@optional_because
@as_json
def promote(*, name: str, confirmed: str | None, check_again: bool, because: str, as_json: bool) -> None:
    """Make a candidate active, or say everything that stands in the way."""
    if confirmed and check_again:
        raise click.UsageError("--confirmed and --check-again: give one of them")
    with opened() as repository:
        checked = _checked_again(repository, repository.get(name)) if check_again else None
        try:
            if checked is not None:
                memory = repository.promote_checked(name, checked, at=now(), because=because)
            else:
                vouched = _confirmation(confirmed) if confirmed else None
                memory = repository.promote(name, vouched, at=now(), because=because)
        except PromotionRefused as refused:
            if not as_json:
                click.echo(f"{name} was not promoted:")
                for blocker in refused.blockers:
                    click.echo(f"  {blocker.code.value}: {blocker.detail}")
                raise SystemExit(1) from refused
            raise
    if as_json:
        once = [document(one) for one in memory.reasoning.not_again]
        print_json({**brief(memory), "works_once": once, "warnings": [*memory.reasoning.warnings]})
        return
    say(memory, as_json)
    echo(f"  warning: {text}" for text in memory.reasoning.warnings)


@command.command()
@click.argument("name")
@because
@as_json
def reject(name: str, because: str, as_json: bool) -> None:
    """Refuse a candidate; it stays for diagnosis and can be branched."""
    change(lambda repository: repository.reject(name, at=now(), because=because), as_json)


@command.command()
@click.argument("name")
@because
@as_json
def quarantine(name: str, because: str, as_json: bool) -> None:
    """Take an active memory out of use until it is proven anew."""
    change(lambda repository: repository.quarantine(name, at=now(), because=because), as_json)


@command.command()
@click.argument("name")
@because
@as_json
def deprecate(name: str, because: str, as_json: bool) -> None:
    """Retire a memory for good; its record and its log stay."""
    change(lambda repository: repository.deprecate(name, at=now(), because=because), as_json)


@command.command()
@click.argument("name")
@click.argument("new")
@optional_because
@as_json
def rename(name: str, new: str, because: str, as_json: bool) -> None:
    """Give a memory another tool name."""
    change(lambda repository: repository.rename(name, new, at=now(), because=because), as_json)


@command.command()
@click.argument("parent")
@new_name
@click.option("--intent", callback=some_words, help="What the branch is for, where that differs.")
@click.option(
    "--phrase",
    "phrases",
    multiple=True,
    callback=some_words,
    help="What the branch is found by, where that differs.",
)
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
        return repository.branch(parent, edit, at=now(), tool_name=name, because=because)

    change(work, as_json)


@command.command()
@click.argument("first")
@click.argument("second")
@new_name
@optional_because
@as_json
def merge(first: str, second: str, name: str | None, because: str, as_json: bool) -> None:
    """Make one candidate of two memories, one of which does what the other does, or a part of it."""
    change(
        lambda repository: repository.merge(first, second, at=now(), tool_name=name, because=because),
        as_json,
    )


def _checked_again(repository: Repository, memory: Memory) -> Verdict | None:
    """Its evaluator on the artifact as it is now, within the policy; a person's word is asked for here.

    A region is looked for on your own screen: a virtual desktop belongs to the server that opened it.
    """
    import anyio
    from anyio import to_thread

    from actionlens.desk import open_local
    from server.checking import checked_again
    from server.policy_file import read_policy
    from server.regions import sight_of
    from server.settings import config_folder

    async def ask(question: str) -> bool | None:
        return await to_thread.run_sync(lambda: click.confirm(question, err=True))

    async def capture() -> Frame:
        desktop = await open_local()
        try:
            return await desktop.capture()
        finally:
            await desktop.close()

    allowed = read_policy(config_folder()).allowed()
    look = sight_of(capture, repository.blob)
    return anyio.run(checked_again, memory, allowed, ask, look, repository.doubted_at(memory))


def _confirmation(saw: str) -> Verdict:
    try:
        check = Check(outcome=Outcome.PASSED, detail=saw, at=now())
    except ValidationError as exc:
        raise click.UsageError(f"--confirmed: {in_words(exc.errors(include_url=False)[0])}") from exc
    return Verdict(evaluator="human_confirmation", attestation=Attestation.HUMAN, after=check)
