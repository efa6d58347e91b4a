"""The evidence of every selected step: masked crops of its targets, what was in front, how weak it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from actionlens.actions import POINTER_ACTIONS, Click
from actionlens.frames import Pixels
from actionlens.observation import Observation
from actionlens.run_reader import Run, Step
from ibtr.cells import Cell, cell_at
from ibtr.crops import CONTEXT, remember
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point
from ibtr.pixels import to_gray
from ibtr.widget import single
from memory_store.consolidation.again import clicked, found_again
from memory_store.consolidation.covers import covered, uncovered
from memory_store.consolidation.done import as_left
from memory_store.consolidation.filling import is_filled, was_filled
from memory_store.consolidation.left import Left
from memory_store.consolidation.panels import closes, panel_of
from memory_store.consolidation.regions import region_anchors
from memory_store.consolidation.rehearsal import Rehearsal
from memory_store.consolidation.seen import beside, front_id, on_screen, outside, px, surroundings, under_hint
from memory_store.consolidation.state import ticked
from memory_store.consolidation.trace import Frames, Trace, TracedStep
from memory_store.consolidation.typed_inputs import TypedInputs
from memory_store.consolidation.vary import differences, unsteady
from memory_store.crops import keep_evidence
from memory_store.echo import Echo
from memory_store.models import Anchor, BlobRef, NotAgain, StepEvidence, Surroundings, TargetEnd
from memory_store.writing import Keeper

_SHOWS_INPUT = 0.2
"""Share of a target that may show an input's text before it is worth a warning."""
_SAME_POINT = 4
_RIM = 4
"""Pixels along the rim of a menu that are compared together with what lies behind it."""
_HIDDEN = 0.9
"""Share of a target from which it counts as hidden whole."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was kept for one step, and what somebody should know about it."""

    evidence: StepEvidence
    warnings: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    """Why no memory with this step may run: it would click elsewhere."""
    not_again: tuple[NotAgain, ...] = ()
    shows: tuple[str, ...] = ()
    """Inputs whose text stands in its target."""


class Gatherer:
    """Cuts the evidence of a run's selected steps; `names` tells which of them type which input.

    `bare` are screens before the pointer came to a target that it lay on by the time of the click.
    """

    def __init__(
        self,
        run: Run,
        trace: Trace,
        steps: Sequence[TracedStep],
        *,
        names: Mapping[int, str],
        frames: Frames,
        keep: Keeper,
        bare: Mapping[int, Observation] = MappingProxyType({}),
    ) -> None:
        self._recorded = {int(step.id): step for step in run.steps}
        self._steps, self._frames, self._keep = steps, frames, keep
        self._inputs = TypedInputs(self._recorded, steps, names, frames)
        self._trace, self._bare = trace, bare
        self._targets = [point for step in steps for point in step.points_px]
        self._rehearsal = self._rehearse()

    def gather(self, at: int, *, with_frames: bool) -> Gathered:
        """The evidence of the step at index `at`.

        Raises:
            RunUnreadable: a frame is missing or altered.
        """
        step = self._steps[at]
        points = step.points_px if step.action.action in POINTER_ACTIONS else ()
        aims = [self._aim(at, point) for point in points]
        shares = {name: part for aim in aims for name, part in _shares(*aim).items()}
        warnings = [
            f"its target shows the input {name} ({part:.0%} of it): found by the rest, or refused"
            for name, part in shares.items()
        ]
        if echo := self._inputs.echo(at) if len(aims) == 1 else None:
            warnings = [f"its target reads the input {echo.input}: it is found by what a replay types"]
        screens = [self._screen(at, point) for point in step.points_px] if not echo else []
        found = [found_again(evidence, seen) for (evidence, _), seen in zip(aims, screens, strict=False)]
        weak = [again.weak for again in found if again.weak]
        targets = [self._looks(at, evidence) for evidence, _ in aims] if not echo else [aims[0][0]]
        kept = self._kept(at, targets, echo, weak="; ".join(weak), with_frames=with_frames)
        again = tuple(self._not_again(at, targets, echo))
        once = [f"may work only once ({no.cause.value}): {no.why}; {no.do}" for no in again]
        said = [f"step {step.id}: {text}" for text in [*weak, *warnings, *self._inputs.named_in(step), *once]]
        strays = [
            f"step {step.id}: {again.weak}: a replay would click there" for again in found if again.strays
        ]
        return Gathered(kept, tuple(said), tuple(strays), again, tuple(shares))

    def _kept(
        self, at: int, targets: list[Evidence], echo: Echo | None, *, weak: str, with_frames: bool
    ) -> StepEvidence:
        """What is stored of a step: its anchors, the screens around it, and the audit frames if wanted."""
        step, recorded = self._steps[at], self._recorded[self._steps[at].id]
        anchors = [
            anchor
            for evidence, end in zip(targets, TargetEnd, strict=False)
            for anchor in keep_evidence(evidence, self._keep, at=end)
        ]
        points = [*step.points_px, None, None]
        return StepEvidence(
            anchors=(*anchors, *([echo.anchor()] if echo else [])),
            before=surroundings(recorded.before),
            after=surroundings(recorded.after) if recorded.after else Surroundings(),
            changed=bool(step.during),
            closes=len(targets) == 1 and closes(recorded, targets[0].crop.panel, self._frames),
            point_px=points[0],
            end_px=points[1],
            box_px=on_screen(targets[0].crop) if targets else None,
            frames=self._audit_frames(at) if with_frames else {},
            weak=weak,
        )

    def region(self, step: Step, frame: str, box: Box) -> tuple[Anchor, ...]:
        """A piece of a recorded frame as anchors."""
        seen = step.after if frame == "after" and step.after else step.before
        return region_anchors(self._frames[seen], seen.hidden, box, self._keep)

    def recorded(self, step_id: int) -> Step:
        """A step as it was recorded."""
        return self._recorded[step_id]

    def _aim(self, at: int, point: Point) -> tuple[Evidence, list[tuple[str, Box]]]:
        """Evidence of one target, and which input shows where around it.

        What the run leaves behind around it varies, if the target can be told without that.
        """
        plain = self._cut(at, point)
        if (rehearsal := self._rehearsal) is None:
            return plain
        seen, screen = self._seen(at, point), self._screen(at, point)
        varies = rehearsal.varies(at, seen, screen, plain[0])
        lasting = self._cut(at, point, varies) if varies else plain
        evidence, shown = lasting if varies and rehearsal.better(at, screen, plain[0], lasting[0]) else plain
        other = rehearsal.other_look(at, seen, screen, evidence)
        return evidence if other is None else replace(evidence, anchors=(evidence.crop, other.crop)), shown

    def _rehearse(self) -> Rehearsal | None:
        """The next run, as far as the last screen tells."""
        first, last = self._recorded[self._steps[0].id].before, self._recorded[self._steps[-1].id].after
        if last is None:
            return None
        end, start = (uncovered(self._frames[seen], seen.hidden) for seen in (last, first))
        pointer = self._targets[-1] if self._targets else None
        return Rehearsal(Left(last, end, start, pointer), self._steps, self._inputs.texts)

    def _not_again(self, at: int, targets: Sequence[Evidence], echo: Echo | None) -> Iterator[NotAgain]:
        """Why a step will not work a second time in the same window."""
        if (rehearsal := self._rehearsal) is None:
            return
        for point, evidence in zip(self._steps[at].points_px, targets, strict=False):
            no = rehearsal.target(at, self._seen(at, point), self._screen(at, point), evidence)
            if no is not None and echo is None:
                yield no
        recorded = self._recorded[self._steps[at].id]
        if (no := rehearsal.text(at, self._frames[recorded.before], self._inputs.focus(at))) is not None:
            yield no

    def _cut(
        self, at: int, point: Point, left: Sequence[Box] = (), *, on: Observation | None = None
    ) -> tuple[Evidence, list[tuple[str, Box]]]:
        """Evidence of one target, and which input shows where around it; without what is `left` behind."""
        step, seen = self._steps[at], on or self._seen(at, point)
        screen = uncovered(self._frames[seen], seen.hidden)
        before, later = (
            [
                (text.name, box)
                for index, text in self._inputs.texts.items()
                if (index > at) is still_to_come
                for box in text.shown_in(screen, step.application, point)
            ]
            for still_to_come in (False, True)
        )
        vary = [*unsteady(self._trace, step, screen, self._targets), *self._behind(step, point)]
        vary += [*left, *covered(screen, seen.hidden)]
        under = self._under_menu(step, point)
        for other in self._steps:
            if other.id != step.id and _same_target(step, other, point):
                vary += differences(screen, self._frames[self._recorded[other.id].before], point)
        read = [box for text in self._inputs.texts.values() for box in text.read_in(screen, point)]
        hidden = [*vary, *(box for _, box in [*before, *later])]
        content, state = is_filled([one.action for one in self._steps], at), self._state(at, point)
        panel = self._panel(at, point, screen)
        cell = _filled_cell(screen, point, [box for _, box in later]) if content else None
        known = partial(remember, screen, point, inputs=read, content=content, state=state, panel=panel)
        evidence = known(vary=[*hidden, *under], cell=cell)
        if under and evidence.crop.twin:  # without what lies behind, the items of a menu may be alike
            evidence = known(vary=hidden, cell=cell)
        if cell or _hidden(on_screen(evidence.crop), [box for _, box in later]) < _HIDDEN:
            return evidence, [*before, *later]
        # What a field holds before it is typed into may be a hint that always stands there. Hidden whole, the
        # target could never be found; as it is, it is found where the same stands, and refused elsewhere.
        vary += [box for _, box in before]
        return known(vary=vary), before

    def _state(self, at: int, point: Point) -> Box | None:
        """What a click ticks beside its target."""
        step, recorded = self._steps[at], self._recorded[self._steps[at].id]
        if recorded.after is None or not isinstance(step.action, Click) or step.image != recorded.after.image:
            return None
        return ticked(self._frames[recorded.before], self._frames[recorded.after], step.during.boxes, point)

    def _looks(self, at: int, evidence: Evidence) -> Evidence:
        """With how the click left it, and with how it looks under the pointer where it is not found so."""
        evidence, lit = self._left(at, evidence), self._recorded[self._steps[at].id].before
        if at not in self._bare or not found_again(evidence, uncovered(self._frames[lit], lit.hidden)).weak:
            return evidence
        under_pointer, _ = self._cut(at, clicked(evidence), on=lit)
        return replace(evidence, anchors=(*evidence.anchors, under_pointer.crop))

    def _left(self, at: int, evidence: Evidence) -> Evidence:
        """With how the click left it: a switch that is on already is not to be switched off."""
        steps, then = [*self._recorded.values()], self._steps[at + 1 : at + 2]
        index = steps.index(self._recorded[self._steps[at].id])
        return as_left(evidence, steps, index, then[0].action if then else None, self._frames)

    def _screen(self, at: int, point: Point) -> Pixels:
        seen = self._seen(at, point)
        return uncovered(self._frames[seen], seen.hidden)

    def _seen(self, at: int, point: Point) -> Observation:
        """The screen that a target was seen on; under a tooltip, the last one on which it was not."""
        step = self._steps[at]
        now = self._bare.get(at) or self._recorded[step.id].before
        if (last := self._recorded.get(step.id - 1)) and under_hint(now, point):
            for seen in (last.after, last.before):
                if seen and front_id(seen) == front_id(now) and not under_hint(seen, point):
                    return seen
        return now

    def _panel(self, at: int, point: Point, screen: Pixels) -> Box | None:
        """The dialog that a target stands in."""
        last = self._recorded.get(self._steps[at].id - 1)
        if was_filled([one.action for one in self._steps], at):
            return None  # a form: what it says is what was typed
        return panel_of(self._seen(at, point), screen, point, self._frames[last.before] if last else None)

    def _behind(self, step: TracedStep, point: Point) -> list[Box]:
        """What lies around the active window where other windows do: behind a dialog anything may stand."""
        seen = self._recorded[step.id].before
        front = seen.window
        if front is None or not px(front.box, seen).contains(point):
            return []
        others = [px(other.box, seen) for other in seen.windows if other.id != front.id]
        return [part for other in others for part in outside(other, px(front.box, seen))]

    def _under_menu(self, step: TracedStep, point: Point) -> list[Box]:
        """What lies behind the menu that a target stands in, as far as it is compared with its item.

        The words of the menu bar and the like further away tell where it is when all is drawn anew.
        """
        seen = self._recorded[step.id].before
        popups = [px(popup.box, seen) for popup in seen.popups]
        if not any(popup.contains(point) for popup in popups):
            return []
        near = single(to_gray(self._frames[seen]), point).grow(CONTEXT).clip(seen.image)
        return beside(near, [popup.grow(-_RIM) for popup in popups])

    def _audit_frames(self, at: int) -> dict[str, BlobRef]:
        recorded = self._recorded[self._steps[at].id]
        frames = {"before": self._keep.keep_frame(self._frames[self._bare.get(at) or recorded.before])}
        if recorded.after is not None:
            frames["after"] = self._keep.keep_frame(self._frames[recorded.after])
        return frames


def _filled_cell(screen: Pixels, point: Point, texts: Sequence[Box]) -> Cell | None:
    """The cell of a grid that texts are written into: its row and its column name it, whatever it holds."""
    cell = cell_at(to_gray(screen), point)
    return cell if cell and any(box.intersect(cell.inside).area for box in texts) else None


def _shares(evidence: Evidence, shown: list[tuple[str, Box]]) -> dict[str, float]:
    """How much of a target shows which input, where that is worth a warning."""
    core, share = on_screen(evidence.crop), dict[str, float]()
    for name, box in shown:
        share[name] = share.get(name, 0.0) + box.intersect(core).area / max(1, core.area)
    return {name: min(1.0, part) for name, part in share.items() if part >= _SHOWS_INPUT}


def _hidden(core: Box, boxes: Sequence[Box]) -> float:
    """Share of a target that the boxes cover, at most."""
    return sum(box.intersect(core).area for box in boxes) / max(1, core.area)


def _same_target(step: TracedStep, other: TracedStep, point: Point) -> bool:
    same = (step.application, step.title, step.image) == (other.application, other.title, other.image)
    return same and any(
        max(abs(point.x - one.x), abs(point.y - one.y)) <= _SAME_POINT for one in other.points_px
    )
