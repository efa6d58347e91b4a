"""What a desk holds down on a display, written before it goes down: if the desk dies, the next one lets go.

Keys and buttons pressed through XTEST stay down when the process that pressed them is killed.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from actionlens.lock import lock_folder, open_own, safe_name
from actionlens.observation import Record
from actionlens.process import identity, is_alive

_ROOM = 4096  # bytes of a journal; padded, so that one write replaces all of it


class Held(Record):
    """What one desk may have left behind."""

    owner: str
    keys: tuple[int, ...] = ()
    buttons: tuple[int, ...] = ()
    borrowed: dict[int, int] = {}
    """Spare key codes that were given a meaning, and which."""
    caps_lifted: bool = False
    """Caps Lock was on and is off only while we type."""


class HeldJournal:
    """This desk's page; one small write per change, before the event that it tells of."""

    def __init__(self, place: str) -> None:
        self._path = lock_folder() / f"held{safe_name(place)}.{safe_name(identity())}"
        self._fd = open_own(self._path, os.O_TRUNC)
        self._held = Held(owner=identity())

    def note(
        self,
        *,
        keys: tuple[int, ...] | None = None,
        buttons: tuple[int, ...] | None = None,
        borrowed: Mapping[int, int] | None = None,
        caps_lifted: bool | None = None,
    ) -> None:
        """Write down what will be held from now on; what is not given stays as it was."""
        given = {"keys": keys, "buttons": buttons, "borrowed": borrowed, "caps_lifted": caps_lifted}
        new = self._held.model_copy(update={name: one for name, one in given.items() if one is not None})
        if new != self._held:
            os.pwrite(self._fd, new.model_dump_json().encode().ljust(_ROOM), 0)
            self._held = new

    def close(self) -> None:
        """Nothing is held any more."""
        os.close(self._fd)
        self._path.unlink(missing_ok=True)


def left_behind(place: str) -> Iterator[Held]:
    """What desks that died held on this display. Each is told once."""
    for path in lock_folder().glob(f"held{safe_name(place)}.*"):
        if (held := _read(path)) and not is_alive(held.owner):
            yield held
            path.unlink(missing_ok=True)


def _read(path: Path) -> Held | None:
    with suppress(OSError):
        try:
            return Held.model_validate_json(path.read_bytes())
        except ValidationError:  # opened, and nothing held yet
            owner = path.name.rpartition(".")[2].replace("_", ":")
            return Held(owner=owner)
    return None
