"""What a host does about a refused step: see it, and say where its target is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from actionlens.actions import Click
from actionlens.errors import StaleFrame
from ibtr.errors import MissingTarget
from ibtr.geometry import Point, xy_to_px
from memory_store.quarantine import Ending
from server.errors import NothingToRepair, NotInFront
from server.fallback import MAX_REPAIRS, Tier, tier_of
from server.operator import Operator
from server.replay.judging import as_kept
from server.replay.session import Session
from server.replay.telling import report_of
from server.replay.unlit import Pointed, same_around
from server.replay.window_place import outside
from server.report import Report

if TYPE_CHECKING:
    from actionlens.controller import Frame
    from actionlens.pictures import Picture
    from server.replay.engine import Replays
    from server.replay.hand import AsSeen
    from server.replay.steps import Stepper

_SHOWN = 8  # screens of one replay in which the host may still point at something


@dataclass(frozen=True, slots=True)
class Located:
    """Where the host says a target is, in controller units, and how sure it is."""

    points_xy: tuple[Point, ...]
    confidence: float = 1.0
    reason: str = ""


@dataclass(slots=True)
class _Book:
    """What mending keeps for one replay."""

    shown: dict[str, tuple[int, Frame]] = field(default_factory=dict[str, "tuple[int, Frame]"])
    """Each with the step that it was shown for."""


class Mender:
    """Repairs the refused steps of one server's replays."""

    def __init__(self, replays: Replays, operator: Operator) -> None:
        self._replays, self._operator = replays, operator
        self._books: dict[str, _Book] = {}

    def session(self, replay_id: str) -> Session:
        """The replay that is to be mended.

        Raises:
            ReplayNotFound: this server knows no such replay.
            NothingToRepair: it runs, or it ended well.
        """
        session = self._replays.session(replay_id)
        if session.ending in (Ending.RUNNING, Ending.VERIFIED, Ending.DONE_UNVERIFIED):
            raise NothingToRepair(f"replay {replay_id} is {session.ending.value}: nothing is to be repaired")
        return session

    def tier(self, session: Session) -> Tier | None:
        """How much of the memory still holds at the refused step; None where no step was refused."""
        return tier_of(session.cause, session.repairs.get(session.position, 0)) if session.cause else None

    async def look(self, session: Session) -> tuple[Frame, Picture]:
        """The screen of now, and the picture in which the host may point at something."""
        seen = await self._operator.look(f"fallback of {session.replay_id}", hide=session.masks)
        frame = as_kept(session, seen)
        picture = self._operator.pictures().show(frame)
        book = self._books.setdefault(session.replay_id, _Book())
        book.shown[picture.frame_id] = session.position, frame
        while len(book.shown) > _SHOWN:
            del book.shown[next(iter(book.shown))]
        return frame, picture

    async def repair(self, session: Session, frame_id: str, located: Located) -> Report:
        """Do the refused pointer step where the host found its target, then go on with the replay.

        Raises:
            NothingToRepair: this step is not one that can be repaired so, or was tried too often.
            StaleFrame: the screen has changed there since the host looked.
            DesktopBusy, OwnRecording: somebody drives, or the host records.
            NotInFront: the place is in a window behind, the recorded target was in the one in front.
        """
        index = self.expect_repairable(session)
        await self._replays.expect_free()
        wanted = len(session.bound.actions[index].points())
        if wanted != len(located.points_xy):
            raise NothingToRepair(
                f"step {index + 1} ({session.bound.actions[index].action}) aims at {wanted} places, "
                f"{len(located.points_xy)} were given"
                + ("" if wanted else "; click what has to be in front with role repair_action")
            )
        frame = await self._expect_unchanged(session, frame_id, located.points_xy)
        await self._expect_in_front(session, index, frame, located.points_xy)
        shown = self._books[session.replay_id].shown.values()
        pointed = Pointed(index, located.points_xy, tuple(seen for step, seen in shown if step == index))
        as_seen = _as_seen(session, frame, located.points_xy)
        self._count(session)

        async def first(stepper: Stepper) -> None:
            await stepper.do_at(pointed, located.reason, located.confidence, as_seen)

        return await self._replays.go_on(session, first)

    async def clear_the_way(self, session: Session, frame_id: str, located: Located) -> Report:
        """Click something away that hides the target (a dialog, a tip), then try the same step again."""
        self.expect_repairable(session)
        await self._replays.expect_free()
        frame = await self._expect_unchanged(session, frame_id, located.points_xy[:1])
        as_seen = _as_seen(session, frame, located.points_xy[:1])
        self._count(session)

        async def first(stepper: Stepper) -> None:
            at = located.points_xy[0]
            click = Click(x=round(at.x), y=round(at.y))
            why = f"repair_action: {located.reason}"
            await stepper.do_beside(click, why, as_seen, confidence=located.confidence)

        return await self._replays.go_on(session, first)

    def give_up_repair(self, session: Session) -> Report:
        """The host does not see the target either: the next tier is planning."""
        session.repairs[session.position] = MAX_REPAIRS
        return report_of(session)

    def expect_repairable(self, session: Session) -> int:
        """Index of the step that may be repaired now.

        Raises:
            NothingToRepair: the cause is another, or it was tried too often.
        """
        if self.tier(session) is not Tier.REPAIR:
            tries = session.repairs.get(session.position, 0)
            raise NothingToRepair(
                f"step {session.position + 1} cannot be repaired (cause {session.cause}, {tries} of "
                f"{MAX_REPAIRS} tries used); use plan_step"
            )
        return session.position

    @staticmethod
    def _count(session: Session) -> None:
        session.repairs[session.position] = session.repairs.get(session.position, 0) + 1

    def expect_shown(self, session: Session, frame_id: str) -> Frame:
        """Places are named in a picture of the refusal, no other: the screen that it showed.

        Raises:
            StaleFrame: it is another one, or from before this server began.
        """
        book = self._books.get(session.replay_id)
        shown = book.shown.get(frame_id) if book else None
        if shown is None:
            raise StaleFrame(
                f"frame_id {frame_id!r} is not from rejection_detail of this replay: call rejection_detail "
                "and name the place in its picture"
            )
        return shown[1]

    async def _expect_unchanged(self, session: Session, frame_id: str, points: tuple[Point, ...]) -> Frame:
        """What the host pointed at must still be there when we click."""
        shown = self.expect_shown(session, frame_id)
        now = as_kept(session, await (await self._operator.lens()).glance())
        for point in points:
            if not same_around(as_kept(session, shown), now, xy_to_px(point, now.scale, now.origin)):
                raise StaleFrame("the screen has changed there since you looked: call rejection_detail again")
        return now

    async def _expect_in_front(
        self, session: Session, index: int, frame: Frame, points_xy: tuple[Point, ...]
    ) -> None:
        """A place outside of the window in front may be a menu of it, but not another window."""
        before, targets = session.memory.steps[index].evidence.before, session.targets.get(index, ())
        desktop = (await self._operator.lens()).desktop
        for field_, target, point in zip(("x, y", "to_x, to_y"), targets, points_xy, strict=False):
            if frame.window is None or not outside(before, target, frame, point):
                continue
            there = await desktop.under(point)
            if there is not None and there.managed and there.id != frame.window.id:
                name = next((one.title for one in frame.windows if one.id == there.id), there.application)
                raise NotInFront(field_, name, frame.window.title)


def _as_seen(session: Session, shown: Frame, points: tuple[Point, ...]) -> AsSeen:
    """Asked once more when the replay has the desktop: other replays and preconditions may come between."""

    def check(frame: Frame) -> None:
        now = as_kept(session, frame)
        for point in points:
            if not same_around(shown, now, xy_to_px(point, now.scale, now.origin)):
                raise MissingTarget("the screen has changed where the host pointed", point=[*point])

    return check
