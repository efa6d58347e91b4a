"""`echopath panic`."""

import click


@click.command("panic")
@click.option("--clear", is_flag=True, help="Let the servers go on.")
def command(clear: bool) -> None:
    """Stop every EchoPath server of yours before its next input event, until `--clear`."""
    from server.panic import end_panic, start_panic
    from server.settings import config_folder, load_settings

    if not clear:
        click.echo(f"stopped: {start_panic(config_folder(), 'the user said so')}")
        return
    removed = end_panic([config_folder(), load_settings().home])
    for file in removed:
        click.echo(f"removed {file}")
    if not removed:
        click.echo("nothing was stopped")
