"""`echopath ...`: parse, build, run; no logic."""

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="echopath")
def main() -> None:
    """GUI work done once becomes a typed tool that runs again without a model."""
