"""Holds the user's clipboard after a desk has left: an X clipboard lives only as long as its owner.

Started as `python -m actionlens.clipboard_keeper DISPLAY`; reads the content as JSON, and ends as soon as
somebody copies something else, or with the display.
"""

import base64
import json
import os
import select
import subprocess
import sys
from contextlib import suppress

from actionlens.clipboard import Clipboard, Content
from actionlens.programs import clean_environment

_NEEDED = ("XAUTHORITY", "PYTHONPATH")


def leave_to_a_keeper(display_name: str, content: Content) -> None:
    """Start a keeper, and return once it owns the clipboard."""
    keeper = subprocess.Popen(
        [sys.executable, "-m", "actionlens.clipboard_keeper", display_name],
        env=clean_environment(**{name: os.environ[name] for name in _NEEDED if name in os.environ}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert keeper.stdin and keeper.stdout
    with keeper.stdin as to_keeper, keeper.stdout as said:
        to_keeper.write(json.dumps({k: base64.b64encode(v).decode() for k, v in content.items()}).encode())
        to_keeper.close()
        said.readline()


def main() -> None:
    """Own the clipboard until nobody needs us."""
    content = {name: base64.b64decode(text) for name, text in json.load(sys.stdin).items()}
    clipboard = Clipboard(sys.argv[1])
    clipboard.offer(content)
    with suppress(BrokenPipeError):
        sys.stdout.write("owned\n")
        sys.stdout.close()
    with suppress(Exception):  # the display has gone, and with it the clipboard
        while clipboard.content:
            select.select([clipboard], [], [])
            clipboard.pump()


if __name__ == "__main__":
    main()
