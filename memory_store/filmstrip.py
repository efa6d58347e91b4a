"""A memory as one picture: each step's frame with its target boxed and its input marked."""

from textwrap import wrap
from typing import Final, NamedTuple
from unicodedata import normalize

import cv2
import numpy as np

from actionlens.wording import parameter_words
from ibtr.errors import EchoPathError
from ibtr.geometry import Box, Point, Size
from ibtr.pixels import Pixels
from memory_store.crops import ReadBlob, load_evidence
from memory_store.images import decode, encode_png
from memory_store.models import Memory, Step, StepRole

CELL: Final = (420, 252)
CAPTION: Final = 84
COLUMNS: Final = 3
ZOOM: Final = (168, 104)
ZOOM_BELOW: Final = 0.5
GAP: Final = 14
MARGIN: Final = 24

_PAPER, _INK, _FAINT = (252, 252, 252), (48, 40, 36), (140, 132, 128)
_TARGET, _INPUT, _WARN = (60, 160, 30), (20, 130, 240), (40, 40, 210)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


class Picture(NamedTuple):
    """What is shown of a step, and where its target lies in it."""

    pixels: Pixels
    box: Box | None
    point: Point | None


class View(NamedTuple):
    """A part of a picture, and how large it is drawn."""

    pixels: Pixels
    window: Box
    scale: float

    def place(self, x: float, y: float) -> tuple[int, int]:
        """Where a point of the picture is drawn."""
        return round((x - self.window.x) * self.scale), round((y - self.window.y) * self.scale)


def filmstrip(memory: Memory, read_blob: ReadBlob) -> bytes:
    """The whole program as a PNG; a step without pictures shows its words."""
    cells = [_cell(memory, index, read_blob) for index in range(len(memory.steps))]
    columns = min(COLUMNS, len(cells))
    blank = np.full_like(cells[0], _PAPER)
    cells += [blank] * (-len(cells) % columns)
    rows = [np.hstack(cells[start : start + columns]) for start in range(0, len(cells), columns)]
    return encode_png(np.vstack([_head(memory, rows[0].shape[1]), *rows]))


def _cell(memory: Memory, index: int, read_blob: ReadBlob) -> Pixels:
    step = memory.steps[index]
    names = [each.name for each in memory.inputs if any(p.action_index == index for p in each.places)]
    height, width = CELL[1] + CAPTION + GAP, CELL[0] + GAP
    cell = np.full((height, width, 3), _PAPER, np.uint8)
    try:
        picture = _picture(step, read_blob)
        shown = _drawn(picture, bool(names)) if picture else _card(*_words(step, names))
    except EchoPathError as exc:
        shown = _card(str(exc), _WARN)
    cell[: CELL[1], : CELL[0]] = shown
    edge = _INPUT if names else _FAINT
    cv2.rectangle(cell, (0, 0), (CELL[0] - 1, CELL[1] - 1), edge, 2 if names else 1)
    for line, (text, colour) in enumerate(_caption(index, step, names)):
        cv2.putText(cell, text, (2, CELL[1] + 20 + 19 * line), _FONT, 0.45, colour, 1, cv2.LINE_AA)
    return cell


def _picture(step: Step, read_blob: ReadBlob) -> Picture | None:
    evidence = step.evidence
    if frame := evidence.frames.get("before"):
        box = Box(*evidence.box_px) if evidence.box_px else None
        point = Point(*evidence.point_px) if evidence.point_px else None
        return Picture(decode(read_blob(frame.sha256), frame.media_type), box, point)
    if any(anchor.kind == "crop" and "layers" in anchor.data for anchor in evidence.anchors):
        crop = load_evidence(evidence.anchors, read_blob).crop
        return Picture(crop.image, crop.core, crop.click)
    return None


def _drawn(picture: Picture, takes_input: bool) -> Pixels:
    pixels = _colour(picture.pixels)
    window = _filled(pixels)
    scale = min(CELL[0] / window.width, CELL[1] / window.height)
    view = View(pixels, window, scale)
    canvas = np.full((CELL[1], CELL[0], 3), (232, 230, 228), np.uint8)
    shown = _marked(view, picture, takes_input)
    left, top = (CELL[0] - shown.shape[1]) // 2, (CELL[1] - shown.shape[0]) // 2
    canvas[top : top + shown.shape[0], left : left + shown.shape[1]] = shown
    if scale < ZOOM_BELOW and picture.point is not None:
        _paste_zoom(canvas, picture, takes_input, to_left=picture.point.x > window.center.x)
    return canvas


def _filled(pixels: Pixels) -> Box:
    """Where something is: an empty desktop around the windows tells nothing."""
    height, width = pixels.shape[:2]
    inked = (pixels != pixels[-1, -1]).any(axis=2).astype(np.uint8)
    box = Box(*cv2.boundingRect(inked)).grow(MARGIN).clip(Size(width, height))
    return box if inked.any() else Box(0, 0, width, height)


def _paste_zoom(canvas: Pixels, picture: Picture, takes_input: bool, *, to_left: bool) -> None:
    """The target from near, in a lower corner away from it: on a whole screen it is a speck."""
    height, width = picture.pixels.shape[:2]
    box = picture.box or Box(0, 0, 1, 1)
    scale = min(2.0, ZOOM[0] / (box.width * 1.4), ZOOM[1] / (box.height * 1.4))
    half = (round(ZOOM[0] / scale / 2), round(ZOOM[1] / scale / 2))
    x, y = (round(value) for value in picture.point or (0, 0))
    left = min(max(0, x - half[0]), max(0, width - 2 * half[0]))
    top = min(max(0, y - half[1]), max(0, height - 2 * half[1]))
    window = Box(left, top, 2 * half[0], 2 * half[1]).clip(Size(width, height))
    zoom = _marked(View(_colour(picture.pixels), window, scale), picture, takes_input)
    cv2.rectangle(zoom, (0, 0), (zoom.shape[1] - 1, zoom.shape[0] - 1), _INK, 2)
    at = 6 if to_left else CELL[0] - zoom.shape[1] - 6
    low = CELL[1] - zoom.shape[0] - 6 if y * 2 < height else 6
    canvas[low : low + zoom.shape[0], at : at + zoom.shape[1]] = zoom


def _marked(view: View, picture: Picture, takes_input: bool) -> Pixels:
    part = view.pixels[view.window.y : view.window.bottom, view.window.x : view.window.right]
    size = (max(1, round(view.window.width * view.scale)), max(1, round(view.window.height * view.scale)))
    how = cv2.INTER_AREA if view.scale < 1 else cv2.INTER_CUBIC
    shown = np.asarray(cv2.resize(part, size, interpolation=how), np.uint8)
    if picture.box is not None:
        box = picture.box.grow(2)
        corner, far = view.place(box.x, box.y), view.place(box.right, box.bottom)
        cv2.rectangle(shown, corner, far, (255, 255, 255), 4)
        cv2.rectangle(shown, corner, far, _INPUT if takes_input else _TARGET, 2)
    if picture.point is not None:
        cv2.circle(shown, view.place(*picture.point), 5, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(shown, view.place(*picture.point), 3, _WARN, -1, cv2.LINE_AA)
    return shown


def _colour(pixels: Pixels) -> Pixels:
    """BGR, whatever was kept."""
    if pixels.ndim == 2:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    return pixels[:, :, :3]


def _words(step: Step, names: list[str]) -> tuple[str, tuple[int, int, int]]:
    """What a step without a picture says of itself."""
    if names:
        return f"{step.action.action}: {{{', '.join(names)}}}", _INPUT
    return f"{step.action.action}  {_parameters(step)}", _FAINT


def _card(text: str, colour: tuple[int, int, int]) -> Pixels:
    card = np.full((CELL[1], CELL[0], 3), (240, 238, 236), np.uint8)
    for line, words in enumerate(wrap(_ascii(text), 46)[:6]):
        cv2.putText(card, words, (20, 110 + 22 * line), _FONT, 0.48, colour, 1, cv2.LINE_AA)
    return card


def _caption(index: int, step: Step, names: list[str]) -> list[tuple[str, tuple[int, int, int]]]:
    role = "" if step.role is StepRole.REQUIRED else f"  [{step.role.value}]"
    lines = [(f"{index + 1}  {step.action.action}{role}  {_ascii(step.target)}"[:58], _INK)]
    if said := _parameters(step):
        lines.append((said[:60], _FAINT))
    if names:
        lines.append((f"input: {', '.join(names)}"[:58], _INPUT))
    if step.evidence.weak:
        lines.append((f"weak: {_ascii(step.evidence.weak)}"[:58], _WARN))
    return lines[:4]


def _parameters(step: Step) -> str:
    return _ascii(parameter_words(step.action.parameters, with_places=False))


def _head(memory: Memory, width: int) -> Pixels:
    head = np.full((56, width, 3), _PAPER, np.uint8)
    cv2.putText(head, memory.tool_name, (2, 22), _FONT, 0.7, _INK, 1, cv2.LINE_AA)
    rest = f"{memory.lifecycle.value}   {memory.application}   {memory.keys.task_intent}"
    cv2.putText(head, _ascii(rest)[: width // 8], (2, 44), _FONT, 0.45, _FAINT, 1, cv2.LINE_AA)
    return head


def _ascii(text: str) -> str:
    """OpenCV draws ASCII only; accents are dropped, other letters become question marks."""
    flat = "".join(
        char for char in normalize("NFKD", text.replace("\n", " ")) if ord(char) < 128 or char.isalnum()
    )
    return flat.encode("ascii", "replace").decode()
