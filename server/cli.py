"""`echopath ...`: parse, build, run; no logic. Each command's module is loaded when it is called."""

import importlib
import sys
from typing import Any

import click

from server import __version__

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Help from the table, so that `--help` imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="echopath")
def cli() -> None:
    """GUI work done once becomes a typed tool that runs again without a model."""


def main(argv: list[str] | None = None) -> Any:
    """Entry point: every refusal is one line on standard error, never a traceback."""
    from ibtr.errors import EchoPathError

    try:
        return cli.main(args=argv, prog_name="echopath")
    except EchoPathError as exc:
        click.echo(f"echopath: {exc}", err=True)
        sys.exit(1)
