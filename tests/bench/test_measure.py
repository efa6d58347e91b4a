"""How the bench of re-aiming counts."""

from pathlib import Path

from bench.reaim.measure import Tally, run_frames
from bench.reaim.toolkits import Frame, Look
from tests.ibtr.screens import LABELS, desktop, window


def _frame(name: str, labels: tuple[str, ...]) -> Frame:
    screen = desktop()
    return Frame(Look(name), screen, window(screen, labels=labels))


def test_a_target_that_is_not_on_the_screen_and_refused_is_no_miss(tmp_path: Path) -> None:
    base, later = _frame("base", LABELS), _frame("later", (*LABELS[:-1], "Leave"))

    tally = run_frames(Tally("later"), base, later, tmp_path)

    assert (tally.n, tally.counts["right"], tally.absent) == (9, 9, 1)


def test_a_target_that_is_not_on_the_screen_and_accepted_is_an_error(tmp_path: Path) -> None:
    base, later = _frame("base", LABELS), _frame("later", LABELS)
    del later.boxes["Quit"]

    tally = run_frames(Tally("later"), base, later, tmp_path)

    assert (tally.n, tally.counts["accepted"], tally.absent) == (10, 1, 0)
