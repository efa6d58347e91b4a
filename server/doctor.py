"""What works here, tried rather than guessed."""

import importlib.metadata
import platform
import shutil
import sys
from dataclasses import dataclass, replace

from anyio import to_thread

from ibtr.errors import EchoPathError
from server.settings import Settings, config_folder


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    works: bool
    detail: str
    fix: str = ""
    optional: bool = False


async def examine(settings: Settings) -> list[Finding]:
    """Every check of the desktop side and of the places we write to; one desktop that works is enough."""
    virtual, local = await _virtual(settings), await _local()
    enough = {
        "virtual desktop": settings.desktop == "local" or (local.works and settings.desktop == "auto"),
        "local desktop": settings.desktop == "virtual" or (virtual.works and settings.desktop == "auto"),
    }
    return [
        *await to_thread.run_sync(_machine, settings),
        *(replace(one, optional=enough[one.what]) for one in (virtual, local)),
    ]


def _machine(settings: Settings) -> list[Finding]:
    linux = sys.platform.startswith("linux")
    place = Finding("settings", True, f"{config_folder()} (desktop={settings.desktop})")
    return [
        _python(),
        _home(settings),
        *_interrupted(settings),
        place,
        *([_policy(), _panic(settings), *_programs(), _xlib()] if linux else []),
    ]


def _python() -> Finding:
    return Finding(
        "python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()}"
    )


def _home(settings: Settings) -> Finding:
    place = settings.home
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        (place / ".write-test").write_text("x")
        (place / ".write-test").unlink()
    except OSError as exc:
        return Finding(
            "home", False, f"{place}: {exc.strerror}", "set ECHOPATH_HOME to a folder you may write to"
        )
    free = shutil.disk_usage(place).free // 1024**2
    return Finding("home", free > 200, f"{place}, {free} MB free", "" if free > 200 else "free some room")


def _interrupted(settings: Settings) -> list[Finding]:
    """Replays that a server left unfinished when it died; told once, and ended in the ledger with it."""
    from datetime import UTC, datetime

    from server.replay.interrupted import settle_interrupted
    from server.store import open_store

    if not (settings.home / "memories.db").exists():
        return []
    try:
        with open_store(settings) as store:
            cut = settle_interrupted(store, settings.runs, at=datetime.now(UTC))
    except EchoPathError as exc:
        return [Finding("memories", False, str(exc))]
    said = "; ".join(f"{row.id} was interrupted: {row.detail['says']}" for row in cut)
    return [Finding("replays", True, said or "none was cut off")]


def _policy() -> Finding:
    from server.policy_file import POLICY_FILE, BadPolicy, read_policy

    file = config_folder() / POLICY_FILE
    try:
        policy = read_policy(config_folder())
    except BadPolicy as exc:
        return Finding("policy", False, str(exc), "correct it: until then nothing is clicked or typed")
    if not file.exists():
        return Finding("policy", True, f"no {file}: the default one holds")
    said = ", ".join(sorted(policy.model_fields_set)) or "nothing"
    return Finding("policy", True, f"{file} sets {said}")


def _panic(settings: Settings) -> Finding:
    from server.panic import panic_files

    if stops := panic_files([config_folder(), settings.home]):
        return Finding("emergency stop", False, f"on: {stops[0]}", "echopath panic --clear")
    return Finding("emergency stop", True, "off")


def _programs() -> list[Finding]:
    wanted = {
        "Xvfb": ("xvfb", "the virtual desktop"),
        "openbox": ("openbox", "windows on the virtual desktop"),
        "dbus-daemon": ("dbus", "a session bus of its own for programs there"),
        "mousepad": ("mousepad", "the demo"),
        "galculator": ("galculator", "the demo"),
    }
    how = "apt-get install" if shutil.which("apt-get") else "install with this system's package manager:"
    found: list[Finding] = []
    for name, (package, purpose) in wanted.items():
        path = shutil.which(name)
        told = path or f"not found; needed for {purpose}"
        found.append(Finding(name, path is not None, told, "" if path else f"{how} {package}", optional=True))
    return found


def _xlib() -> Finding:
    from actionlens.xlib import repair_command, xlib_trouble

    if told := xlib_trouble():
        return Finding("python-xlib", False, told, repair_command())
    return Finding("python-xlib", True, f"{_version('python-xlib')}, whole")


async def _virtual(settings: Settings) -> Finding:
    from actionlens.desk import open_virtual

    try:
        desktop = await open_virtual(settings.screen)
    except EchoPathError as exc:
        return Finding("virtual desktop", False, str(exc))
    try:
        frame = await desktop.capture()
    finally:
        await desktop.close()
    return Finding("virtual desktop", True, f"{frame.image.width}x{frame.image.height}, started and ended")


async def _local() -> Finding:
    from actionlens.desk import open_local

    try:
        desktop = await open_local()
    except EchoPathError as exc:
        return Finding("local desktop", False, str(exc))
    try:
        frame = await desktop.capture()
    finally:
        await desktop.close()
    detail = f"{desktop.display}, {frame.image.width}x{frame.image.height}, PyAutoGUI {_version('pyautogui')}"
    return Finding("local desktop", True, detail)


def _version(package: str) -> str:
    return importlib.metadata.version(package)
