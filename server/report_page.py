"""A replay as one self-contained HTML page: the verdict, the numbers, and every step before and after."""

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
import cv2

from actionlens.errors import RunUnreadable
from actionlens.run_reader import Run, Step, read_run
from ibtr.errors import EchoPathError
from memory_store.ledger import Replay
from memory_store.quarantine import Ending
from server.replay_view import shown
from server.sheet import thumbnail

if TYPE_CHECKING:
    from actionlens.frames import Pixels
    from actionlens.observation import Observation
    from memory_store.repository import Repository

_HOW = ("binding", "representation", "score", "margin", "waited_s", "why")
_GOOD = {Ending.VERIFIED: "#1a7f37", Ending.DONE_UNVERIFIED: "#9a6700"}
_LEGEND = """<p class="how">In the pictures, a red cross in a circle is where a step clicks, a blue triangle
where the pointer rests while keys are pressed. <b>binding</b>: how a step got what it acts on: <b>copied</b>
as recorded, <b>rebound</b> to a value of this call, <b>re-aimed</b> at its target's place on this screen.
<b>seen as</b>, <b>representation</b>: the form in which the target was compared (<b>gray</b>: its brightness
alone). <b>score</b> and <b>margin</b>: how like the recorded target it is, and by how much more than anything
else.</p>"""
_STYLE = """
*{box-sizing:border-box}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:1180px;
color:#1f2328;background:#fff}
h1{font-size:1.4rem;margin:0 0 .3rem}
.end{color:#fff;border-radius:.4rem;padding:.15rem .6rem;font-size:.95rem}
pre{background:#f6f8fa;padding:.8rem;border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
section{border-top:1px solid #d1d9e0;padding:1rem 0} h2{font-size:1.05rem;margin:0 0 .2rem}
figure{display:inline-block;width:49%;margin:0;vertical-align:top} img{width:100%;border:1px solid #d1d9e0}
figure.whole{width:100%} figure.crop{width:auto;max-width:100%;margin-top:.6rem}
.crop img{width:auto;max-width:100%}
figcaption,.how{color:#59636e;font-size:13px}
"""


def report_page(
    replay: Replay, memory: str, runs: Path, recorded: bytes | None = None, command: str = "echopath"
) -> str:
    """The page of one replay, `recorded` the target it did not find; a run that was purged is named only.

    `command` is how a reader calls us, where the store is not the usual one.
    """
    colour = _GOOD.get(replay.ending, "#b32424")
    title = f"{memory}: {replay.ending.value}"
    badge = f'<span class="end" style="background:{colour}">{replay.ending.value}</span>'
    facts = click.unstyle("\n".join(shown(replay, memory))).replace(": echopath runs", f": {command} runs")
    body = [
        f"<h1>{_safe(memory)} {badge}</h1>",
        f"<pre>{_safe(facts)}</pre>",
        _LEGEND,
        *_sections(replay, runs, recorded),
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{_safe(title)}</title>'
        f"<style>{_STYLE}</style><body>{''.join(body)}</body></html>"
    )


def recorded_target(store: "Repository", replay: Replay) -> bytes | None:
    """PNG of what the refused step aimed at, as it was recorded; None if it aimed at nothing."""
    from server.replay.crops_shown import reference_picture
    from server.replay.targets import load_targets

    step = replay.detail.get("step")
    if not replay.cause or not isinstance(step, int):
        return None
    try:
        targets = load_targets(store.get(replay.memory_id), store.blob)
    except EchoPathError:
        return None
    return reference_picture(targets[step - 1], step - 1) if step - 1 in targets else None


def _sections(replay: Replay, runs: Path, recorded: bytes | None) -> Iterable[str]:
    notes = {int(str(note["step"])): note for note in _dicts(replay.detail.get("steps"))}
    refused: list[str] = []
    for name in _strings(replay.detail.get("runs")):
        try:
            run = read_run(runs / Path(name).name)
        except RunUnreadable as exc:
            yield f"<section><p>The run {_safe(name)} is not here any more: {_safe(exc)}</p></section>"
            continue
        for step in run.steps:
            yield _section(run, step, notes.get(int(str(step.request.source.get("step") or 0)), {}))
        refused += _screens(run)
    if refused or recorded:
        yield _refusal(replay, refused, recorded)


def _refusal(replay: Replay, screens: Sequence[str], recorded: bytes | None) -> str:
    """What the replay saw when it said no, and what it looked for."""
    crop = _image(recorded, "png", "crop", "the target as it was recorded") if recorded else ""
    return (
        f"<section><h2>{_safe(replay.detail.get('step') or '')}. not done: {_safe(replay.cause)}</h2>"
        f'<p class="how">{_safe(replay.detail.get("says") or "")}</p>{"".join(screens[-1:])}{crop}</section>'
    )


def _screens(run: Run) -> Iterable[str]:
    """The looks that were kept because a gate said no, whole and without marks."""
    for look in run.observations:
        if (look.note or "").startswith("refused: "):
            window = f": {look.seen.window.title}" if look.seen.window else ""
            try:
                yield _image(
                    _jpeg(run.frame(look.seen)), "jpeg", "whole", f"the screen at the refusal{window}"
                )
            except RunUnreadable as exc:
                yield f"<p>{_safe(exc)}</p>"


def _section(run: Run, step: Step, note: Mapping[str, object]) -> str:
    number = step.request.source.get("step") or step.id
    words = " ".join(filter(None, (step.action.action, step.request.target and f'"{step.request.target}"')))
    how = ", ".join(f"{name} {note[name]}" for name in _HOW if name in note)
    error = step.ended.error if step.ended and step.ended.error else ""
    return (
        f"<section><h2>{_safe(number)}. {_safe(words)}</h2>"
        f'<p class="how">{_safe(how or step.status.value)} {_safe(error)}</p>'
        f"{_figure(run, step, step.before, 'before')}{_figure(run, step, step.after, 'after')}</section>"
    )


def _figure(run: Run, step: Step, seen: "Observation | None", when: str) -> str:
    if seen is None:
        return ""
    try:
        pixels = thumbnail(run, step, seen)
    except RunUnreadable as exc:
        return f"<p>{_safe(exc)}</p>"
    window = f": {seen.window.title}" if seen.window else ""
    return _image(_jpeg(pixels), "jpeg", "half", f"{when}{window}")


def _image(data: bytes, kind: str, size: str, words: str) -> str:
    return (
        f'<figure class="{size}"><img alt="{_safe(words)}" '
        f'src="data:image/{kind};base64,{base64.b64encode(data).decode()}">'
        f"<figcaption>{_safe(words)}</figcaption></figure>"
    )


def _jpeg(pixels: "Pixels") -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def _dicts(value: object) -> list[dict[str, object]]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, object]", one) for one in items if isinstance(one, dict)]


def _strings(value: object) -> list[str]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in items if isinstance(one, str)]


def _safe(text: object) -> str:
    return html.escape(str(text))
