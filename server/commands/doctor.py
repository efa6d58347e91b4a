"""`echopath doctor`."""

import json
import sys

import click


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a list.")
def command(as_json: bool) -> None:
    """Say what works on this machine, and what to install or set for the rest."""
    import anyio

    from server.doctor import examine
    from server.settings import load_settings

    findings = anyio.run(examine, load_settings())
    if as_json:
        click.echo(json.dumps([finding.__dict__ for finding in findings], indent=1))
    else:
        for finding in findings:
            mark = click.style("ok  ", fg="green") if finding.works else click.style("no  ", fg="red")
            click.echo(f"{mark}{finding.what}: {finding.detail}")
            if finding.fix:
                click.echo(f"      {finding.fix}")
    if not all(finding.works or finding.optional for finding in findings):
        sys.exit(1)
