"""Asked before every input event. Light: the policy and what it needs are loaded with the first question."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from actionlens.actions import Action
    from actionlens.controller import Controller, Frame
    from actionlens.observation import Window
    from ibtr.geometry import Box, Point
    from server.policy import Policy
    from server.watch import Watch


class Guard:
    """One server's watch over what it does to the desktop.

    Every refusal is an UnsafeAction before the input event, with `rule` and the numbers in its evidence.
    """

    def __init__(self, config: Path, home: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._config, self._home, self._clock = config, home, clock
        self._loaded: Watch | None = None

    async def policy(self) -> Policy:
        """The policy as it is now.

        Raises:
            UnsafeAction: the file cannot be used.
        """
        return await self._watch.policy()

    async def check(
        self, action: Action, window: Window | None, pointer: Point | None = None, screen: Box | None = None
    ) -> None:
        """Ask before an act, in the window that it would reach.

        Raises:
            UnsafeAction: the policy or the user's stop forbids it.
        """
        await self._watch.check(action, window, pointer, screen)

    async def check_frame(self, action: Action, frame: Frame, eye: Controller) -> None:
        """Ask before an act, on the screen as it is seen: the desktop tells which windows it would reach.

        Raises:
            UnsafeAction: the policy or the user's stop forbids it.
        """
        await self._watch.check_frame(action, frame, eye)

    async def check_launch(self, argv: Sequence[str]) -> None:
        """Ask before a program is started.

        Raises:
            UnsafeAction: it may not be.
        """
        await self._watch.check_launch(argv)

    async def said(self) -> str | None:
        """The user's stop in words, asked while an action is under way; None: there is none."""
        return await self._watch.said()

    async def heeds_corner(self) -> bool:
        """Whether the pointer in a corner means stop; where the policy cannot be read, it does."""
        from ibtr.errors import UnsafeAction

        try:
            return (await self.policy()).panic_corner
        except UnsafeAction:
            return True

    @property
    def _watch(self) -> Watch:
        if self._loaded is None:
            from server.watch import Watch

            self._loaded = Watch(self._config, self._home, clock=self._clock)
        return self._loaded
