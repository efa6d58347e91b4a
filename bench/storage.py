"""What a memory takes on disk: crops and metadata as intercept + slope over steps; audit frames apart.

`make bench-storage [SCREENS=folder]`: the folder holds screenshots and a `targets.json`, a list of
`{id, image, size, box, click}`; without one, screens are drawn. Two of three steps aim, as in recorded work;
the figures for aiming steps alone stand beside. The paper (Results): 0.194 + 0.019 MB a step, all evidence.
"""

import argparse
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from actionlens.records import RunId
from bench.reaim.cases import Case, load, read_cases, sample
from bench.tables import keep, rows
from ibtr import reaim, remember
from ibtr.errors import Rejected
from ibtr.evidence import Evidence
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels
from memory_store.crops import keep_evidence, load_evidence
from memory_store.images import encode_png
from memory_store.models import (
    Check,
    Keys,
    Lineage,
    Memory,
    Outcome,
    ReasoningReport,
    Recommendation,
    SourceStep,
    Step,
    StepAction,
    StepEvidence,
    Surroundings,
    Verdict,
)
from memory_store.repository import Repository
from memory_store.transfer import new_memory_id
from memory_store.writing import Keeper
from server.diagnostics.drawn import desktop
from server.diagnostics.storage import GOAL, PAPER, Weighed, fit, weigh

AT = datetime(2026, 1, 1, tzinfo=UTC)
LENGTHS = (2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 24, 29)
"""Steps per memory; the paper's tasks had 2 to 29, most of them 4 to 13."""


def main() -> None:
    asked = _arguments()
    screens = _Screens(asked.screens, asked.seed)
    with tempfile.TemporaryDirectory() as folder, Repository(Path(folder) / "home") as repository:
        mixed = [_weigh(repository, screens, steps, every=3) for steps in LENGTHS for _ in range(asked.each)]
        aimed = [_weigh(repository, screens, steps, every=0) for steps in LENGTHS for _ in range(asked.each)]
        report = {
            "screens": screens.name,
            "memories": len(mixed),
            "mixed (2 of 3 steps aim)": _fit(mixed),
            "only aiming steps": _fit(aimed),
            "goal_mb": {"intercept": GOAL[0], "slope": GOAL[1]},
            "paper_mb": {"intercept": PAPER[0], "slope": PAPER[1]},
            "crop_kb_per_aim": round(sum(w.crops for w in mixed) / sum(w.aiming for w in mixed) / 1e3, 2),
            "same_crop_as_one_png_kb": round(screens.png_kb(), 2),
            "audit_frame_kb_each": round(float(np.mean([w.frames for w in mixed])) / 1e3, 1),
            "stored_against_fresh": _decisions(repository, screens, asked.aims),
            "database_kb_per_step": round(
                _database(repository) / sum(w.steps for w in [*mixed, *aimed]) / 1e3, 2
            ),
        }
    print(json.dumps(report, indent=1))
    source = "labelled screens" if asked.screens else "drawn screens"
    keep(
        "storage",
        rows({name: value for name, value in report.items() if name != "screens"}),
        conditions=source,
    )


class _Screens:
    """Targets on screenshots, one after the other, each a different one."""

    def __init__(self, folder: Path | None, seed: int) -> None:
        self.name = str(folder.name) if folder else "drawn"
        cases = list(sample(read_cases(folder / "targets.json", folder), 0, seed)) if folder else []
        self._turn = self._read(cases) if cases else self._drawn(seed)
        self._png: list[int] = []

    def next(self) -> tuple[Pixels, Point, Box]:
        screen, point, box = next(self._turn)
        if len(self._png) < 40:
            self._png.append(len(encode_png(remember(screen, point).crop.image)))
        return screen, point, box

    def png_kb(self) -> float:
        return float(np.mean(self._png)) / 1e3

    @staticmethod
    def _read(cases: list[Case]) -> Iterator[tuple[Pixels, Point, Box]]:
        while True:
            for case in cases:
                yield load(case.image), case.click, case.box

    @staticmethod
    def _drawn(seed: int) -> Iterator[tuple[Pixels, Point, Box]]:
        rng = np.random.default_rng(seed)
        while True:
            screen, box = desktop(Size(1920, 1080), rng)
            yield screen, box.center, box


def _weigh(repository: Repository, screens: _Screens, count: int, *, every: int) -> Weighed:
    aims = [not every or index % every != every - 1 for index in range(count)]
    with repository.writing() as keeper:
        steps = tuple(_step(index, keeper, screens, aims=aim) for index, aim in enumerate(aims))
        memory = repository.add(_memory(steps), at=AT + timedelta(seconds=len(repository.memories())))
    before, after = Check(outcome=Outcome.FAILED, at=AT), Check(outcome=Outcome.PASSED, at=AT)
    verdict = Verdict(evaluator="file_contains", before=before, after=after)
    repository.promote(memory.id, verdict, at=AT)
    return weigh(repository, memory)


def _step(index: int, keeper: Keeper, screens: _Screens, *, aims: bool) -> Step:
    source = SourceStep(run_id=RunId("run-2026-01-01-000000"), step_id=index)
    here = Surroundings(
        application="libreoffice-calc",
        window_title="clients.ods - LibreOffice Calc",
        screen_xy=(1920, 1080),
        image_px=(1920, 1080),
        window_xy=(70, 27, 1850, 1053),
    )
    if not aims:
        action = StepAction.model_validate({"action": "type", "text": f"value {index}", "text_ref": None})
        return Step(
            action=action, source=source, evidence=StepEvidence(before=here, after=here, changed=True)
        )
    screen, point, box = screens.next()
    x, y = round(point.x), round(point.y)
    action = StepAction.model_validate(
        {"action": "click", "x": x, "y": y, "button": "left", "clicks": 1, "hold": []}
    )
    evidence = StepEvidence(
        anchors=keep_evidence(remember(screen, point), keeper),
        before=here,
        after=here,
        changed=True,
        point_px=(point.x, point.y),
        box_px=(round(box.x), round(box.y), round(box.width), round(box.height)),
        frames={} if index else {"before": keeper.keep_frame(screen)},
    )
    return Step(action=action, target=f"entry number {index}", source=source, evidence=evidence)


def _memory(steps: tuple[Step, ...]) -> Memory:
    memory_id = new_memory_id()
    return Memory(
        id=memory_id,
        tool_name=f"task_{memory_id[2:]}",
        keys=Keys(
            task_intent="Change the phone number of a client in the clients sheet and save it",
            query_phrases=("update the phone of a client", "set a new phone number for a customer"),
        ),
        applications=("libreoffice-calc",),
        steps=steps,
        reasoning=ReasoningReport(
            summary="Opens the client's row, types the new number and saves.",
            viable=True,
            recommendation=Recommendation.PROMOTE,
        ),
        lineage=Lineage(runs=(RunId("run-2026-01-01-000000"),)),
        created_at=AT,
    )


def _decisions(repository: Repository, screens: _Screens, count: int) -> dict[str, object]:
    """Does stored evidence lead to the same point, or the same refusal, as evidence fresh from the screen?"""
    rng = np.random.default_rng(11)
    same, both_bound = 0, 0
    with repository.writing() as keeper:
        for _ in range(count):
            screen, point, _ = screens.next()
            fresh = remember(screen, point)
            stored = load_evidence(keep_evidence(fresh, keeper), repository.blob)
            size = float(rng.uniform(0.7, 1.4))
            shown = np.asarray(
                cv2.resize(screen, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.uint8
            )
            first, second = _aimed(fresh, shown), _aimed(stored, shown)
            same += _alike(first, second)
            both_bound += isinstance(first, Point) and isinstance(second, Point)
    return {"aims": count, "same_decision": same, "bound_by_both": both_bound}


def _aimed(evidence: Evidence, screen: Pixels) -> Point | str:
    try:
        return reaim(evidence, screen).point
    except Rejected as refused:
        return refused.cause.value


def _alike(first: Point | str, second: Point | str) -> bool:
    if isinstance(first, Point) and isinstance(second, Point):
        return max(abs(first.x - second.x), abs(first.y - second.y)) <= 1
    return first == second


def _fit(weighed: list[Weighed]) -> dict[str, object]:
    sizes = [each.mb for each in weighed]
    intercept, slope = fit((each.steps, each.mb) for each in weighed)
    meta_intercept, meta_slope = fit((each.steps, each.metadata / 1e6) for each in weighed)
    return {
        "intercept_mb": round(intercept, 4),
        "slope_mb": round(slope, 5),
        "of_which_metadata_mb": [round(meta_intercept, 4), round(meta_slope, 5)],
        "largest_mb": round(max(sizes), 3),
        "meets_goal": intercept <= GOAL[0] and slope <= GOAL[1],
    }


def _database(repository: Repository) -> int:
    """The file as it is once the log beside it has been folded in."""
    raw = sqlite3.connect(repository.folder / "memories.db")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return (repository.folder / "memories.db").stat().st_size


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--screens", type=Path, help="folder with targets.json and its images")
    parser.add_argument("--each", type=int, default=2, help="memories per length")
    parser.add_argument(
        "--aims", type=int, default=40, help="targets aimed at with fresh and with stored evidence"
    )
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
