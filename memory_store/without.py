"""Import a library without what it would load only because it is installed: numpy costs 20 MB at rest."""

import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Absent(MetaPathFinder):
    """Says that some modules are not there, to one thread only: another may need them at this moment."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._thread = frozenset(names), threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing to say about any other module."""
        if fullname in self._names and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"no {fullname} is wanted here", name=fullname)
        return None


@contextmanager
def without(*names: str) -> Generator[None]:
    """Let what this thread imports do without these modules, unless they are loaded already."""
    absent = _Absent(names)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)
