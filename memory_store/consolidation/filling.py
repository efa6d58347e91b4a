"""Is what was clicked a field that is written into next? Then the text in it is content, not its name."""

from collections.abc import Sequence

from actionlens.actions import Action, Hotkey, Paste, Press, Type

_WITHIN = frozenset({"home", "end", "delete", "backspace", "left", "right", "up", "down", "a"})


def is_filled(actions: Sequence[Action], at: int) -> bool:
    """Whether text follows the action at index `at`, with nothing but moves within a field in between."""
    for action in actions[at + 1 :]:
        match action:
            case Type() | Paste():
                return True
            case Press(key=key) if key in _WITHIN:
                continue
            case Hotkey(keys=keys) if keys[-1] in _WITHIN:
                continue
            case _:
                return False
    return False


def was_filled(actions: Sequence[Action], at: int) -> bool:
    """Whether text was written right before the action at index `at`: into a form, not into a question."""
    for action in reversed(actions[:at]):
        match action:
            case Type() | Paste():
                return True
            case Press() | Hotkey():
                continue
            case _:
                return False
    return False
