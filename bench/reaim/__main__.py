"""`make bench-reaim [CASES=FILE IMAGES=DIR]`: the tables of docs/ibtr.md.

Without cases only the frames are measured that the bench captures itself.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from bench.reaim.apps import APPS, Measured, added, captured, measured
from bench.reaim.cases import load, read_cases, sample
from bench.reaim.fluid import PAGES as PAGES_FLUID
from bench.reaim.fluid import SIZES, capture_fluid
from bench.reaim.measure import GONE, Tally, clicked, run_condition, run_frames, run_gone, run_renamed
from bench.reaim.misleading.kinds import KINDS
from bench.reaim.misleading.measured import HEAD as MISLEADING_HEAD
from bench.reaim.misleading.measured import Kind
from bench.reaim.misleading.measured import measured as misled
from bench.reaim.others import OTHERS
from bench.reaim.shown import App
from bench.reaim.timing import Timing, measure
from bench.reaim.toolkits import GTK, TK, capture
from bench.reaim.web import PAGES, ZOOMS, capture_page
from bench.reaim.windows import ANEW, renamed, windows
from bench.tables import keep
from server.diagnostics.scenes_gone import MAKERS

HEAD = "| condition | n | right | off | wrong | refused | by |\n|---|--:|--:|--:|--:|--:|---|"
GONE_HEAD = "| the target is gone | n | accepted | refused |\n|---|--:|--:|--:|"
ANEW_HEAD = "| drawn anew | n | right | wrong | refused | by |\n|---|--:|--:|--:|--:|---|"
ANEW_GONE_HEAD = "| drawn anew, and the target is gone | n | accepted | refused |\n|---|--:|--:|--:|"
APPS_HEAD = HEAD.replace("condition", "real applications")
FRAMES_HEAD = "| window | n | right | wrong | refused | by |\n|---|--:|--:|--:|--:|---|"


def row(tally: Tally, *columns: str) -> str:
    cells = [f"{tally.share(c):.1f} %" for c in columns]
    return "| " + " | ".join([tally.name, str(tally.n), *cells]) + " |"


def ways(tally: Tally) -> str:
    return ", ".join(f"{name} {count}" for name, count in tally.representations.most_common())


def conditions(args: argparse.Namespace) -> list[str]:
    cases = read_cases(args.cases, args.images)
    chosen = sorted(sample(cases, args.limit, args.seed), key=lambda c: c.image)
    tallies: list[Tally] = []
    for name in args.conditions or MAKERS:
        tallies += run_condition(
            name, chosen, cases, args.out, boxes=args.boxes, stored=args.stored, seed=args.scenes
        )
        print(tallies[-1].name, dict(tallies[-1].counts), flush=True)
    there = [t for t in tallies if not t.name.startswith(GONE)]
    gone = [t for t in tallies if t.name.startswith(GONE)]
    lines = [HEAD, *(f"{row(t, 'right', 'off', 'wrong', 'refused')} {ways(t)} |" for t in there), ""]
    return [*lines, GONE_HEAD, *(row(t, "accepted", "refused") for t in gone), ""]


def frames(args: argparse.Namespace) -> list[str]:
    """Windows of our own: the same pixels elsewhere, then drawn anew."""
    tallies: list[Tally] = []
    for toolkit, looks in (("gtk", GTK), ("tk", TK)):
        base, *others = (capture(f"{toolkit}_window", look) for look in looks if look.name not in ANEW)
        for frame in (base, *others):
            tallies.append(run_frames(Tally(f"{toolkit}: {frame.look.name}"), base, frame, args.out))
            print(tallies[-1].name, dict(tallies[-1].counts), flush=True)
    tallies += fluid(args)
    lines = [FRAMES_HEAD, *(_frame_row(t) for t in tallies), ""]
    anew, gone = drawn_anew(args.out, stored=args.stored)
    lines += [ANEW_HEAD, *(_frame_row(t) for t in anew), ""]
    return [*lines, ANEW_GONE_HEAD, *(row(t, "accepted", "refused") for t in gone), ""]


def fluid(args: argparse.Namespace) -> list[Tally]:
    """Pages that fill their window, in windows of other sizes."""
    tallies: list[Tally] = []
    for name, words in PAGES_FLUID.items() if shutil.which("chromium") else ():
        base = capture_fluid(words)
        for size in SIZES:
            frame = capture_fluid(words, size)
            tally = Tally(f"{name}: {frame.look.name}")
            tallies.append(run_frames(tally, base, frame, args.out, stored=args.stored))
            print(tally.name, dict(tally.counts), flush=True)
    return tallies


def _frame_row(tally: Tally, *more: str) -> str:
    gone = f", {tally.counts['accepted']} accepted that are gone" if tally.counts["accepted"] else ""
    gone += f"; {tally.absent} gone, and refused" if tally.absent else ""
    return f"{row(tally, 'right', *more, 'wrong', 'refused')} {ways(tally)}{gone} |"


def drawn_anew(out: Path, *, stored: bool) -> tuple[list[Tally], list[Tally]]:
    """Every window and page in other sizes, fonts and themes; and with the target gone."""
    there, gone = dict[str, Tally](), dict[str, Tally]()

    def tally(where: dict[str, Tally], name: str) -> Tally:
        return where.setdefault(name, Tally(name))

    for name, script, source, (first, *looks) in windows():
        base = capture(script, first, source)
        for look in looks:
            frame = capture(script, look, source)
            run_frames(tally(there, f"{name}: {look.name}"), base, frame, out, stored=stored)
            run_gone({w: tally(gone, f"{name}: {w}") for w in ("erased", "replaced")}, base, frame, out)
            if script.startswith("gtk"):
                other, names = renamed(script, source, look, [n for n in clicked(base) if n in frame.boxes])
                run_renamed(tally(gone, f"{name}: another word"), base, other, names, out)
            print(script, source, look.name, dict(there[f"{name}: {look.name}"].counts), flush=True)
    if shutil.which("chromium"):
        for name, words in PAGES.items():
            base, *zoomed = (capture_page(words, zoom) for zoom in ZOOMS)
            for frame in zoomed:
                run_frames(tally(there, f"{name}: {frame.look.name}"), base, frame, out, stored=stored)
                run_gone({w: tally(gone, f"{name}: {w}") for w in ("erased", "replaced")}, base, frame, out)
                print(name, frame.look.name, dict(there[f"{name}: {frame.look.name}"].counts), flush=True)
    return sorted(there.values(), key=lambda t: t.name), sorted(gone.values(), key=lambda t: t.name)


def apps(args: argparse.Namespace, every: tuple[App, ...] = APPS) -> list[str]:
    """Real applications on a virtual desktop: all of them look by look, then each of them."""
    chosen = tuple(app for app in every if not args.apps or app.name in args.apps)
    found: list[Measured] = []
    for app, seen in captured(chosen, args.out / "applications", kept=args.kept):
        found += measured(app, seen, args.out, most=args.most, stored=args.stored)
    names, looks = list(dict.fromkeys(m.app for m in found)), list(dict.fromkeys(m.look for m in found))
    whole = [added(look, [m.there for m in found if m.look == look]) for look in looks]
    gone = [
        added(f"{look}: {what}", [m.gone[what] for m in found if m.look == look])
        for look in looks
        for what in ("erased", "replaced")
    ]
    lines = [APPS_HEAD, *(_frame_row(t, "off") for t in whole), ""]
    lines += [GONE_HEAD, *(row(t, "accepted", "refused") for t in gone if t.n), ""]
    lines += ["| right of | " + " | ".join(names) + " |", "|---" + "|--:" * len(names) + "|"]
    each = {(m.app, m.look): m.there for m in found}
    for look in looks:
        cells = [_of(each[name, look]) if (name, look) in each else "" for name in names]
        lines.append(f"| {look} | {' | '.join(cells)} |")
    return [*lines, ""]


def _of(tally: Tally) -> str:
    return f"{tally.counts['right']} of {tally.n}"


def misleading(args: argparse.Namespace) -> list[str]:
    """Pages drawn to be mistaken for the recorded one, and honest changes of it."""
    if not shutil.which("chromium"):
        raise SystemExit("no chromium: --parts misleading draws its pages with it")
    found = misled(
        args.out, times=args.times, kinds=args.kinds, seed=args.scenes, kept=args.kept, stored=args.stored
    )
    whole = Kind(added("all", [k.there for k in found]), added("all, gone", [k.gone for k in found]))
    return [MISLEADING_HEAD, *(kind.row() for kind in (*found, whole)), ""]


def times(args: argparse.Namespace) -> list[str]:
    cases = read_cases(args.cases, args.images)
    full = [c for c in sample(cases, 0, args.seed) if load(c.image).shape[:2] == (1080, 1920)][: args.timed]
    t = measure(cases, full)
    return [*_speed(t), ""]


def _speed(t: Timing) -> list[str]:
    return [
        f'| 1080p, one thread, medians of {t.n} | this search | the paper\'s, "first" | ratio |',
        "|---|--:|--:|--:|",
        f"| found | {t.found:.1f} ms | {t.reference_found:.0f} ms | 1/{t.reference_found / t.found:.0f} |",
        f"| refused (all of the paper's maps) | {t.refused:.0f} ms | {t.reference_refused:.0f} ms "
        f"| 1/{t.reference_refused / t.refused:.0f} |",
        f"| found at 4K | {t.on_4k:.1f} ms | | x{t.on_4k / t.found:.1f} of 1080p |",
        f"| points of both where both are in the true box ({t.compared}) | | | "
        f"at most {t.apart:.2f} px apart |",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--images", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="only that many cases, in a seeded order")
    parser.add_argument("--timed", type=int, default=20, help="cases that are timed against the reference")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenes", type=int, default=0, help="another seed, and so other scenes to look at")
    parser.add_argument("--conditions", nargs="+", default=[], choices=MAKERS, help="only these conditions")
    parser.add_argument(
        "--boxes", action="store_true", help="remember with the true box, not the click alone"
    )
    parser.add_argument(
        "--stored", action="store_true", help="evidence as the memory store gives it back (lossy)"
    )
    parser.add_argument("--out", type=Path, default=Path("bench-out/reaim"), help="failing cases, drawn")
    parser.add_argument(
        "--parts", nargs="+", default=list(PARTS), choices=PARTS, help="only these, the rest as kept"
    )
    parser.add_argument("--apps", nargs="+", default=[], help="only these applications")
    parser.add_argument(
        "--most", type=int, default=6, help="targets of one kind in a window of an application"
    )
    parser.add_argument("--kept", action="store_true", help="applications and pages as captured last time")
    parser.add_argument("--kinds", nargs="+", default=[], choices=KINDS, help="only these misleading pages")
    parser.add_argument("--times", type=int, default=2, help="looks and words of each misleading page")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for name in args.parts:
        if name in OWN or (args.cases and args.images):
            text = "\n".join(PARTS[name](args))
            print(text)
            if args.scenes or args.conditions or args.kinds:
                continue  # a look at other scenes is not the table
            keep(f"reaim-{name}", text, conditions=SAID.get(name, "").format(args))


PARTS: dict[str, Callable[[argparse.Namespace], list[str]]] = {
    "conditions": conditions, "frames": frames, "apps": apps, "others": partial(apps, every=OTHERS),
    "misleading": misleading, "times": times,
}  # fmt: skip
SAID = {
    "apps": "--most {0.most}",
    "others": "--most {0.most}",
    "misleading": "--times {0.times}",
    "times": "--timed {0.timed}, processor time of one thread",
}
"""What a table says of its conditions."""
OWN = ("frames", "apps", "others", "misleading")
"""Parts that need no labelled screens."""


if __name__ == "__main__":
    main()
