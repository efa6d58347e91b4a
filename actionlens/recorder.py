"""ActionLens: before, started record, act, settle, after, end record; also when it fails (paper, B.1)."""

import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import anyio
from anyio import to_thread
from pydantic import JsonValue

from actionlens.actions import Action, Observe, Type, Wait, check_on_screen, longest_s
from actionlens.book import Book, Disk
from actionlens.controller import Controller, Frame
from actionlens.errors import ActionFailed, DesktopLost, EvidenceUnwritable, Sent
from actionlens.last_look import last_look
from actionlens.lock import DesktopLock
from actionlens.looks import NO_LOOKS, Looks, Ready
from actionlens.mask import Masks
from actionlens.records import Manifest, Request, RunStatus, Settled, StepId
from actionlens.run_log import RunLog, now
from actionlens.secret_text import expect_secrets, resolve_secret
from actionlens.settle import Patience, Settling
from actionlens.step import Ended, StepUnderWay, shown
from actionlens.stop_sign import NoSign, StopSign, send_watched
from ibtr.errors import EchoPathError, Rejected

_SHIELD_S = 60.0  # the longest that cancellation may wait for a record, and for an action beside its own time
_CLOSE_S = 5.0  # the longest that closing, and giving the lock back, may take
_SECRET_QUIET_S = 0.5
_ALL_HIDDEN = "all of the screen: the program in front has not read the secret, so it may show up anywhere"


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one act."""

    step: StepId
    status: Ended
    error: str | None
    before: Frame
    after: Frame | None
    settled: Settled | None
    output: dict[str, JsonValue]
    timings_s: dict[str, float]
    failure: Exception | None = None
    """What `error` says, as it was raised."""
    sent: Sent = Sent.UNKNOWN


class ActionLens:
    """The one way to touch a desktop: nothing happens that is not in a run."""

    def __init__(
        self,
        desktop: Controller,
        runs: Path,
        *,
        agent: str,
        patience: Patience | None = None,
        secret: Callable[[str], str] = resolve_secret,
        sign: StopSign | None = None,
    ) -> None:
        self.desktop = desktop
        self._secret = secret
        self._patience, self._sign = patience or Patience(), sign or NoSign()
        self._lock = DesktopLock(desktop.place, agent, now)
        self._disk = Disk(runs)
        self._book = Book(desktop, runs, agent, self._disk)
        self._hand = anyio.Lock()  # one act at a time
        self._eye = anyio.Lock()  # nobody else looks between the first key of a secret and its mask
        self._acting: anyio.CancelScope | None = None
        self._recording = self._closing = False

    @property
    def run(self) -> RunLog | None:
        """The run that acts go to now."""
        return self._book.log

    @property
    def closing(self) -> bool:
        """Whether it was told to break off: an act that fails now was not allowed to end."""
        return self._closing

    async def start_run(self, task_goal: str, *, agent: str | None = None, **detail: JsonValue) -> RunLog:
        """Open a run and hold the desktop for it.

        Raises:
            DesktopBusy: somebody else drives.
            EvidenceUnwritable: there is no room for evidence; nothing was touched.
        """
        async with self._hand:
            await self._disk(lambda: self._lock.take(f"recording: {task_goal}"))
            try:
                await self._book.seal(RunStatus.FINISHED)
                self._recording = False
                log = await self._book.begin(task_goal, agent, detail)
                self._recording = True
            finally:
                await self._let_go()
            return log

    async def finish_run(
        self, status: RunStatus = RunStatus.FINISHED, outputs: tuple[str, ...] = (), **detail: JsonValue
    ) -> Manifest | None:
        """Seal the run and give the desktop back; nothing to do without one.

        Raises:
            EvidenceUnwritable: there is no room for the seal; the run is as it was, and still recorded.
        """
        async with self._hand:
            manifest = await self._book.seal(status, outputs, **detail)
            self._recording = False
            await self._let_go()
            return manifest

    async def glance(self) -> Frame:
        """Look; while a secret is typed, only once its step has ended: before, nobody knows what to hide."""
        async with self._eye:
            return await self.desktop.capture()

    async def observe(self, note: str | None = None, *, hide: Masks | None = None) -> Frame:
        """Look, and keep what was seen, without what is to be hidden. Needs no lock."""
        frame = await self.glance()
        log = await self._book.observed(frame, note, hide or Masks())
        return shown(log, frame)

    async def keep(self, frame: Frame) -> None:
        """Store a frame ahead of the record that will name it, while there is time; only within a run."""
        async with self._eye:
            if (log := self.run) is not None:
                await self._disk(lambda: None if log.sealed else log.keep(frame.pixels))

    async def expect_secrets(self, actions: Iterable[Action]) -> None:
        """See that every secret which these actions will type is there, before the first of them.

        Raises:
            SecretMissing: one that leads nowhere, or several.
        """
        needed = [one.text_ref for one in actions if isinstance(one, Type) and one.text_ref]
        await to_thread.run_sync(expect_secrets, needed, self._secret)

    async def act(self, request: Request, looks: Looks = NO_LOOKS) -> Done:
        """Do one action and keep the proof. What the desktop refuses comes back as `error`.

        Raises:
            DesktopBusy, OffScreen, SecretMissing, DesktopLost: before any input event, nothing recorded.
            EvidenceUnwritable: before any input event, or the end of the step could not be written.
            Rejected: one of `looks` said no; the step is recorded, nothing was pressed.
        """
        async with self._hand:
            with anyio.CancelScope() as self._acting:
                return await self._act(request, looks)
        raise DesktopLost("the desktop was closed before this action had come to its end")

    async def _act(self, request: Request, looks: Looks) -> Done:
        await self._disk(lambda: self._lock.take(request.action.action))
        try:
            secret = self._look_up(request.action)
            step = await self._begin(request, looks.before)
            async with self._eye if secret is not None else nullcontext():
                try:
                    await self._carry_out(step, secret, looks)
                finally:
                    step.hide()
        finally:
            await self._let_go()
        return Done(
            step.id,
            step.status,
            step.error_text,
            shown(step.log, step.before),
            shown(step.log, step.after) if step.after else None,
            step.settled,
            step.output,
            step.timings_s,
            step.error if isinstance(step.error, Exception) else None,
            step.sent,
        )

    def halt(self) -> None:
        """Break off the act under way, and let no other begin with its events."""
        self._closing = True
        if self._acting is not None:
            self._acting.cancel()
        self.desktop.interrupt()

    async def close(self) -> None:
        """Let go of everything: the act under way, keys, run, lock."""
        self.halt()
        with anyio.move_on_after(_CLOSE_S, shield=True):
            async with self._hand:
                with suppress(EchoPathError):
                    await self.desktop.release()
            with suppress(EvidenceUnwritable):  # what it has written is good, and reads `interrupted`
                await self.finish_run(RunStatus.CANCELLED if self._recording else RunStatus.FINISHED)
            self._recording = False
            await self._let_go()

    async def note(self, event: str, **detail: JsonValue) -> None:
        """Write a lifecycle event into the run, if there is one."""
        await self._book.happened(event, detail)

    # -- one act ---------------------------------------------------------------------------------

    async def _begin(self, request: Request, before: Frame | None) -> StepUnderWay:
        begun = time.monotonic()
        before = before or await self.desktop.capture()
        check_on_screen(request.action, before.bounds)
        step = StepUnderWay(await self._book.current(), request, before)
        step.timings_s["capture_before"] = round(time.monotonic() - begun, 6)
        return step

    async def _carry_out(self, step: StepUnderWay, secret: str | None, looks: Looks) -> None:
        try:
            with anyio.fail_after(_SHIELD_S + longest_s(step.request.action), shield=True):
                await self._disk(step.start)
                step.lap("record_started")
                into = await last_look(self.desktop, step, looks)
                if self._closing:
                    raise ActionFailed("broken off before its first input event: the desktop is closing")
                if not isinstance(step.request.action, Wait | Observe):
                    send = partial(
                        self.desktop.perform,
                        step.request.action,
                        secret=secret,
                        into=into,
                        presses=looks.presses,
                        corner=await self._sign.heeds_corner(),
                    )
                    step.sent = Sent.UNKNOWN
                    step.output = await send_watched(self.desktop, self._sign, send)
                    step.sent = Sent.ALL
                    step.lap("perform")
            if isinstance(step.request.action, Wait):
                await anyio.sleep(step.request.action.seconds)
                step.lap("wait")
            step.settled, step.after = await (
                self._settle(step.before, looks.ready) if secret is None else self._settle_secret(step)
            )
            step.lap("settle")
        except EvidenceUnwritable:
            raise
        except BaseException as exc:  # noqa: BLE001 - whatever went wrong is recorded, then goes on its way
            step.fail(exc)
        with anyio.fail_after(_SHIELD_S, shield=True):
            if step.after is None:
                step.after = await self._look_after(step, secret=secret is not None)
                step.lap("capture_after")
            await self._disk(step.end)
            step.lap("record_ended")
        if isinstance(step.error, Rejected) or not isinstance(step.error, Exception | None):
            raise step.error

    async def _settle_secret(self, step: StepUnderWay) -> tuple[Settled, Frame]:
        """What is drawn later would not be hidden: all must be read, and the screen rests for longer."""
        step.unread = not await self.desktop.caught_up()
        if step.unread:
            step.output = {**step.output, "hidden": _ALL_HIDDEN}
        quiet_s = max(self._patience.quiet_s, _SECRET_QUIET_S)
        return await self._settle(step.before, None, replace(self._patience, quiet_s=quiet_s))

    async def _settle(
        self, before: Frame, ready: Ready | None, patience: Patience | None = None
    ) -> tuple[Settled, Frame]:
        """Wait until the screen rests."""
        begun = time.monotonic()
        state = Settling(patience or self._patience, before.pixels)
        while True:
            frame = await self.desktop.capture()
            seen = time.monotonic()
            state = state.look(frame.pixels, seen - begun)
            early = ready is not None and await ready(frame, state)
            if early or state.over:
                return state.settled(early=early), frame
            await anyio.sleep(max(0.0, self._patience.poll_s - (time.monotonic() - seen)))

    async def _look_after(self, step: StepUnderWay, *, secret: bool) -> Frame | None:
        """The state after a failure or a cancellation, with held keys let go of and a secret wholly drawn."""
        with suppress(EchoPathError):
            if step.error is not None:
                await self.desktop.release()
            if secret and not self._closing:
                return (await self._settle_secret(step))[1]
            return await self.desktop.capture()
        return None

    def _look_up(self, action: Action) -> str | None:
        return self._secret(action.text_ref) if isinstance(action, Type) and action.text_ref else None

    async def _let_go(self) -> None:
        """Give the desktop back, unless a recording holds it; also when we are cancelled."""
        if not self._recording:
            with anyio.move_on_after(_CLOSE_S, shield=True):
                await self._disk(self._lock.drop)
