"""The folder that the demo works in: made by a demo, and cleared of nothing but what a demo wrote."""

import shutil
from pathlib import Path

from server.errors import FolderTaken

MARK = ".echopath-demo"
WRITTEN = ("home", "clients.txt", "recorded.png", "filmstrip.png", "verified.html", "refused.html")


def made_ready(out: Path) -> Path:
    """The folder, without what an earlier demo has left in it; whatever else lies there stays.

    Raises:
        FolderTaken: it holds something, and no demo has made it.
    """
    out = out.absolute()
    if out.is_dir() and not (out / MARK).is_file() and any(out.iterdir()):
        raise FolderTaken(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).touch()
    for name in WRITTEN:
        path = out / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return out
