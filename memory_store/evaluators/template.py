"""`{input}` placeholders in what an evaluator expects, filled so that a value stays a value.

A literal brace is written `{{` or `}}`. Filling knows where it fills: in a regular expression a value is
escaped, in a path it cannot leave the folder that the evaluator names, in a URL it cannot leave its segment,
in a command it cannot become an option.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from pydantic import AfterValidator, Field

from memory_store.evaluators.outcome import CouldNotRun

MAX_TEMPLATE = 20_000
_PORTS = {"http": 80, "https": 443}
_PIECE = re.compile(
    r"(?P<open>\{\{)|(?P<close>\}\})|\{(?P<name>[A-Za-z_][A-Za-z0-9_]{0,63})\}|(?P<stray>[{}])"
)
_QUANTIFIER = re.compile(r"(?<!\{)\{(\d+,?\d*|,\d+)\}(?!\})")


class Slot(NamedTuple):
    """The place of one input."""

    name: str


Piece = str | Slot


class Place(NamedTuple):
    """A path, and the folder that no input may lead out of (`None`: the path holds no input)."""

    path: Path
    folder: Path | None


def parse(template: str) -> tuple[Piece, ...]:
    """The literal parts and the places of inputs, in order.

    Raises:
        ValueError: a brace that neither names an input nor is doubled.
    """
    pieces: list[Piece] = []
    end = 0
    for found in _PIECE.finditer(template):
        pieces.append(template[end : found.start()])
        end = found.end()
        if found["stray"]:
            raise ValueError(
                f"character {found.start()} is a lone {found['stray']!r}: "
                f"write {found['stray'] * 2!r} for a brace and {{name}} for an input"
            )
        pieces.append(Slot(found["name"]) if found["name"] else found[0][0])
    pieces.append(template[end:])
    return tuple(piece for piece in pieces if piece)


def parse_regex(template: str) -> tuple[Piece, ...]:
    """As `parse`, with `{3}` and `{2,5}` left as the repetitions they are."""
    return parse(_QUANTIFIER.sub(r"{{\1}}", template))


def names_in(pieces: tuple[Piece, ...]) -> frozenset[str]:
    """Inputs that a template mentions."""
    return frozenset(piece.name for piece in pieces if isinstance(piece, Slot))


@dataclass(frozen=True, slots=True)
class Values:
    """The inputs of one run or replay, and the ways to put them into a template."""

    given: Mapping[str, str] = field(default_factory=dict[str, str])

    def text(self, template: str, where: str) -> str:
        """The template with the values as they are."""
        return self._join(parse(template), where, _as_it_is)

    def regex(self, template: str, where: str) -> str:
        """The pattern with every value matching only itself."""
        return self._join(parse_regex(template), where, lambda value, _: re.escape(value))

    def argument(self, template: str, where: str) -> str:
        """One argument of a command, which a value cannot turn into an option; `~/` is the user's home."""
        pieces = parse(template)
        filled = self._join(pieces, where, _as_it_is)
        if pieces and isinstance(pieces[0], Slot) and filled.startswith("-"):
            raise CouldNotRun(
                where, f"the value of {{{pieces[0].name}}} begins with '-'", "put text before the input"
            )
        if "\0" in filled:
            raise CouldNotRun(where, "a value holds a NUL character", "remove it")
        return at_home(filled) if template[:2] in {"~", "~/"} else filled

    def url(self, template: str, where: str) -> str:
        """A URL whose values are percent-encoded whole, `/` and `?` included."""
        return self._join(
            parse(template), where, lambda value, name: quote(_inside(value, name, where), safe="")
        )

    def path(self, template: str, where: str) -> Place:
        """A path below the folder that the template names before its first input.

        Raises:
            CouldNotRun: a value is empty, absolute, or climbs (`.` or `..`) out of that folder.
        """
        pieces = parse(template)
        if not names_in(pieces):
            return Place(Path("".join(map(str, pieces))).expanduser(), None)
        filled = self._join(pieces, where, lambda value, name: _inside(value, name, where))
        folder = _folder_of(pieces)
        rest = filled[len(folder) :]
        if any(part in {".", ".."} for part in rest.split("/")):
            raise CouldNotRun(where, "the values together climb out of the folder", "give plain file names")
        root = Path(folder).expanduser()
        return Place(root / rest, root)

    def _join(self, pieces: tuple[Piece, ...], where: str, escape: Callable[[str, str], str]) -> str:
        return "".join(
            escape(self._value(piece.name, where), piece.name) if isinstance(piece, Slot) else piece
            for piece in pieces
        )

    def _value(self, name: str, where: str) -> str:
        if name not in self.given:
            raise CouldNotRun(
                where,
                f"there is no value for {{{name}}}",
                f"declare {name} as an input (a secret cannot be used here), or double the braces",
            )
        value = self.given[name]
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise CouldNotRun(
                where, f"the value of {{{name}}} holds half a character", "give whole characters"
            )
        return value


def at_home(word: str) -> str:
    """As a shell would read one word: a leading `~` is the home folder of whoever runs it."""
    return str(Path(word).expanduser()) if word == "~" or word.startswith("~/") else word


def _as_it_is(value: str, _name: str) -> str:
    return value


def _inside(value: str, name: str, where: str) -> str:
    """A value that names something below where it stands, never beside or above."""
    if any(char in value for char in "\0\\") or any(part in {"", ".", ".."} for part in value.split("/")):
        raise CouldNotRun(
            where,
            f"the value of {{{name}}} is empty, absolute or climbs out of its folder",
            "give a plain name without '..', '\\' or a leading '/'",
        )
    return value


def _folder_of(pieces: tuple[Piece, ...]) -> str:
    literal = before_inputs(pieces)
    return literal[: literal.rfind("/") + 1]


def before_inputs(pieces: tuple[Piece, ...]) -> str:
    """What stands before the first input: all of it, if there is none."""
    literal = ""
    for piece in pieces:
        if isinstance(piece, Slot):
            break
        literal += piece
    return literal


def port_of(url: SplitResult) -> int | None:
    """The port that a URL asks for, its scheme's own if it names none; None if that is no port."""
    try:
        return _PORTS.get(url.scheme, 80) if url.port is None else url.port or None
    except ValueError:
        return None


def _text(template: str) -> str:
    parse(template)
    return template


def _regex(template: str) -> str:
    trial = "".join("x" if isinstance(piece, Slot) else piece for piece in parse_regex(template))
    try:
        re.compile(trial)
    except RecursionError as exc:
        raise ValueError("not a usable regular expression: its groups are nested too deep") from exc
    except (re.error, OverflowError) as exc:
        raise ValueError(f"not a regular expression: {exc}") from exc
    return template


def check_path(template: str) -> str:
    """Let a path pass that means the same file from everywhere, and whose inputs cannot lead elsewhere.

    Raises:
        ValueError: saying what it must be.
    """
    pieces = parse(template)
    if not template.startswith(("/", "~/")) or "\0" in template:
        raise ValueError("must be absolute or begin with '~/'")
    if names_in(pieces) and _folder_of(pieces) in {"", "/"}:
        raise ValueError("must name a folder before the first input")
    if ".." in template.split("/"):
        raise ValueError("must not hold '..'")
    return template


def _url(template: str) -> str:
    pieces = parse(template)
    literal = before_inputs(pieces)
    parts = urlsplit(literal)
    if not port_of(parts):
        raise ValueError("must have a port from 1 to 65535, or none")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must begin with http:// or https:// and a host")
    if names_in(pieces) and not parts.path:
        raise ValueError("inputs may stand only after the host and a '/'")
    if parts.username or parts.password:
        raise ValueError("must not hold a user name or password")
    return template


TextTemplate = Annotated[str, Field(max_length=MAX_TEMPLATE), AfterValidator(_text)]
RegexTemplate = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_regex)]
PathTemplate = Annotated[str, Field(min_length=2, max_length=2_000), AfterValidator(check_path)]
UrlTemplate = Annotated[str, Field(max_length=2_000), AfterValidator(_url)]
