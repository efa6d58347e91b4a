"""Somebody's word: a person's, or, weaker, the host's own."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from memory_store.evaluators.outcome import CouldNotRun, Finding, clip, found
from memory_store.evaluators.scene import Answer, Scene, Spec
from memory_store.evaluators.template import TextTemplate
from memory_store.models import Attestation

Sentence = Annotated[TextTemplate, Field(min_length=1, max_length=1_000)]


class HumanConfirms(Spec):
    """A person answered this question with yes."""

    kind: Literal["human"] = "human"
    attestation: ClassVar[Attestation] = Attestation.HUMAN
    question: Sentence

    def run(self, scene: Scene) -> Finding:
        """What the person said."""
        return _heard(scene.human, scene.values.text(self.question, "question"), "question", "a person")


class HostAttests(Spec):
    """The host says so itself: weaker, and promotes only where the settings allow it."""

    kind: Literal["host_attested"] = "host_attested"
    attestation: ClassVar[Attestation] = Attestation.HOST
    claim: Sentence

    def run(self, scene: Scene) -> Finding:
        """What the host claims."""
        return _heard(scene.host, scene.values.text(self.claim, "claim"), "claim", "the host")


def _heard(answer: Answer | None, asked: str, where: str, who: str) -> Finding:
    if answer is None:
        raise CouldNotRun(
            where, f"{who} has not answered yet", f"ask {who}: {clip(asked)}", asked=clip(asked)
        )
    says = f"{answer.by or who} said {'yes' if answer.confirmed else 'no'}"
    return found(answer.confirmed, says, asked=clip(asked), by=answer.by, words=clip(answer.words))
