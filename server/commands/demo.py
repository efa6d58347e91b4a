"""`echopath demo`."""

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
    """Record six steps in Mousepad, replay them at another resolution, and leave the pictures.

    A folder that holds something is taken only if an earlier demo has made it.
    """
    import anyio

    from server.demo import run_demo
    from server.demo_folder import made_ready

    if not anyio.run(run_demo, made_ready(out), click.echo):
        sys.exit(1)
