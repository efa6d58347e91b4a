import numpy as np

from ibtr import remember
from ibtr.pixels import Pixels
from memory_store.crops import keep_evidence
from memory_store.filmstrip import CELL, filmstrip
from memory_store.images import decode
from memory_store.models import Memory, Step
from memory_store.repository import Repository
from tests.ibtr.screens import desktop, middle, window
from tests.memory_store.making import AT, add_memory, click, keys, make_memory

GREEN, ORANGE = (60, 160, 30), (20, 130, 240)


def painted(memory: Memory, repository: Repository) -> Pixels:
    return decode(filmstrip(memory, repository.blob), "image/png")


def has(picture: Pixels, colour: tuple[int, int, int]) -> bool:
    return bool((picture == np.array(colour, np.uint8)).all(axis=2).any())


def seen(repository: Repository, *, frame: bool) -> Step:
    screen = desktop(1920, 1080)
    box = window(screen)["Undo"]
    with repository.writing() as keeper:
        anchors = keep_evidence(remember(screen, middle(box)), keeper)
        frames = {"before": keeper.keep_frame(screen)} if frame else {}
        update = {"anchors": anchors, "frames": frames, "box_px": tuple(box), "point_px": tuple(middle(box))}
        step = click("undo")
        step = step.model_copy(update={"evidence": step.evidence.model_copy(update=update)})
        repository.add(make_memory("seen", steps=[step]), at=AT)
    return step


def test_a_step_with_its_frame_shows_the_target_boxed(repository: Repository) -> None:
    picture = painted(make_memory(steps=[seen(repository, frame=True)]), repository)

    assert has(picture, GREEN)
    assert not has(picture, ORANGE)


def test_a_step_without_its_frame_shows_the_crop(repository: Repository) -> None:
    assert has(painted(make_memory(steps=[seen(repository, frame=False)]), repository), GREEN)


def test_a_step_that_takes_an_input_is_marked(repository: Repository) -> None:
    assert has(painted(make_memory(), repository), ORANGE)


def test_long_programs_go_into_several_rows(repository: Repository) -> None:
    short = painted(make_memory(steps=[keys("press", key="tab")], inputs=()), repository)
    long = painted(make_memory(steps=[keys("press", key="tab")] * 7, inputs=()), repository)

    assert long.shape[1] > 2 * CELL[0] > short.shape[1]
    assert long.shape[0] > 3 * CELL[1] > short.shape[0]


def test_lost_evidence_is_said_in_the_picture(repository: Repository) -> None:
    step = seen(repository, frame=True)
    for path in (repository.folder / "blobs").glob("??/*"):
        path.unlink()

    assert painted(make_memory(steps=[step]), repository).size


def test_words_in_any_script_do_not_break_the_drawing(repository: Repository) -> None:
    memory = add_memory(repository)
    odd = memory.model_copy(
        update={"keys": memory.keys.model_copy(update={"task_intent": "Téléphone 电话 🙂"})}
    )

    assert painted(odd, repository).size
