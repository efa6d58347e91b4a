"""`echopath demo`."""

import shutil
import sys
from pathlib import Path

import click


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("echopath-demo"),
    show_default=True,
)
def command(out: Path) -> None:
    """Record three steps in Mousepad, replay them at another resolution, and leave the pictures."""
    import anyio

    from server.demo import run_demo

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    if not anyio.run(run_demo, out.absolute(), click.echo):
        sys.exit(1)
