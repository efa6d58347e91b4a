"""`echopath install claude|codex`."""

import click


@click.command("install")
@click.argument("host", type=click.Choice(["claude", "codex"]))
@click.option("--print", "only_print", is_flag=True, help="Print the entry; change nothing.")
@click.option("--name", default="echopath", show_default=True, help="What the host calls the server.")
@click.option(
    "--scope",
    type=click.Choice(["user", "project", "local"]),
    default="user",
    show_default=True,
    help="For you everywhere, for everyone in this folder, or for you in this folder (claude).",
)
@click.option("--approve", is_flag=True, help="Also let the host run our tools without asking.")
def command(host: str, only_print: bool, name: str, scope: str, approve: bool) -> None:
    """Tell Claude Code or Codex how to start EchoPath. Whatever the host was set to before stays."""
    from server.install import claude, codex
    from server.install.entry import make_entry

    module = claude if host == "claude" else codex
    if scope not in module.SCOPES:
        raise click.UsageError(f"{host} knows the scopes {' and '.join(module.SCOPES)}")
    entry = make_entry(name, "claude-code" if host == "claude" else "codex", approve=approve)
    if only_print:
        click.echo(module.shown(entry))
        return
    for line in module.install(entry, scope):
        click.echo(line)
    click.echo(f"start {host} anew to use it")
