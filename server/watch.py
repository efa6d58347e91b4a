"""The policy at work: asked before every input event; lets it pass or says no, and counts what passed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from actionlens.actions import KEYBOARD_ACTIONS, POINTER_ACTIONS, Action, Observe, Wait
from actionlens.observation import Under, Window
from ibtr.errors import UnsafeAction
from ibtr.geometry import Box, Point
from server.panic import in_corner, is_near, kept_inside, panic_files, start_panic
from server.policy import Policy, applies, check_action, check_launch, refused_text
from server.policy_defaults import TextRule
from server.policy_file import BadPolicy, PolicyFile
from server.typed import LINE, typed_after

if TYPE_CHECKING:
    from actionlens.controller import Controller, Frame

_MINUTE_S = 60.0
_SEARCH_S = 4.0  # a busy machine needs a second only to start the process


class Watch:
    """One server's watch over what it does to the desktop.

    Every refusal is an UnsafeAction before the input event, with `rule` and the numbers in its evidence.
    """

    def __init__(self, config: Path, home: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = PolicyFile(config)
        self._folders = (config, home)
        self._clock = clock
        self._turn = anyio.Lock()
        self._done_at: deque[float] = deque()
        self._typed = ("", "")  # window, and what is in its line as far as we typed it
        self._put: Point | None = None  # where our own last action left the pointer
        self._looks_in_corner = 0

    async def policy(self) -> Policy:
        """The policy as it is now.

        Raises:
            UnsafeAction: the file cannot be used.
        """
        return (await to_thread.run_sync(self._read))[0]

    async def check(
        self,
        action: Action,
        window: Window | None,
        pointer: Point | None = None,
        screen: Box | None = None,
        also: Sequence[Window | None] = (),
    ) -> None:
        """Ask before an act, in the window that it would reach, and in those it would reach as well.

        Raises:
            UnsafeAction: the policy or the user's stop forbids it.
        """
        async with self._turn:
            policy, stops = await to_thread.run_sync(self._read)
            self._check_stop(stops)
            if isinstance(action, Observe | Wait):
                return
            await self._check_corner(policy, pointer, screen)
            line = self._line(action, window)
            for one in (window, *also):
                await to_thread.run_sync(check_action, policy, action, one, line)
            await self._check_own_texts(policy, window, line)
            self._check_rate(policy)
            self._passed(action, window, line)

    async def check_frame(self, action: Action, frame: Frame, eye: Controller) -> None:
        """Ask before an act, on the screen as it is seen: the desktop tells which windows it would reach.

        Raises:
            UnsafeAction: the policy or the user's stop forbids it.
        """
        first, *others = await reached(action, frame, eye)
        await self.check(action, first, frame.pointer, frame.bounds, others)

    async def check_launch(self, argv: Sequence[str]) -> None:
        """Ask before a program is started.

        Raises:
            UnsafeAction: it may not be.
        """
        policy, stops = await to_thread.run_sync(self._read)
        self._check_stop(stops)
        check_launch(policy, argv, str(self._file.path))

    async def said(self) -> str | None:
        """The user's stop in words, while an action is under way; None: there is none."""
        stops = await to_thread.run_sync(panic_files, self._folders)
        return _stop_words(stops[0]) if stops else None

    # -- the parts ---------------------------------------------------------------------------------

    def _read(self) -> tuple[Policy, list[Path]]:
        try:
            return self._file.read(), panic_files(self._folders)
        except BadPolicy as exc:
            raise UnsafeAction(
                f"the policy cannot be read, so nothing is done: {exc}",
                rule="policy_file",
                file=str(self._file.path),
            ) from exc

    def _check_stop(self, stops: list[Path]) -> None:
        if stops:
            raise UnsafeAction(
                _stop_words(stops[0]),
                rule="panic_file",
                file=str(stops[0]),
            )

    async def _check_corner(self, policy: Policy, pointer: Point | None, screen: Box | None) -> None:
        if pointer is None or not policy.panic_corner:
            return
        ours = self._put is not None and is_near(kept_inside(self._put, screen), pointer)
        if ours or not in_corner(pointer, screen):
            self._looks_in_corner = 0
            return
        self._looks_in_corner += 1
        facts = {"pointer": list(pointer), "looks": self._looks_in_corner, "limit": policy.panic_looks}
        if self._looks_in_corner >= policy.panic_looks:
            file = await to_thread.run_sync(
                start_panic, self._folders[0], "the pointer was held in a corner of the screen"
            )
            raise UnsafeAction(
                f"the user stopped everything with the pointer in the corner; {file} was made, only the user "
                "removes it (`echopath panic --clear`)",
                rule="panic_corner",
                file=str(file),
                **facts,
            )
        raise UnsafeAction(
            "the pointer is in a corner of the screen, which means stop: the user takes it away to go on",
            rule="panic_corner",
            **facts,
        )

    def _line(self, action: Action, window: Window | None) -> str:
        """What stands in the window's line once a keyboard action is done, as far as we typed it."""
        if action.action not in KEYBOARD_ACTIONS:
            return ""
        before = self._typed[1] if self._typed[0] == _key(window) else ""
        return typed_after(before, action)

    async def _check_own_texts(self, policy: Policy, window: Window | None, line: str) -> None:
        rules = [rule for rule in policy.own_texts if applies(rule, window)]
        if line and rules:
            await to_thread.run_sync(_search, rules, window, line)

    def _check_rate(self, policy: Policy) -> None:
        now, limit = self._clock(), policy.max_actions_per_minute
        while self._done_at and now - self._done_at[0] >= _MINUTE_S:
            self._done_at.popleft()
        if limit and len(self._done_at) >= limit:
            wait_s = round(_MINUTE_S - (now - self._done_at[0]), 1)
            raise UnsafeAction(
                f"{len(self._done_at)} actions in a minute, and the policy allows {limit}",
                rule="max_actions_per_minute",
                actions=len(self._done_at),
                limit=limit,
                again_in_s=wait_s,
            )

    def _passed(self, action: Action, window: Window | None, line: str) -> None:
        self._done_at.append(self._clock())
        if action.action in KEYBOARD_ACTIONS:
            self._typed = (_key(window), line.rpartition("\n")[2][-LINE:])
        if points := action.points():
            self._put = points[-1]


async def reached(action: Action, frame: Frame, eye: Controller) -> list[Window | None]:
    """The windows that an action would reach: at each point that it aims at, else the active one.

    The X server is asked: a frame around a window, and a menu past the window manager, are in no list.
    """
    if action.action not in POINTER_ACTIONS:
        return [frame.window]
    found = [await eye.under(point) for point in action.points()]
    return [window for under in found for window in belonging(under, frame.windows)]


def belonging(under: Under | None, windows: Sequence[Window]) -> list[Window | None]:
    """What lies at a place, as the policy judges it: a menu by the windows it goes with."""
    if under is None:
        return [None]
    owners: list[Window | None] = [one for one in windows if one.id in under.owners and not under.managed]
    itself = Window(id=under.id, application=under.application, pid=under.pid, box=Box(0, 0, 0, 0))
    return owners or [next((one for one in windows if one.id == under.id), itself)]


def _stop_words(file: Path) -> str:
    return f"the user stopped everything: {file} exists; only the user removes it (`echopath panic --clear`)"


def _key(window: Window | None) -> str:
    return str(window.id) if window else ""


def _search(rules: Sequence[TextRule], window: Window | None, text: str) -> None:
    """The user's own patterns, each in a process that can be ended.

    Raises:
        UnsafeAction: one matches, or cannot be searched for in time.
    """
    from memory_store.evaluators.outcome import CouldNotRun
    from memory_store.evaluators.pattern import search

    for rule in rules:
        try:
            hit = search(rule.pattern, text, "texts_refused", ignore_case=False, seconds=_SEARCH_S)
        except CouldNotRun as exc:
            raise refused_text(rule, window, unchecked_after_s=_SEARCH_S) from exc
        if hit is not None:
            raise refused_text(rule, window)
