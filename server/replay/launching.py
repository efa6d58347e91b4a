"""Bring the window of a `launch` condition to the front, with its own document, or start its program."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from ibtr.errors import StateMismatch
from memory_store.evaluators.template import Values
from memory_store.models import LaunchCondition, WindowCondition
from server.replay.aiming import rest
from server.replay.document import Shown, by_title, document_of, names_whole, shown
from server.replay.transition import same_application
from server.replay.words import a_dialog

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame, ProgramEnd
    from actionlens.observation import Window

_START_S = 20.0
_DIALOG_S = 1.0
"""A dialog that keeps the front so long after its window was asked to come does not let it."""


Tell = Callable[[str], Awaitable[None]]
"""Told what is about to be done to the desktop, right before it."""


async def nobody(_: str) -> None:
    """Nobody is told."""


def fits(condition: WindowCondition, window: Window) -> bool:
    """Whether a window is the one that is meant."""
    return (not condition.application or same_application(condition.application, window.application)) and (
        condition.title_contains.casefold() in window.title.casefold()
    )


async def launch(
    condition: LaunchCondition,
    desktop: Controller,
    values: Mapping[str, str],
    may_launch: Callable[[Sequence[str]], Awaitable[None]],
    *,
    tell: Tell = nobody,
) -> None:
    """Raise the window that shows what the condition names, or start its program.

    Raises:
        StateMismatch: it does not come to the front, a dialog keeps it from there, or it shows another
            document of the same name.
        UnsafeAction: the program would have to be started, and the policy forbids it.
    """
    fill = Values(values)
    argv = [fill.argument(part, "launch.argv") for part in condition.argv]
    frame = await desktop.capture()
    wanted = _Wanted(condition.window, argv, document_of(argv, condition.window.title_contains))
    there = [window for window in frame.windows if await wanted.is_shown_by(window)]
    if there:
        if wanted.is_behind_its_dialog(there[-1], frame.window):
            raise await _not_there(wanted, frame, frame, waited=0.0, started=False)
        if frame.window is None or frame.window.id != there[-1].id:
            await tell(f"raised the window {there[-1].title[:80]!r}")
        await desktop.activate(there[-1].id)
        pid = None
    else:
        await may_launch(argv)
        await tell(f"started {argv[0]}")
        pid = await desktop.launch(argv)
    await _come(desktop, wanted, frame, pid)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The window that is asked for."""

    window: WindowCondition
    argv: list[str]
    document: str | None
    """The argument that its title names, if it is one."""

    async def is_shown_by(self, window: Window) -> bool:
        """Whether a window is it, as far as can be known."""
        if not fits(self.window, window):
            return False
        return await self.told(window) in (Shown.OURS, Shown.UNKNOWN)

    async def told(self, window: Window) -> Shown:
        if self.document is None:
            return Shown.UNKNOWN
        return await to_thread.run_sync(shown, window.title, window.pid, self.document)

    async def was_opened(self, window: Window, before: Frame) -> bool:
        """Whether a window came by starting the program: its process may still name what it began with."""
        if not fits(self.window, window):
            return False
        if self.document is None or await self.is_shown_by(window):
            return True
        if by_title(window.title, self.document) is Shown.OTHER:
            return False
        old = next((one for one in before.windows if one.id == window.id), None)
        if old is None or not names_whole(old.title, self.window.title_contains):
            return True
        in_front = before.window is not None and before.window.id == window.id
        return not in_front and await self.told(window) is Shown.BOTH

    def is_behind_its_dialog(self, window: Window, active: Window | None) -> bool:
        """Whether a dialog of its own process has the keyboard: raised, the window would leave it open."""
        return (
            active is not None
            and active.id != window.id
            and active.pid == window.pid
            and self.is_dialog_of_it(active)
        )

    def is_dialog_of_it(self, window: Window) -> bool:
        return window.dialog and same_application(self.window.application, window.application)


async def _come(desktop: Controller, wanted: _Wanted, before: Frame, pid: int | None) -> None:
    """Wait until the window is in front and at rest; `pid` is that of the program, if it was started."""
    begun, frame, started = time.monotonic(), before, pid is not None
    end: ProgramEnd | None = None
    while time.monotonic() - begun < _START_S:
        end = end or (await desktop.ended(pid) if pid is not None else None)
        frame = await desktop.capture()
        active = frame.window
        if active is not None:
            come = wanted.was_opened(active, before) if started else wanted.is_shown_by(active)
            if await come:
                return await rest(desktop)
            waited = time.monotonic() - begun
            if not started and wanted.is_dialog_of_it(active) and waited > _DIALOG_S:
                break
        if end is not None and end.code:
            raise StateMismatch(f"{wanted.argv[0]} {end}", argv=wanted.argv, exit_code=end.code)
        await anyio.sleep(0.02)
    raise await _not_there(wanted, before, frame, waited=time.monotonic() - begun, started=started)


async def _not_there(
    wanted: _Wanted, before: Frame, frame: Frame, *, waited: float, started: bool
) -> StateMismatch:
    program, active = wanted.argv[0], frame.window
    seen = f"{active.application}: {active.title}"[:120] if active else "none"
    facts = {"argv": wanted.argv, "active": seen, "waited_s": round(waited, 1)}
    if active is not None and wanted.is_dialog_of_it(active):
        says = f"{a_dialog(active.title, active.application)} is in front: answer or close it first"
        return StateMismatch(says, dialog=active.title[:120], **facts)
    if active is not None and fits(wanted.window, active):
        name, shows = wanted.window.title_contains, await wanted.told(active)
        says = f"the window in front shows another {name!r}, not {wanted.document}"
        if shows is Shown.BOTH:
            says = f"{active.application} has two {name!r} open, and which one is in front cannot be told"
        return StateMismatch(f"{says}: close the one that is not meant", shows=shows.value, **facts)
    known = {window.id for window in before.windows}
    mine = [one for one in frame.windows if same_application(wanted.window.application, one.application)]
    if started and all(window.id in known for window in mine):
        says = (
            f"{program} was started, but no window of it appeared on this desktop in {waited:.0f} s: "
            "it may be running on another desktop; end it there"
        )
        return StateMismatch(says, **facts)
    return StateMismatch(f"{program} did not come to the front in {waited:.0f} s", **facts)
