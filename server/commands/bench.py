"""`echopath bench retrieval|reaim|storage|gate|rebind|all`: the paper's diagnostics on a library of yours."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ibtr.errors import EchoPathError
from server.settings import load_settings

if TYPE_CHECKING:
    from server.diagnostics.figures import Diagnosis
    from server.diagnostics.library import Library

NAMES: Final = ("retrieval", "reaim", "storage", "gate", "rebind")
_HELP: Final = {
    "retrieval": "Is the right memory found among 0 to 500 distractors, and how fast?",
    "reaim": "Do the stored crops lead back to their targets, or to a refusal?",
    "storage": "What does a memory take on disk, as intercept and slope over its steps?",
    "gate": "Are right starts let in, and wrong ones refused?",
    "rebind": "Do declared inputs take new values, and nothing else?",
    "all": "All five, one after the other.",
}
"""Also the first line of each command's help."""


@click.group("bench")
def command() -> None:
    """The paper's five diagnostics on your own library: our figure, the paper's, n and the conditions."""


def _options(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option(
            "--plot", type=click.Path(path_type=Path), help="Draw charts: a .png file, or a folder."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables."),
        click.option(
            "--most",
            type=click.IntRange(min=1),
            help="Targets of reaim, pairs of each condition of gate and rebind; fewer is quicker.",
        ),
        click.option(
            "--library",
            type=click.Path(path_type=Path),
            help="Another library than your own: a store, or what `echopath demo` or the study left.",
        ),
    ):
        function = option(function)
    return function


def _add(name: str) -> None:
    @command.command(name, help=_HELP[name])
    @_options
    def run(library: Path | None, most: int | None, as_json: bool, plot: Path | None) -> None:
        names = NAMES if name == "all" else (name,)
        _run(names, library, most, as_json=as_json, plot=plot)


for _name in (*NAMES, "all"):
    _add(_name)


def _run(
    names: Sequence[str], folder: Path | None, most: int | None, *, as_json: bool, plot: Path | None
) -> None:
    from server.diagnostics.library import open_library
    from server.diagnostics.view import described, told

    if plot is not None and plot.suffix and not (_is_picture(plot) or plot.is_dir()):
        raise click.UsageError(f"--plot {plot}: charts are .png files; without an ending it is a folder")
    if plot is not None and len(names) == 1 and not _is_picture(plot):
        plot = plot / f"{names[0]}.png"
    found: list[Diagnosis] = []
    failed: dict[str, str] = {}
    try:
        with open_library(folder or load_settings().home) as library:
            for name in names:
                try:
                    one = _diagnose(name, library, most)
                except EchoPathError as exc:
                    failed[name] = str(exc)
                    _say(f"{name}: not measured: {exc}", as_json)
                    continue
                found.append(one)
                for line in () if as_json else told(one):
                    click.echo(line)
            where = str(library.folder)
    except EchoPathError as exc:
        if not as_json:
            raise
        click.echo(json.dumps({"error": type(exc).__name__, "message": str(exc)}, indent=1))
        sys.exit(1)
    if as_json:
        click.echo(json.dumps(described(where, found, failed), indent=1, ensure_ascii=False))
    if plot is not None and found:
        for path in _draw(found, plot):
            click.echo(f"chart: {path}", err=as_json)
    if not found:
        sys.exit(1)


def _diagnose(name: str, library: Library, most: int | None) -> Diagnosis:
    from server.diagnostics import gate, reaim, rebind, retrieval, storage

    limit: dict[str, Any] = {} if most is None else {"most": most}
    match name:
        case "retrieval":
            return retrieval.diagnose(library)
        case "storage":
            return storage.diagnose(library)
        case "rebind":
            return rebind.diagnose(library, **limit)
        case "reaim":
            return reaim.diagnose(library, tick=_tick, **limit)
        case _:
            return gate.diagnose(library, tick=_tick, **limit)


def _tick(name: str, done: int, of: int) -> None:
    """How far it is, on a terminal only."""
    if sys.stderr.isatty():
        click.echo(f"\r{name}: {done + 1} of {of} ", nl=done + 1 == of, err=True)


def _draw(found: Sequence[Diagnosis], plot: Path) -> list[Path]:
    from memory_store.images import encode_png
    from memory_store.transfer import write_file
    from server.diagnostics.charts import draw, sheet

    if _is_picture(plot):
        pictures = {plot: draw(found[0]) if len(found) == 1 else sheet(found)}
    else:
        pictures = {plot / f"{one.name}.png": draw(one) for one in found}
    try:
        for path, picture in pictures.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path.absolute(), encode_png(picture, 6))
    except OSError as exc:
        raise click.ClickException(f"{plot}: {exc.strerror}") from exc
    return [*pictures]


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() == ".png" and not path.is_dir()


def _say(text: str, as_json: bool) -> None:
    click.echo(text, err=as_json)
