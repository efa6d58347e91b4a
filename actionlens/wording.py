"""What an action does, in a few words for people: `ctrl+s`, `'a text'`, `120,45 button=right`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_USUAL = {"button": "left", "clicks": 1, "presses": 1, "duration_s": 0.3}
_BARE = {"key", "keys"}


class _End(NamedTuple):
    other: str
    said: str


_ENDS = {"x": _End("y", ""), "to_x": _End("to_y", "to ")}
_SAID = {"y", "to_y", "x", "to_x", "text"}


def parameter_words(
    parameters: Mapping[str, object], most_text: int = 60, *, with_places: bool = True
) -> str:
    """Parameters as people write them; what is absent or as usual is left out."""
    said = {name: value for name, value in parameters.items() if with_places or name not in _ENDS}
    return " ".join(_words(said, most_text))


def clip(text: str, most: int) -> str:
    """As much of a text as an answer should carry."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _words(parameters: Mapping[str, object], most_text: int) -> Iterator[str]:
    for name, value in parameters.items():
        if name in _ENDS and value is not None:
            yield f"{_ENDS[name].said}{value},{parameters.get(_ENDS[name].other)}"
        elif name == "text" and value:
            yield repr(clip(str(value), most_text))
        elif name not in _SAID and value and value != _USUAL.get(name):
            said = clip(_plain(value), most_text)
            yield said if name in _BARE else f"{name}={said}"


def _plain(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "+".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
    return str(value)
