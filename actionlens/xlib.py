"""Is the Xlib that was installed the one that is there?

PyAutoGUI asks for python3-xlib 0.15, we for python-xlib 0.33, and both install the folder `Xlib`. An
installer that unpacks them side by side (uv) leaves the old one, or files of both. Such a mixture must not
drive a desktop: it cannot make screen modes, and cannot tell other people's presses from ours.
"""

import base64
import hashlib
import importlib.util
import shlex
import sys
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from actionlens.errors import DesktopUnusable

_PACKAGE = "python-xlib"


def need_whole_xlib() -> None:
    """Pass if every file of Xlib is as python-xlib brought it.

    Raises:
        DesktopUnusable: it is not, with the command that puts it right.
    """
    if told := xlib_trouble():
        raise DesktopUnusable(f"{told}. Mend it with: {repair_command()}")


@cache
def xlib_trouble() -> str:
    """What is wrong with the installed Xlib, in a sentence; empty if nothing is known to be."""
    try:
        installed = distribution(_PACKAGE)
    except PackageNotFoundError:
        return f"{_PACKAGE} is not installed"
    if others := overwritten(installed):
        return (
            f"{len(others)} files of {_PACKAGE} were overwritten by python3-xlib when EchoPath was installed"
        )
    return ""


def overwritten(installed: Distribution) -> list[str]:
    """The modules of a package that are no longer what its installer noted."""
    return [
        str(file)
        for file in installed.files or []
        if file.suffix == ".py"
        and file.hash is not None
        and _digest(installed.locate_file(file)) != file.hash.value
    ]


def repair_command() -> str:
    """What puts python-xlib back into this environment; one that uv made has no pip."""
    python = shlex.quote(sys.executable)
    if importlib.util.find_spec("pip"):
        return f"{python} -m pip install --force-reinstall --no-deps {_PACKAGE}"
    return f"uv pip install --python {python} --reinstall --no-deps {_PACKAGE}"


def _digest(path: object) -> str:
    try:
        content = Path(str(path)).read_bytes()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
