"""The inputs of a run as the screen shows them: what was typed where, and which targets read or name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from actionlens.run_reader import Step
from ibtr.geometry import Point
from memory_store.consolidation.inputs import stays_in_field, typed
from memory_store.consolidation.screens import change
from memory_store.consolidation.trace import Frames, TracedStep
from memory_store.consolidation.vary import TypedText, text_box, with_first_letters
from memory_store.echo import Echo, Letters, learn, letters_of


class TypedInputs:
    """The texts that a run's selected steps type; `names` tells which of them type which input."""

    def __init__(
        self,
        recorded: Mapping[int, Step],
        steps: Sequence[TracedStep],
        names: Mapping[int, str],
        frames: Frames,
    ) -> None:
        self._recorded, self._steps, self._names, self._frames = recorded, steps, names, frames
        self.texts = {at: text for at in names if (text := self._typed_text(at)) is not None}

    def echo(self, at: int) -> Echo | None:
        """The input that a target reads, if it reads one that was typed before."""
        step = self._steps[at]
        screen = self._frames[self._recorded[step.id].before]
        for index, text in self.texts.items():
            letters = self._letters(index, text.value) if index < at else None
            found = learn(letters, screen, step.points_px[0], text.name, index) if letters else None
            if found is not None:
                return found
        return None

    def focus(self, at: int) -> Point | None:
        """Where the field of a text was clicked, if no key may have moved the focus since."""
        for step in reversed(self._steps[:at]):
            if step.points_px:
                return step.points_px[-1]
            if not (stays_in_field(step.action) or typed(step)):
                return None
        return None

    def named_in(self, step: TracedStep) -> list[str]:
        """Warnings of a target whose description has the value of an input in it."""
        if not step.points_px:
            return []
        values = {self._names[at]: typed(self._steps[at]) for at in self._names}
        return [
            f"its target is described by the value of the input {name}: another value may be another target"
            for name, source in values.items()
            if source
            and source[0] == "text"
            and len(source[1]) > 1
            and source[1].casefold() in step.target.casefold()
        ]

    def _typed_text(self, at: int) -> TypedText | None:
        step, recorded = self._steps[at], self._recorded[self._steps[at].id]
        source = typed(step)
        if source is None or recorded.after is None:
            return None
        frame = self._frames[recorded.after]
        box = text_box(step.during.boxes, self.focus(at), source[1])
        if box is None and at + 1 < len(self._steps):  # painted only after the screen seemed to be still
            frame = self._frames[self._recorded[self._steps[at + 1].id].before]
            late = change(self._frames[recorded.before], frame)
            box = text_box(late.boxes, self.focus(at), source[1])
        if box is None:
            return None
        value = source[1] if source[0] == "text" else ""
        whole = with_first_letters(self._frames[recorded.before], frame, box)
        return TypedText(self._names[at], value, whole, frame, step.application)

    def _letters(self, at: int, value: str) -> Letters | None:
        """The letters of a typed text, whole: not without what a caret has blinked over."""
        recorded = self._recorded[self._steps[at].id]
        if recorded.after is None:
            return None
        frames = self._frames[recorded.before], self._frames[recorded.after]
        return letters_of(*frames, self.focus(at), value)
