"""`echopath serve`."""

import click


@click.command("serve")
@click.option("--desktop", type=click.Choice(["auto", "local", "virtual"]), help="Which desktop to drive.")
@click.option("--screen", metavar="WxH", help="Size of a virtual desktop.")
@click.option("--agent", help="Who drives, for the lock and the runs.")
def command(desktop: str | None, screen: str | None, agent: str | None) -> None:
    """Serve memories and the desktop over MCP on standard input and output."""
    import anyio

    from server.settings import load_settings
    from server.stdio import serve_stdio

    anyio.run(serve_stdio, load_settings(desktop=desktop, screen=screen, agent=agent))
