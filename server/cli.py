"""`echopath ...`: parse, build, run; no logic. Each command's module is loaded when it is called."""

import importlib
from typing import Any

import click

from server import __version__
from server.refusing import Refusal, refusal_of

COMMANDS = {
    "serve": ("server.commands.serve", "Serve memories and the desktop over MCP (stdio or HTTP)."),
    "demo": ("server.commands.demo", "Record on a real application, replay at another resolution."),
    "memories": ("server.commands.memories", "List, show, promote, retire, verify and share memories."),
    "runs": ("server.commands.runs", "List, show, verify and purge recorded runs."),
    "replay": ("server.commands.replay", "Run a memory on the desktop, without a host."),
    "report": ("server.commands.report", "Tell what one replay did, and why it ended as it did."),
    "replays": ("server.commands.replays", "List and show what became of every replay."),
    "bench": ("server.commands.bench", "Measure your own library: the paper's five diagnostics."),
    "install": ("server.commands.install", "Tell Claude Code or Codex how to start EchoPath."),
    "panic": ("server.commands.panic", "Stop every EchoPath server at once, or let them go on."),
    "doctor": ("server.commands.doctor", "Say what works on this machine, and what to install."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time: `serve` must answer before anything heavy loads."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; the one boundary where an exception becomes a refusal, as JSON if that was asked."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except click.ClickException as exc:
            if not as_json:
                raise
            click.echo(Refusal(type(exc).__name__, exc.format_message(), {}).as_json())
            ctx.exit(exc.exit_code)
        except (click.Abort, click.exceptions.Exit):
            raise
        except Exception as exc:
            if (refusal := refusal_of(exc)) is None:
                raise
            click.echo(refusal.as_json() if as_json else f"echopath: {refusal.message}", err=not as_json)
            ctx.exit(1)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Help from the table, so that `--help` imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="echopath")
def cli() -> None:
    """GUI work done once becomes a typed tool that runs again without a model."""


def main(argv: list[str] | None = None) -> Any:
    """Entry point: every refusal is one line on standard error, or JSON, never a traceback."""
    return cli.main(args=argv, prog_name="echopath")
