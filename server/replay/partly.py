"""Pure: whether an act that failed may have sent some of its events already."""

from actionlens.actions import Action, Type, Wait

_NOTHING_YET = "before its first input event"
_COUNTED = "characters were sent)"


def may_be_sent_in_part(action: Action, error: str, *, lost: bool = False) -> bool:
    """By what the desktop said: typing counts its characters; of anything else not even that is known."""
    if isinstance(action, Wait) or _NOTHING_YET in error:
        return False
    if isinstance(action, Type) and action.text is not None and not lost:
        return _COUNTED in error
    return True
