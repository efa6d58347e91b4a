"""Read policy.toml: from the config folder only, again whenever it changed, never guessed at."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from actionlens.problems import in_words
from ibtr.errors import EchoPathError
from server.policy import Policy

POLICY_FILE = "policy.toml"
_Stamp = tuple[int, int, int]


class BadPolicy(EchoPathError):
    """A policy that cannot be used; the text names the file, the field and the fix. Nothing is done."""


def read_policy(folder: Path) -> Policy:
    """The user's policy, or the default one where there is no file.

    Raises:
        BadPolicy: naming the field, or the line that is no TOML.
    """
    file = folder / POLICY_FILE
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return Policy()
    except (OSError, UnicodeDecodeError) as exc:
        raise BadPolicy(f"{file}: {getattr(exc, 'strerror', None) or 'is not UTF-8 text'}") from exc
    try:
        return Policy.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        raise BadPolicy(f"{file}: {exc}") from exc
    except ValidationError as exc:
        raise BadPolicy(f"{file}: {_first_line(exc)}") from exc


class PolicyFile:
    """The policy as it is now; the file is parsed only when it changed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / POLICY_FILE
        self._seen: tuple[_Stamp | None, Policy] | None = None

    def read(self) -> Policy:
        """Blocks for a look at the file.

        Raises:
            BadPolicy: it cannot be used.
        """
        stamp = self._stamp()
        if self._seen is None or self._seen[0] != stamp:
            self._seen = None
            self._seen = (stamp, read_policy(self.path.parent))
        return self._seen[1]

    def _stamp(self) -> _Stamp | None:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise BadPolicy(f"{self.path}: {exc.strerror}") from exc
        return state.st_mtime_ns, state.st_size, state.st_ino


def _first_line(exc: ValidationError) -> str:
    """Every wrong field once, on one line; a union says the same of each of its parts."""
    said: dict[str, str] = {}
    for one in exc.errors():
        field = ".".join(str(part) for part in one["loc"] if not _is_branch(part))
        said.setdefault(field, in_words(one))
    return "; ".join(f"{field}: {text}" if field else text for field, text in said.items())


def _is_branch(part: int | str) -> bool:
    return isinstance(part, str) and (part in ("TextRule",) or "[" in part)
