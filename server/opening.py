"""Open the program that a recording is about: on a private desktop nobody else can."""

from __future__ import annotations

import time
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from actionlens.errors import ActionFailed
from actionlens.programs import session_of
from ibtr.geometry import Box, Point, xy_to_px
from memory_store.evaluators.template import at_home
from server.app import App
from server.replay.document import Shown, names_whole, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from actionlens.controller import Controller as Eye
    from actionlens.controller import Frame, ProgramEnd
    from actionlens.observation import Window
    from actionlens.run_reader import Run

_START_S = 20.0
_PAINTED_S = 4.0
_HANDED_OVER_S = 10.0
"""A program that ended well may have left its window to one that was running: so long that one may take."""


async def open_program(app: App, argv: Sequence[str]) -> Window:
    """Start a program and wait until a window of its own is in front, painted and at rest.

    Raises:
        UnsafeAction: the policy lets it not be started.
        ActionFailed: it cannot be started, ends, or shows no window.
    """
    await app.guard.check_launch(argv)
    desktop = await app.operator.desktop()
    before = {window.id: window.title for window in (await desktop.capture()).windows}
    pid, begun = await desktop.launch(argv), time.monotonic()
    end: ProgramEnd | None = None
    while (waited := time.monotonic() - begun) < _START_S:
        end = end or await desktop.ended(pid)  # asked first: what it has shown is on the screen by now
        handed_over = await to_thread.run_sync(_has_ended, pid)
        window = (await desktop.capture()).window
        if window is not None and has_come(window, before, argv, handed_over=handed_over):
            return await usable(desktop, window)
        if end is not None and (end.code or waited > _HANDED_OVER_S):
            break
        await anyio.sleep(0.02)
    raise ActionFailed(no_window(argv[0], end, waited))


async def usable(eye: Eye, window: Window, longest_s: float = _PAINTED_S) -> Window:
    """Wait until a window that has just come has a title and is painted, and the screen rests.

    What is typed before that is lost. One that stays without is left so: not every window has both.
    """
    from server.replay.aiming import rest

    end = time.monotonic() + longest_s
    while not is_painted(window, frame := await eye.capture()) and time.monotonic() < end:
        window = _now(window, frame)
        await anyio.sleep(0.02)
    await rest(eye)
    return _now(window, await eye.capture())


def is_painted(window: Window, frame: Frame) -> bool:
    """Whether a window shows a title, and more than one colour."""
    from actionlens.frames import crop

    now = _now(window, frame)
    left_top, right_bottom = (
        xy_to_px(at, frame.scale, frame.origin)
        for at in (Point(now.box.x, now.box.y), Point(now.box.right, now.box.bottom))
    )
    place = Box(*map(round, (*left_top, right_bottom.x - left_top.x, right_bottom.y - left_top.y)))
    seen = crop(frame.pixels, place.clip(frame.image))
    return bool(now.title) and bool(seen.size) and bool((seen != seen[0, 0]).any())


def _now(window: Window, frame: Frame) -> Window:
    """The window as it is by now; a new one that came in front of it is what was opened."""
    front = frame.window
    if front is not None and (front.id == window.id or front.pid == window.pid is not None):
        return front
    return next((one for one in frame.windows if one.id == window.id), window)


def no_window(program: str, end: ProgramEnd | None, waited: float) -> str:
    """Why there is nothing to record, and what may help."""
    if end is not None and end.code:
        return f"open: {program} {end}; no window of it came. Try the same command in a terminal"
    told = f"open: {program} {end or 'was started'}, but no window of it came to the front in {waited:.0f} s"
    return f"{told}: it may be running on another desktop; end it there, or open something else"


def has_come(window: Window, before: Mapping[int, str], argv: Sequence[str], *, handed_over: bool) -> bool:
    """Whether a window was opened: a new one, or an old one that took over what was to be opened.

    An old one shows it by naming a document only now; or by another title, if it is one of this program and
    the process that was started has ended. A title that merely changes (a clock, a player) tells nothing.
    """
    if (title := before.get(window.id)) is None:
        return True
    if any(names_whole(window.title, name) and not names_whole(title, name) for name in _documents(argv)):
        return True
    program, application = PurePath(argv[0]).name.casefold(), window.application.casefold()
    own = bool(application) and (program in application or application in program)
    return own and handed_over and window.title != title


def launch_of(run: Run) -> dict[str, JsonValue] | None:
    """The condition that opens this run's program again, unless it is there."""
    words = _opened(run)
    window = run.steps[0].started.before.window if run.steps else None
    if not words or window is None:
        return None
    plain = [word.replace("{", "{{").replace("}", "}}") for word in words]
    shown: dict[str, JsonValue] = {"application": window.application}
    documents = _documents([at_home(word) for word in words])
    if named := [name for name in documents if names_whole(window.title, name)]:
        shown["title_contains"] = named[-1]  # the document, too: the program may show another one
    if not any(shown.values()):
        return None  # nothing would tell its window from another
    return {"kind": "launch", "argv": [*plain], "window": shown}


def launch_warnings(run: Run) -> list[str]:
    """What a replay could take for this run's document, where its window does not tell. Blocks."""
    window = run.steps[0].started.before.window if run.steps else None
    if window is None:
        return []
    documents = [path for word in _opened(run)[1:] if PurePath(path := at_home(word)).is_absolute()]
    named = [one for one in documents if names_whole(window.title, PurePath(one).name)]
    gone = window.pid is not None and not Path(f"/proc/{window.pid}").exists()  # it may have told
    if not named or gone or shown(window.title, window.pid, named[-1]) is Shown.OURS:
        return []
    name = PurePath(named[-1]).name
    return [f"the window only shows {name!r}: another file of that name would be taken for it"]


def _opened(run: Run) -> list[str]:
    """What this run was told to open, as it was said: `~` is the home of whoever replays it."""
    words = run.manifest.detail.get("opened")
    return [str(word) for word in words] if isinstance(words, list) else []


def _documents(argv: Sequence[str]) -> list[str]:
    """The names that a title may show of what a program was told to open."""
    return [name for part in argv[1:] if (name := PurePath(part).name)]


def _has_ended(pid: int) -> bool:
    """Whether a process is gone, or waits for somebody to notice; what it started may go on."""
    return session_of(pid) is None
