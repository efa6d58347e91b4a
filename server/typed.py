"""Pure: what stands in a line after an action, as far as we typed it.

A command that comes in two halves is one command: patterns are looked for in the line, not in the action.
"""

from actionlens.actions import Action, Hotkey, Paste, Press, Type

LINE = 2_000  # characters of a line that are remembered
_SIGNS = {"space": " ", "tab": " "}


def typed_after(line: str, action: Action) -> str:
    """The line with the action's text added; a secret leaves nothing, and what is not typing leaves it."""
    match action:
        case Type(text=str(text)) | Paste(text=text):
            return line + text
        case Press(key="enter"):
            return line + "\n"
        case Press(key="backspace", presses=times):
            return line[: max(0, len(line) - times)]
        case Press(key=key, presses=times) if len(key) == 1 or key in _SIGNS:
            return line + _SIGNS.get(key, key) * times
        case Hotkey(keys=("shift", key)) if len(key) == 1:
            return line + key.upper()
        case Hotkey(keys=("ctrl", "u" | "c")):
            return ""
        case _:
            return line
