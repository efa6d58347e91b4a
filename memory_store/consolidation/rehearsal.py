"""The second run, tried on the screen that the first one has left: what to look past, what will not work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from actionlens.frames import Pixels
from actionlens.observation import Observation
from ibtr.crops import remember
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point
from ibtr.pixels import to_gray
from ibtr.plain import field
from memory_store.consolidation.again import clicked, found_again, refused_on, told_by_row
from memory_store.consolidation.inputs import replaces, typed
from memory_store.consolidation.left import Left, Next, Own
from memory_store.consolidation.screens import same_pixels
from memory_store.consolidation.seen import on_screen
from memory_store.consolidation.trace import TracedStep
from memory_store.consolidation.vary import TypedText, is_plain, softened, to_the_edge
from memory_store.models import NotAgain, NotAgainCause

_SAME = 0.97
"""Share of a target's pixels from which it stood on another frame already."""
_STAYS = 0.9
"""Share of a field's pixels from which it shows the same text."""
_FRAME = 2
"""Pixels by which the inside of a field may be wider or narrower with the focus."""
_LINE = 48
"""No field of one line is higher than this."""
_HELP = {
    NotAgainCause.TARGET_CHANGED: (
        "end the run with what the next one begins with (put it back, close the window), reach it by keys, "
        "or use the memory only where it looks as recorded"
    ),
    NotAgainCause.SURROUNDINGS_CHANGED: (
        "end the run with what the next one begins with (close the window or the list), or click a part of "
        "it that looks like nothing else"
    ),
    NotAgainCause.TEXT_STAYS: (
        "record it anew with a triple click into the field, or Ctrl+A before the text, so that a new value "
        "takes the place of the old one"
    ),
}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A run's last screen, and what stood on its first one."""

    left: Left
    steps: Sequence[TracedStep]
    texts: Mapping[int, TypedText]

    def varies(self, at: int, seen: Observation, screen: Pixels, evidence: Evidence) -> list[Box]:
        """What the next run finds changed around the target of a step."""
        if not self.left.same_window(seen):
            return []
        own = self._own(at, evidence)
        around = self.left.around(screen, clicked(evidence), own)
        inside = field(to_gray(screen), clicked(evidence)) if own.replaced else None
        if inside is None:
            return around
        held = [box for box in self._held(own) if box.intersect(inside).area]
        return [*held, *(box for box in around if not box.intersect(inside).area)]

    def _held(self, own: Own) -> list[Box]:
        """The texts on the last screen, each with the room that another one may take."""
        screen = self.left.pixels
        return [softened(screen, to_the_edge(screen, box)) for box in own.texts]

    def better(self, at: int, screen: Pixels, plain: Evidence, lasting: Evidence) -> bool:
        """Whether a target is still told, here and at the end, by evidence that leaves out what varies.

        What is typed over may look otherwise at the end.
        """
        own = self._own(at, plain)
        here = found_again(lasting, screen)
        if lasting.crop.twin > plain.crop.twin or here.strays or not told_by_row(lasting, screen):
            return False
        if here.weak and not found_again(plain, screen).weak:
            return False
        later = self.left.left_alone(screen, own.core, self.left.next_time(screen, own))
        return own.replaced or not refused_on(lasting, *later)

    def other_look(self, at: int, seen: Observation, screen: Pixels, evidence: Evidence) -> Evidence | None:
        """A field that is typed into, as the last screen shows it: without the focus, with a value that goes.

        Only the frame of a field at the same place can look otherwise and be the same for sure. It must be
        as empty as it was, or what it holds is typed over.
        """
        point, own = clicked(evidence), self._own(at, evidence)
        typing = len(self.steps) > at + 1 and typed(self.steps[at + 1]) is not None
        if not self.left.same_window(seen) or not (typing or own.replaced):
            return None
        one, other = (field(to_gray(frame), point) for frame in (screen, self.left.pixels))
        if one is None or other is None or max(abs(a - b) for a, b in zip(one, other, strict=True)) > _FRAME:
            return None
        if not own.replaced and not (is_plain(screen, one) and is_plain(self.left.pixels, other)):
            return None
        if not refused_on(evidence, self.left.pixels, None):
            return None  # it is known there as it is
        around = [box for box in self.left.around(screen, point, own) if not box.intersect(one).area]
        found = remember(self.left.pixels, point, vary=[*self._held(own), *around], content=True)
        usable = not found.crop.twin and not found_again(found, self.left.pixels).weak
        return found if usable else None

    def target(self, at: int, seen: Observation, screen: Pixels, evidence: Evidence) -> NotAgain | None:
        """Why the target of a step is refused the second time; it must have been there from the start."""
        core = on_screen(evidence.crop)
        if not self.left.same_window(seen) or same_pixels(self.left.start, screen, core) < _SAME:
            return None
        moved = self.left.moved(screen, core)
        later = self.left.pixels
        if moved is not None:
            later = self.left.left_alone(screen, core, Next(later, moved)).pixels
        if not (refusal := refused_on(evidence, later, moved)):
            return None
        changed = moved is None and not replaces(self.steps[at : at + 3])
        cause = NotAgainCause.TARGET_CHANGED if changed else NotAgainCause.SURROUNDINGS_CHANGED
        what = "the target" if changed else "what stands around the target"
        return self._said(at, cause, f"the run leaves {what} changed, and it is refused then ({refusal})")

    def text(self, at: int, before: Pixels, focus: Point | None) -> NotAgain | None:
        """Why a text is written behind that of the run before: its field was empty, and is not emptied."""
        text, clicks = self.texts.get(at), [index for index in range(at) if self.steps[index].points_px]
        if text is None or focus is None or not clicks or replaces(self.steps[clicks[-1] : at + 1]):
            return None
        one = field(to_gray(before), focus)
        if one is None or one.height > _LINE or not is_plain(before, text.box):
            return None
        if same_pixels(text.frame, self.left.pixels, text.box) < _STAYS:
            return None
        why = f"the field keeps the value of {text.name}, and the next one would be written behind it"
        return self._said(at, NotAgainCause.TEXT_STAYS, why)

    def _own(self, at: int, evidence: Evidence) -> Own:
        """A target, and where typed texts show around it on the last screen."""
        point = clicked(evidence)
        texts = [box for text in self.texts.values() for box in text.copies_in(self.left.pixels, point)]
        return Own(on_screen(evidence.crop), tuple(texts), replaces(self.steps[at : at + 3]))

    def _said(self, at: int, cause: NotAgainCause, why: str) -> NotAgain:
        return NotAgain(step=at + 1, cause=cause, why=why[:1_000], do=_HELP[cause])
