"""Pure: which typed texts could be inputs, of what kind, by what name. Equal texts are one input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from actionlens.actions import Action, Click, Hotkey, Paste, Press, Type, Wait
from memory_store.consolidation.trace import TracedStep
from memory_store.models import INPUT_PATTERNS, InputKind, Place, StepRole

_SECRET_WORDS = re.compile(
    r"\b(pass ?words?|passwd|passphrase|pin( code)?|secret|api[- ]?key|token|otp|cvv)\b", re.I
)
_SEARCH_WORDS = re.compile(r"\b(search|find|filter|look ?up|query|locate)\b", re.I)
_FILE_WORDS = re.compile(r"\b(file|document|folder|save as|filename|attachment|export|download)\b", re.I)
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|"
    r"\d{1,2}\.? ?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? ?\d{2,4}|"
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? ?\d{2,4}",
    re.I,
)
_URL = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+|www\.\S+|[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|org|net|io|dev|edu|gov|example)(/\S*)?",
    re.I,
)
_FILE = re.compile(r"(~?/)?([^/\0\n]+/)*[^/\0\n]+\.[A-Za-z0-9]{1,5}")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_NUMBER = re.compile(r"[+-]?(\d+([ ,.']\d{3})*([.,]\d+)?|[.,]\d+)%?")
_EDITING_KEYS = frozenset({"backspace", "delete", "home", "end", "left", "right"})
_NOISE = frozenset(
    "a an the of for in on to into at field fields box input textbox text entry cell bar area form button "
    "label here type enter click this that new value first second third next one main edit".split()
)


@dataclass(frozen=True, slots=True)
class ProposedInput:
    """A text that could be an input, and why we think so."""

    name: str
    kind: InputKind
    value: str
    places: tuple[Place, ...]
    why: str


def propose_inputs(
    kept: Sequence[TracedStep], roles: Mapping[int, StepRole], goal: str
) -> tuple[ProposedInput, ...]:
    """One input per distinct text; not the texts that only start an application."""
    found: dict[tuple[str, str], list[int]] = {}
    for index, step in enumerate(kept):
        source = typed(step)
        if source is None or roles.get(step.id) is StepRole.STARTUP or looks_secret(kept, index):
            continue
        found.setdefault(source, []).append(index)
    proposed: list[ProposedInput] = []
    for (field, value), indexes in found.items():
        words = words_for(kept, indexes[0])
        kind = InputKind.SECRET if field == "text_ref" else guess_kind(value, words)
        name = _unique(_name(words, kind, value), [one.name for one in proposed])
        places = tuple(Place(action_index=index, parameter_path=(field,)) for index in indexes)
        proposed.append(ProposedInput(name, kind, value, places, _why(value, goal, len(indexes))))
    return tuple(proposed)


def typed(step: TracedStep) -> tuple[str, str] | None:
    """The text-like parameter of a step, and what it holds."""
    match step.action:
        case Type(text_ref=str() as reference):
            return "text_ref", reference
        case Type(text=str() as text) | Paste(text=text):
            return "text", text
        case _:
            return None


def looks_secret(kept: Sequence[TracedStep], index: int) -> bool:
    """Whether a literal text went where secrets go."""
    source = typed(kept[index])
    return source is not None and source[0] == "text" and bool(_SECRET_WORDS.search(words_for(kept, index)))


def words_for(kept: Sequence[TracedStep], index: int) -> str:
    """What the text's field was called: by the step itself, else by the click that went before."""
    if kept[index].target:
        return kept[index].target
    for before in reversed(kept[:index]):
        if isinstance(before.action, Click):
            return before.target
        if not stays_in_field(before.action):
            break
    return ""


def stays_in_field(action: Action) -> bool:
    """Whether the keyboard stays in its field: Ctrl+A and Backspace edit, Tab and Enter leave."""
    return isinstance(action, Hotkey | Wait) or (isinstance(action, Press) and action.key in _EDITING_KEYS)


def replaces(steps: Sequence[TracedStep]) -> bool:
    """Whether a click is followed by a text that takes the place of whatever the field holds."""
    first, *then = [step.action for step in steps]
    if not isinstance(first, Click) or not then:
        return False
    if first.clicks >= 3:
        return typed(steps[1]) is not None
    return then[0] == Hotkey(keys=("ctrl", "a")) and len(then) > 1 and typed(steps[2]) is not None


def guess_kind(value: str, words: str = "") -> InputKind:
    """The kind whose form a text has; words decide only where the form leaves it open."""
    for kind, form in _FORMS:
        if form.fullmatch(value.strip()) and re.fullmatch(INPUT_PATTERNS[kind], value):
            return kind
    if "\n" in value:
        return InputKind.TEXT
    if _SEARCH_WORDS.search(words):
        return InputKind.SEARCH_TERM
    if _FILE_WORDS.search(words) and "/" in value:
        return InputKind.FILENAME
    return InputKind.TEXT


_FORMS = (
    (InputKind.EMAIL, _EMAIL),
    (InputKind.DATE, _DATE),
    (InputKind.NUMBER, _NUMBER),
    (InputKind.URL, _URL),
    (InputKind.FILENAME, _FILE),
)


def _name(words: str, kind: InputKind, value: str) -> str:
    plain = [word for word in re.findall(r"[a-z0-9]+", words.lower()) if word not in _NOISE]
    name = "_".join(plain[:3])[:40].strip("_")
    if not name or not name[0].isalpha() or value.lower() in words.lower():
        return kind.value
    return name


def _unique(name: str, taken: list[str]) -> str:
    number = 1
    unique = name
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    return unique


def _why(value: str, goal: str, count: int) -> str:
    said = "it is in the task goal" if value.casefold() in goal.casefold() else "it was typed"
    return f"{said}; the same text {count} times" if count > 1 else said
