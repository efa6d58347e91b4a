"""Words that several refusals use."""


def a_dialog(title: str, application: str = "") -> str:
    """A dialog as a person would name it; many have no title."""
    named = f"the dialog {title[:120]!r}" if title.strip() else "a dialog without a title"
    return f"{named} of {application}" if application else named


def sentence(text: str) -> str:
    """With one mark at its end."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
