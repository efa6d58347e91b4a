"""The exit code of a command that the user's settings allow: no shell, nothing inherited, a time limit."""

import os
import selectors
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator

from memory_store.evaluators.opening import sha256
from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, found
from memory_store.evaluators.scene import Limits, Scene, Spec
from memory_store.evaluators.template import TextTemplate, names_in, parse

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
_POLL_S = 0.05


class CommandExits(Spec):
    """A command ends with this code. `argv[0]` is on the settings' list; there is no shell."""

    kind: Literal["command"] = "command"
    argv: Annotated[tuple[TextTemplate, ...], Field(min_length=1, max_length=64)]
    exit_code: Annotated[int, Field(ge=0, le=255)] = 0

    @field_validator("argv")
    @classmethod
    def _fixed_program(cls, argv: tuple[str, ...]) -> tuple[str, ...]:
        if not argv[0] or names_in(parse(argv[0])):
            raise ValueError("the program itself cannot be an input")
        return argv

    def run(self, scene: Scene) -> Finding:
        """Run it and compare."""
        program = _allowed(self.argv[0], scene.allowed.commands)
        arguments = [scene.values.argument(part, f"argv.{at}") for at, part in enumerate(self.argv) if at]
        code, output = _run([str(program), *arguments], scene.limits)
        return found(
            code == self.exit_code,
            f"exit code {code}, {self.exit_code} wanted",
            sha256=sha256(output),
            exit_code=code,
            wanted=self.exit_code,
            seen=clip(output.decode("utf-8", "replace")),
            program=str(program),
        )


def _allowed(program: str, commands: tuple[str, ...]) -> Path:
    """The program as an absolute path, if the list names it so or by the name that leads to it.

    Raises:
        CouldNotRun: it is not on the list, or not installed.
    """
    if program not in commands:
        raise CouldNotRun(
            "argv.0",
            f"{program!r} is not an allowed command",
            "let the user add it to `commands` in policy.toml",
            allowed=[*commands],
        )
    path = (
        program
        if program.startswith("/")
        else shutil.which(program, path=SYSTEM_PATH)
        if "/" not in program
        else None
    )
    if path is None or not os.access(path, os.X_OK):
        raise CouldNotRun(
            "argv.0", f"{program!r} is not installed", "install it, or name it by its absolute path"
        )
    return Path(path)


def _run(argv: list[str], limits: Limits) -> tuple[int, bytes]:
    environment = {"PATH": SYSTEM_PATH, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
    except OSError as exc:
        raise CouldNotRun("argv.0", f"it cannot be started ({exc.strerror})", "check the program") from exc
    try:
        return _watch(child, limits)
    finally:
        _end(child)


def _watch(child: "subprocess.Popen[bytes]", limits: Limits) -> tuple[int, bytes]:
    """Exit code and the beginning of the output; a grandchild that keeps the pipe open is not waited for."""
    deadline = time.monotonic() + limits.seconds
    kept = bytearray()
    assert child.stdout is not None
    with child.stdout as pipe, selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            ready = selector.select(_POLL_S)
            chunk = os.read(pipe.fileno(), 65_536) if ready else b""
            kept += chunk[: limits.output_bytes - len(kept)]
            if not chunk and (code := child.poll()) is not None:
                return code, bytes(kept)
            if ready and not chunk:
                selector.unregister(pipe)
            if time.monotonic() > deadline:
                raise CouldNotRun(
                    "argv",
                    f"it ran longer than {limits.seconds:g} s",
                    "allow a quicker check",
                    seconds=limits.seconds,
                )


def _end(child: "subprocess.Popen[bytes]") -> None:
    # The whole session: what the command started must not outlive the check.

    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
