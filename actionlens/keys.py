"""One name per key, whatever the caller's platform calls it."""

import unicodedata

NAMED = frozenset(
    "enter tab space backspace delete escape insert home end pageup pagedown up down left right "
    "capslock numlock scrolllock printscreen pause menu shift ctrl alt super".split()
) | {f"f{n}" for n in range(1, 25)}

MODIFIERS = frozenset({"shift", "ctrl", "alt", "super"})

_ALIASES = {
    "return": "enter",
    "\n": "enter",
    "\t": "tab",
    " ": "space",
    "spacebar": "space",
    "esc": "escape",
    "del": "delete",
    "ins": "insert",
    "back": "backspace",
    "pgup": "pageup",
    "prior": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "next": "pagedown",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "control": "ctrl",
    "ctl": "ctrl",
    "option": "alt",
    "opt": "alt",
    "cmd": "super",
    "command": "super",
    "win": "super",
    "windows": "super",
    "meta": "super",
    "prtsc": "printscreen",
    "prtscr": "printscreen",
    "print": "printscreen",
    "apps": "menu",
    "contextmenu": "menu",
    "caps": "capslock",
    "plus": "+",
    "minus": "-",
    "comma": ",",
    "period": ".",
    "slash": "/",
}


def normal_key(name: str) -> str:
    """The canonical name of a key; a letter is a key, so its case is dropped.

    Raises:
        ValueError: no key is called that, naming what may be written instead.
    """
    key = name if len(name) == 1 else name.strip().lower().replace("_", "").replace("-", "").replace(" ", "")
    key = _ALIASES.get(key, key)
    for side in ("left", "right", "l", "r"):
        bare = key.removesuffix(side)
        if (modifier := _ALIASES.get(bare, bare)) in MODIFIERS:
            return modifier
    if key in NAMED:
        return key
    if len(key) == 1 and not unicodedata.category(key).startswith(("C", "Z")):
        return key.lower() if len(key.lower()) == 1 else key
    raise ValueError(f"no key is called {name!r}; use one character, or one of: {', '.join(sorted(NAMED))}")
