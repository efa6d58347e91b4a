"""A small library with real crops and frames, drawn from seeds: three applications, six memories."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from actionlens.frames import Pixels
from ibtr import remember
from ibtr.geometry import Box, Size
from memory_store.crops import keep_evidence
from memory_store.models import (
    FlexibleInput,
    Keys,
    Memory,
    Place,
    Step,
    StepAction,
    StepEvidence,
    Surroundings,
)
from memory_store.repository import Repository
from memory_store.transfer import new_memory_id
from memory_store.writing import Keeper
from server.diagnostics.drawn import desktop
from tests.memory_store.making import AT, make_memory, verdict

SIZE = Size(760, 520)
TASKS = {
    "note_phone": ("Notes", "Note the phone number of a client"),
    "write_letter": ("Notes", "Write a letter to the landlord"),
    "book_invoice": ("Ledger", "Book an invoice of a supplier"),
    "close_month": ("Ledger", "Close the month in the books"),
    "rename_scan": ("Files", "Give a scanned file another name"),
    "make_folder": ("Files", "Make a folder for a new project"),
}


@dataclass(frozen=True)
class Drawn:
    """A window on a screen, and a button in it."""

    screen: Pixels
    button: Box

    @classmethod
    def of(cls, seed: int) -> "Drawn":
        return cls(*desktop(SIZE, np.random.default_rng(seed), windows=1))


def surroundings(application: str, title: str = "") -> Surroundings:
    return Surroundings(
        application=application,
        window_title=title or f"{application} - 1",
        screen_xy=SIZE,
        image_px=SIZE,
        window_xy=(0, 0, *SIZE),
    )


def click(drawn: Drawn, application: str, keeper: Keeper, *, frames: bool = True) -> Step:
    point = drawn.button.center
    before = surroundings(application)
    evidence = StepEvidence(
        anchors=keep_evidence(remember(drawn.screen, point), keeper),
        before=before,
        after=before,
        changed=True,
        point_px=(point.x, point.y),
        box_px=drawn.button,
        frames={"before": keeper.keep_frame(drawn.screen)} if frames else {},
    )
    action = StepAction.model_validate({"action": "click", "x": round(point.x), "y": round(point.y)})
    return Step(action=action, target="a button", evidence=evidence)


def typed(drawn: Drawn, application: str, keeper: Keeper, text: str, *, frames: bool = True) -> Step:
    evidence = StepEvidence(
        before=surroundings(application),
        frames={"before": keeper.keep_frame(drawn.screen)} if frames else {},
    )
    return Step(action=StepAction.model_validate({"action": "type", "text": text}), evidence=evidence)


def add(
    store: Repository,
    name: str,
    steps: tuple[Step, ...],
    *,
    application: str,
    intent: str,
    inputs: bool = True,
) -> Memory:
    at = next(index for index, step in enumerate(steps) if step.action.action == "type")
    text = str(steps[at].action.parameters["text"])
    declared = (FlexibleInput(name="text", places=(Place(action_index=at),), default=text),)
    memory = make_memory(name, with_verdict=verdict()).model_copy(
        update={
            "id": new_memory_id(),
            "keys": Keys(task_intent=intent, query_phrases=()),
            "applications": (application,),
            "preconditions": (),
            "steps": steps,
            "inputs": declared if inputs else (),
        }
    )
    return store.promote(store.add(memory, at=AT).id, at=AT)


def make_library(home: Path, *, frames: bool = True, inputs: bool = True, most: int = 6) -> Path:
    """Click, type, click; the last two of each application begin with keys."""
    with Repository(home) as store:
        for seed, (name, (application, intent)) in enumerate([*TASKS.items()][:most]):
            with store.writing() as keeper:
                drawn, next_one = Drawn.of(seed), Drawn.of(100 + seed)
                steps = [
                    click(drawn, application, keeper, frames=frames),
                    typed(drawn, application, keeper, f"value {seed}", frames=frames),
                    click(next_one, application, keeper, frames=frames),
                ]
                steps += [typed(next_one, application, keeper, "x", frames=frames)] * (seed % 3)
                add(store, name, tuple(steps), application=application, intent=intent, inputs=inputs)
    return home
