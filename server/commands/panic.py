"""`echopath panic`."""

from pathlib import Path

import click


@click.command("panic")
@click.option("--clear", is_flag=True, help="Let the servers go on.")
def command(clear: bool) -> None:
    """Stop every EchoPath server of yours, in the middle of a text too, until `--clear`."""
    from server.panic import end_panic
    from server.settings import config_folder, load_settings

    if not clear:
        click.echo(f"stopped: {_start()}")
        return
    try:
        removed = end_panic([config_folder(), load_settings().home])
    except OSError as exc:
        raise click.ClickException(f"still stopped: {exc.filename}: {exc.strerror}") from exc
    for file in removed:
        click.echo(f"removed {file}")
    if not removed:
        click.echo("nothing was stopped")


def _start() -> Path:
    """The stop file, in the first folder that takes it: servers look into both. Settings may be damaged."""
    from server.panic import start_panic
    from server.settings import BadSettings, config_folder, load_settings

    problems: list[str] = []
    for folder in (config_folder, lambda: load_settings().home):
        try:
            return start_panic(folder(), "the user said so")
        except (OSError, BadSettings) as exc:
            problems.append(str(exc))
    raise click.ClickException(f"nothing was stopped: {'; '.join(problems)}. End the servers by hand")
