"""A recorded run for tests of consolidation, and what is made of it."""

from pathlib import Path

import cv2
import numpy as np

from actionlens.actions import Click, Hotkey, Press, Type, Wait
from actionlens.frames import Pixels
from actionlens.run_reader import Run
from ibtr import Evidence
from ibtr.geometry import Box
from memory_store.blobs import Blobs
from memory_store.consolidate import Consolidated, consolidate
from memory_store.crops import load_evidence
from memory_store.models import (
    Anchor,
    BlobId,
    MemoryId,
)
from memory_store.writing import Keeper
from tests.memory_store.recording import AT, Paint, Recording, all_of, box, wipe, words

MEMORY = MemoryId("m_0123456789abcdef")
CHOSEN: dict[str, object] = {
    "selected_step_ids": [1, 2, 3, 4, 5, 6, 7, 9],
    "dropped": [{"step_id": 8, "reason": "only waits"}],
    "roles": {1: "startup"},
    "flexible_inputs": [
        {"action_index": 1, "name": "client", "kind": "search_term", "description": "Whose phone"},
        {"action_index": 6, "name": "phone"},
    ],
    "task_intent": "Update the phone of a client",
    "query_phrases": ["change a client's phone number"],
    "preconditions": [
        "the client list is open",
        {"kind": "region", "step_id": 1, "box_px": [20, 20, 70, 24]},
    ],
    "expected_effects": [{"kind": "file", "path": "/tmp/{client}.txt"}],
    "viable": True,
    "recommendation": "promote",
    "evaluator": {"kind": "file_contains", "path": "/tmp/clients.csv", "contains": "{client},{phone}"},
}


def frame(x: int, y: int, width: int, height: int, shade: int = 90) -> Paint:
    def paint(pixels: Pixels) -> None:
        cv2.rectangle(pixels, (x, y), (x + width, y + height), (shade, shade, shade), 1)

    return paint


def button(text: str, x: int, y: int) -> Paint:
    return all_of(box(x, y, 90, 26, 205), frame(x, y, 90, 26), words(text, x + 12, y + 18))


FORM = all_of(
    words("Client", 22, 38), frame(100, 20, 200, 26), button("Search", 320, 20), words("Phone", 22, 238)
)
DETAIL = all_of(frame(100, 220, 200, 26), words("555-0100", 106, 238), button("Save", 320, 220))


def recorded_run(folder: Path) -> Run:
    """A client is looked up, and gets another phone number."""
    recording = Recording(folder / "runs", goal="Set the phone of Globex to 555-0199", application="Clients")
    FORM(recording.pixels)
    recording.do(Click(x=150, y=33), frame(100, 20, 200, 26, 20), target="the Client field")
    recording.do(Type(text="Globex"), words("Globex", 106, 38))
    recording.do(Press(key="enter"), all_of(words("Globex", 60, 120), words("Springfield", 200, 120)))
    recording.do(Click(x=80, y=115), DETAIL, target="the row Globex")
    recording.do(Click(x=150, y=233), frame(100, 220, 200, 26, 20), target="the Phone field")
    recording.do(Hotkey(keys=("ctrl", "a")), box(104, 224, 74, 18, 180))
    recording.do(Type(text="555-0199"), all_of(wipe(102, 222, 190, 22), words("555-0199", 106, 238)))
    recording.do(Wait(seconds=1))
    recording.do(Click(x=365, y=233), words("Saved", 450, 238), target="Save")
    return recording.read()


class Shelf:
    """Keeps pictures in a folder."""

    def __init__(self, folder: Path) -> None:
        self._blobs = Blobs(folder)
        self.keeper = Keeper(self._blobs)

    def blob(self, sha256: BlobId) -> bytes:
        return self._blobs.get(sha256)

    def evidence(self, anchor: Anchor) -> Evidence:
        return load_evidence([anchor], self.read)

    def read(self, blob: BlobId) -> bytes:
        return self._blobs.get(blob)


def consolidated(run: Run, shelf: Shelf, **changes: object) -> Consolidated:
    return consolidate(run, {**CHOSEN, **changes}, memory_id=MEMORY, keep=shelf.keeper, at=AT)


def hidden(evidence: Evidence, place: Box) -> float:
    """Share of a place on the screen that is marked as varying."""
    anchor = evidence.crop
    vary = anchor.vary if anchor.vary is not None else np.zeros(anchor.image.shape[:2], np.uint8)
    inner = Box(place.x - anchor.source.x, place.y - anchor.source.y, place.width, place.height).clip(
        anchor.size
    )
    return float((vary[inner.y : inner.bottom, inner.x : inner.right] > 0).mean())
