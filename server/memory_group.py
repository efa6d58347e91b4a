"""What the commands of `echopath memories` share: the group, its options, opening the store, answering."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TypeVar

import click

from memory_store.models import Memory
from memory_store.models.base import LIMIT_LINE
from memory_store.repository import Repository
from server.settings import load_settings
from server.store import open_store

Words = TypeVar("Words", str | None, tuple[str, ...])


def few_words(_ctx: click.Context, _parameter: click.Parameter, given: Words) -> Words:
    """Words that a record can hold; more is refused by the name of its option."""
    for text in _texts(given):
        if len(text) > LIMIT_LINE:
            raise click.BadParameter(f"{len(text)} characters are too many; write at most {LIMIT_LINE}")
    return given


def some_words(ctx: click.Context, parameter: click.Parameter, given: Words) -> Words:
    """The same, and no empty ones."""
    if not all(text.strip() for text in _texts(given)):
        raise click.BadParameter("is empty; write some words, or leave it out")
    return few_words(ctx, parameter, given)


def _texts(given: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return given if isinstance(given, tuple) else () if given is None else (given,)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
because = click.option(
    "--because", required=True, callback=some_words, help="Why, in a sentence; it is kept in the log."
)
optional_because = click.option(
    "--because", default="", callback=few_words, help="Why, in a sentence; it is kept in the log."
)
new_name = click.option("--name", help="Its tool name; without one, the parent's with a number.")


@click.group("memories")
def command() -> None:
    """What was learned: look at it, prove it, promote it, retire it, share it."""


def opened() -> Repository:
    """The store of the settings."""
    return open_store(load_settings(), actor="cli")


def now() -> datetime:
    """This moment, for the log."""
    return datetime.now(UTC)


def change(work: Callable[[Repository], Memory], as_json: bool) -> None:
    """Do something to a memory and say what became of it."""
    with opened() as repository:
        say(work(repository), as_json)


def say(memory: Memory, as_json: bool) -> None:
    """One memory in one line."""
    if as_json:
        print_json(brief(memory))
    else:
        click.echo(f"{memory.tool_name} is {memory.lifecycle.value} ({memory.id})")


def brief(memory: Memory) -> dict[str, object]:
    """As much of a memory as names it."""
    return {"id": memory.id, "tool_name": memory.tool_name, "lifecycle": memory.lifecycle.value}


def echo(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))
