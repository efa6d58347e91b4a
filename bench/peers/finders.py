"""One peer's search, in that peer's own Python: a crop and a screen in, a point or a refusal out.

Run as a script by the interpreter of a peer's venv, so it imports nothing of ours. Each line on standard
input is `{"crop", "screen", "size", "at"}` (two pictures, size and click of the recorded screen); each line
on standard output is `{"point", "ms", "says"}`. Pictures are read before the clock starts; it counts the
processor time of one thread. A search that takes more memory or time than the limits below ends as an error.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, TypedDict

MEMORY, SECONDS = 4 * 2**30, 30.0  # guibot copies the whole screen for every place that a plain crop fits

Point = tuple[float, float]


class Asked(TypedDict):
    crop: str
    screen: str
    size: tuple[int, int]
    at: Point


Search = Callable[[], Point | None]
Prepare = Callable[[Asked], Search]


def pyautogui(**how: Any) -> Prepare:
    """`pyautogui.locate` is `pyscreeze.locate`; that module needs no display to be imported."""
    pyscreeze = importlib.import_module("pyscreeze")
    cv2 = importlib.import_module("cv2")

    def prepare(asked: Asked) -> Search:
        crop, screen = cv2.imread(asked["crop"]), cv2.imread(asked["screen"])

        def search() -> Point | None:
            try:
                found = pyscreeze.locate(crop, screen, **how)
            except pyscreeze.ImageNotFoundException:
                return None
            return tuple(pyscreeze.center(found)) if found else None

        return search

    return prepare


def guibot() -> Prepare:
    """The finder that a fresh `GuiBot` uses; the best match is where it clicks."""
    finders, targets = importlib.import_module("guibot.finder"), importlib.import_module("guibot.target")
    pictures = importlib.import_module("PIL.Image")

    def prepare(asked: Asked) -> Search:
        crop, screen = (pictures.open(asked[name]).convert("RGB") for name in ("crop", "screen"))

        def search() -> Point | None:
            needle, haystack = targets.Image(pil_image=crop), targets.Image(pil_image=screen)
            matches = finders.HybridFinder().find(needle, haystack)
            return (matches[0].target.x, matches[0].target.y) if matches else None

        return search

    return prepare


def airtest() -> Prepare:
    """`Template` as its editor records it, with place and resolution; every setting as it ships."""
    template = importlib.import_module("airtest.core.cv").Template
    cv2 = importlib.import_module("cv2")
    logging.getLogger("airtest").setLevel(logging.ERROR)

    def prepare(asked: Asked) -> Search:
        screen, (width, height), (x, y) = cv2.imread(asked["screen"]), asked["size"], asked["at"]
        place = (round((x - width / 2) / width, 3), round((y - height / 2) / width, 3))
        wanted = template(asked["crop"], record_pos=place, resolution=(width, height))

        def search() -> Point | None:
            found = wanted.match_in(screen)
            return (float(found[0]), float(found[1])) if found else None

        return search

    return prepare


FINDERS: dict[str, Callable[[], Prepare]] = {
    "pyautogui": pyautogui,
    "pyautogui-confidence": lambda: pyautogui(confidence=0.9),
    "guibot": guibot,
    "airtest": airtest,
}


def answer(search: Search) -> dict[str, Any]:
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        point, says = search(), ""
    except Exception as error:  # noqa: BLE001 - whatever a peer throws is its answer
        point, says = None, f"{type(error).__name__}: {error}".partition("\n")[0]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent = (time.process_time() - begun) * 1e3
    return {"point": [float(one) for one in point] if point else None, "ms": spent, "says": says[:200]}


def too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS:g} s")


def main() -> None:
    wire = sys.stdout
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, too_long)
    with contextlib.redirect_stdout(sys.stderr):  # some peers print
        importlib.import_module("cv2").setNumThreads(1)
        prepare = FINDERS[sys.argv[1]]()
        for line in sys.stdin:
            told = answer(prepare(json.loads(line)))
            print(json.dumps(told), file=wire, flush=True)


if __name__ == "__main__":
    main()
