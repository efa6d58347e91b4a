"""`echopath runs list|show|verify|purge`."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from actionlens.errors import RunUnreadable
from actionlens.observation import utc
from actionlens.records import RunStatus
from actionlens.run_reader import Run, read_run, verify_run
from server.settings import load_settings
from server.table import counted, size_text, table

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


@click.group("runs")
def command() -> None:
    """What was done on the desktop, with its evidence."""


@command.command("list")
@as_json
def list_runs(as_json: bool) -> None:
    """Every run, oldest first."""
    rows = [_row(path) for path in _folders()]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    if not rows:
        click.echo(f"no runs yet below {load_settings().runs}")
        return
    head = ("run", "status", "steps", "size", "agent", "goal")
    click.echo(
        table(
            head,
            [
                (
                    row["run_id"],
                    row["status"],
                    row["steps"],
                    size_text(int(str(row["bytes"]))),
                    row["agent"],
                    row["goal"],
                )
                for row in rows
            ],
        )
    )


@command.command()
@click.argument("run_id")
@as_json
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a contact sheet PNG here.")
def show(run_id: str, as_json: bool, sheet: Path | None) -> None:
    """One run, step by step."""
    run = _read(run_id)
    if sheet is not None:
        from memory_store.transfer import write_file
        from server.sheet import contact_sheet

        write_file(sheet.absolute(), contact_sheet(run))
    if as_json:
        click.echo(json.dumps(_described(run), indent=1))
        return
    said = run.manifest
    click.echo(
        f"{said.run_id}  {run.status.value}  {said.controller}  {utc(said.started_at)} UTC\n{said.task_goal}"
    )
    rows = [
        (
            step.id,
            step.status.value,
            step.action.action,
            _words(step.action.model_dump()),
            step.request.target,
        )
        for step in run.steps
    ]
    if rows:
        click.echo(table(("step", "status", "action", "with", "target"), rows))
    for line in run.missing:
        click.echo(click.style(f"missing: {line}", fg="yellow"))
    if sheet is not None:
        click.echo(f"contact sheet: {sheet}")


@command.command()
@click.argument("run_ids", nargs=-1)
@as_json
def verify(run_ids: tuple[str, ...], as_json: bool) -> None:
    """Prove that not a byte of the evidence was changed; of all runs, or of those named."""
    folders = [_folder(run_id) for run_id in run_ids] or list(_folders())
    found = {path.name: _problems(path) for path in folders}
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        for name, problems in found.items():
            click.echo(
                f"{name}: {'whole' if not problems else counted(len(problems), 'problem', 'problems')}"
            )
            for line in problems:
                click.echo(f"  {line}")
    if any(found.values()):
        sys.exit(1)


@command.command()
@click.argument("run_ids", nargs=-1)
@click.option(
    "--older-than", "days", type=click.IntRange(min=0), help="Every run that began more than N days ago."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json
def purge(run_ids: tuple[str, ...], days: int | None, yes: bool, as_json: bool) -> None:
    """Delete runs for good. A run that is being written is kept."""
    if not run_ids and days is None:
        raise click.UsageError("name the runs, or give --older-than DAYS")
    chosen = [_folder(run_id) for run_id in run_ids]
    if days is not None:
        before = datetime.now(UTC) - timedelta(days=days)
        chosen += [path for path in _folders() if path not in chosen and _began(path) < before]
    chosen = [path for path in chosen if _status(path) is not RunStatus.RUNNING]
    if chosen and not yes:
        click.confirm(f"delete {counted(len(chosen), 'run', 'runs')} for good?", abort=True, err=True)
    for path in chosen:
        shutil.rmtree(path)
    names = [path.name for path in chosen]
    click.echo(json.dumps({"purged": names}) if as_json else f"{counted(len(names), 'run', 'runs')} deleted")


def _folders() -> Iterator[Path]:
    root = load_settings().runs
    if root.is_dir():
        yield from sorted(path for path in root.iterdir() if path.is_dir() and path.name[0] != ".")


def _folder(run_id: str) -> Path:
    path = load_settings().runs / run_id
    if not re.fullmatch(r"[A-Za-z0-9-]+", run_id) or not path.is_dir():
        raise RunUnreadable(f"no run is called {run_id!r}; `echopath runs list` names them")
    return path


def _read(run_id: str) -> Run:
    return read_run(_folder(run_id))


def _problems(path: Path) -> list[str]:
    try:
        return verify_run(path)
    except RunUnreadable as exc:
        return [str(exc)]


def _status(path: Path) -> RunStatus | None:
    try:
        return read_run(path).status
    except RunUnreadable:
        return None


def _began(path: Path) -> datetime:
    try:
        return read_run(path).manifest.started_at
    except RunUnreadable:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _row(path: Path) -> dict[str, object]:
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    try:
        run = read_run(path)
    except RunUnreadable:
        return {
            "run_id": path.name,
            "status": "unreadable",
            "steps": 0,
            "bytes": size,
            "agent": "",
            "goal": "",
        }
    said = run.manifest
    return {
        "run_id": said.run_id,
        "status": run.status.value,
        "steps": len(run.steps),
        "bytes": size,
        "agent": said.source_agent,
        "goal": said.task_goal,
        "started_at": said.started_at.isoformat(),
    }


def _described(run: Run) -> dict[str, object]:
    return {
        "manifest": run.manifest.model_dump(mode="json"),
        "status": run.status.value,
        "missing": list(run.missing),
        "steps": [
            {
                "id": step.id,
                "status": step.status.value,
                "started": step.started.model_dump(mode="json"),
                "ended": step.ended.model_dump(mode="json") if step.ended else None,
            }
            for step in run.steps
        ],
    }


def _words(action: dict[str, object]) -> str:
    parts = (
        f"{name}={value!r}" for name, value in action.items() if name != "action" and value not in (None, ())
    )
    text = " ".join(parts)
    return text if len(text) <= 60 else f"{text[:57]}..."
