"""`echopath serve`."""

import sys

import click


@click.command("serve")
@click.option("--desktop", type=click.Choice(["auto", "local", "virtual"]), help="Which desktop to drive.")
@click.option("--screen", metavar="WxH", help="Size of a virtual desktop.")
@click.option("--agent", help="Who drives, for the lock and the runs.")
@click.option("--http", is_flag=True, help="Serve over HTTP on 127.0.0.1, for the bearer of a token.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="With --http; 0 takes any."
)
def command(desktop: str | None, screen: str | None, agent: str | None, http: bool, port: int) -> None:
    """Serve memories and the desktop over MCP on standard input and output, or over HTTP."""
    import anyio

    from server.logs import set_up_logging
    from server.settings import load_settings

    set_up_logging()
    settings = load_settings(desktop=desktop, screen=screen, agent=agent)
    if http:
        from server.http import serve_http

        anyio.run(serve_http, settings, port, _say)
    else:
        from server.stdio import serve_stdio

        if sys.stdin.isatty():
            _say("waiting for an MCP host (`echopath install` lets it start this); Ctrl+C ends it")
        anyio.run(serve_stdio, settings)


def _say(text: str) -> None:
    click.echo(text, err=True)
