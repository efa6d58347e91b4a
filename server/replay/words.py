"""Words that several refusals use."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

PARTLY = "partly"
"""The binding of a step of which only a part was sent."""
PREPARED = "prepared"
"""The event of a run that says what was started or raised before its first step."""


def a_dialog(title: str, application: str = "") -> str:
    """A dialog as a person would name it; many have no title."""
    named = f"the dialog {title[:120]!r}" if title.strip() else "a dialog without a title"
    return f"{named} of {application}" if application else named


def sentence(text: str) -> str:
    """With one mark at its end."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def done_words(
    notes: Iterable[Mapping[str, JsonValue]],
    planned: Iterable[Mapping[str, JsonValue]] = (),
    prepared: Iterable[str] = (),
) -> list[str]:
    """What a replay did to the desktop, one line each; of many the first and the last."""
    words = list(prepared)
    for note in notes:
        partly = " (in part)" if note.get("binding") == PARTLY else ""
        words.append(f"{note['step']}: {note['action']} {note.get('target', '')}".strip() + partly)
    words += [f"planned: {one['action']} {one.get('target', '')}".strip() for one in planned]
    return words if len(words) <= 8 else [*words[:3], f"... {len(words) - 6} more", *words[-3:]]
