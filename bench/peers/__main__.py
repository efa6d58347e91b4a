"""`make bench-peers [CASES=FILE IMAGES=DIR N=40]`: ours and the peers over the same scenes, in turns."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np

from bench.peers.child import Child, Told
from bench.peers.own import own_cases
from bench.peers.tally import Tally, by_condition, summary
from bench.peers.venvs import PEERS, NotInstalled, Peer, python_of, version_of
from bench.reaim.cases import Case, load, read_cases, sample
from bench.reaim.measure import scene_of, shows
from bench.tables import keep
from ibtr import probe, remember
from ibtr.pixels import cut, size_of
from ibtr.report import Aim
from server.diagnostics.scenes import Scene
from server.diagnostics.scenes_gone import MAKERS

OURS = "EchoPath"


def ours(case: Case, scene: Scene) -> Told:
    evidence = remember(load(case.image), case.click)
    begun = time.process_time()
    (found,) = probe([evidence], scene.screen)
    spent = (time.process_time() - begun) * 1e3
    return Told(found.point if isinstance(found, Aim) else None, spent)


def installed(folder: Path) -> tuple[dict[str, tuple[Path, str]], dict[str, str]]:
    """The interpreter and version of each peer's venv; and why there is none."""
    found: dict[str, tuple[Path, str]] = {}
    missing: dict[str, str] = {}
    for name in dict.fromkeys(peer.venv for peer in PEERS):
        try:
            python = python_of(name, folder)
            found[name] = (python, version_of(name, python))
        except NotInstalled as error:
            missing[name] = str(error)
    return found, missing


def scenes(chosen: list[Case], cases: list[Case]) -> Iterator[tuple[str, Case, Scene]]:
    """Every condition of every case; another screen that shows the same widget is left out."""
    for name in MAKERS:
        for case in chosen:
            scene = scene_of(case, name, cases)
            if scene is None or (name == "another screen" and shows(case, scene.screen)):
                continue
            yield name, case, scene


def run(cases: list[Case], chosen: list[Case], peers: dict[Peer, Path], work: Path) -> list[Tally]:
    """All searchers over all scenes; the peers are given the true box as their crop, ours the click alone."""
    tallies = {OURS: Tally(OURS), **{peer.name: Tally(peer.name) for peer in peers}}
    crop, picture = work / "crop.png", work / "screen.bmp"
    last = ""
    with ExitStack() as stack:
        children = {
            peer: stack.enter_context(Child(python, peer.finder, work / f"{peer.finder}.log"))
            for peer, python in peers.items()
        }
        for name, case, scene in scenes(chosen, cases):
            if name != last:
                print(name, flush=True)
                last = name
            recorded = load(case.image)
            cv2.imwrite(str(crop), np.ascontiguousarray(cut(recorded, case.box.clip(size_of(recorded)))))
            cv2.imwrite(str(picture), scene.screen)
            tallies[OURS].add(name, ours(case, scene), scene)
            for peer, child in children.items():
                told = child.ask(crop, picture, (recorded.shape[1], recorded.shape[0]), case.click)
                tallies[peer.name].add(name, told, scene)
    return list(tallies.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--images", type=Path)
    parser.add_argument("--limit", type=int, default=40, help="that many cases, in a seeded order; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--venvs", type=Path, default=Path("bench-out/peers/venvs"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    found, missing = installed(args.venvs.absolute())
    peers = {peer: found[peer.venv][0] for peer in PEERS if peer.venv in found}
    with tempfile.TemporaryDirectory() as work:
        labelled = args.cases and args.images
        cases = read_cases(args.cases, args.images) if labelled else own_cases(Path(work))
        chosen = sorted(sample(cases, args.limit, args.seed), key=lambda case: case.image)
        tallies = run(cases, chosen, peers, Path(work))
    absent = {peer.name: missing[peer.venv] for peer in PEERS if peer.venv in missing}
    text = "\n".join([*summary(tallies, absent), "", *by_condition(tallies), "", *told(found, tallies)])
    print(text)
    source = "labelled screens" if labelled else "two windows of our own"
    keep("peers", text, conditions=f"{len(chosen)} of {len(cases)} targets on {source}")


def told(found: dict[str, tuple[Path, str]], tallies: list[Tally]) -> list[str]:
    """How each peer was asked, and what it threw."""
    lines = [f"- **{p.name}** ({p.venv} {found[p.venv][1]}): {p.how}." for p in PEERS if p.venv in found]
    for tally in tallies:
        lines += [
            f"- {tally.name} failed {n} times with `{says}`." for says, n in tally.errors.most_common(3)
        ]
    return lines


if __name__ == "__main__":
    main()
