"""Which window manager a private desktop gets, and how it is started."""

import shutil
from pathlib import Path

from actionlens.errors import DesktopUnusable

MANAGERS = ("openbox", "jwm", "fluxbox")
_OPENBOX_CONFIG = Path("/etc/xdg/openbox/rc.xml")
_KEEP_BINDINGS = "<keyboard>\n  <rebindOnMappingNotify>no</rebindOnMappingNotify>"


def manager_command(folder: Path, config: Path = _OPENBOX_CONFIG) -> list[str]:
    """Command line of the first window manager that is installed; its own files go into `folder`.

    Openbox would read every key anew, and take no window in hand for seconds, each time a spare key is bound
    to a rare character: it gets the system's configuration (never a person's own) with that turned off.

    Raises:
        DesktopUnusable: none is installed.
    """
    manager = next((found for name in MANAGERS if (found := shutil.which(name))), None)
    if manager is None:
        raise DesktopUnusable("no window manager: install openbox (Debian: apt-get install openbox)")
    if not manager.endswith("openbox"):
        return [manager]
    if not config.is_file():
        return [manager, "--sm-disable"]
    ours = folder / "openbox.xml"
    ours.write_text(
        config.read_text(encoding="utf-8").replace("<keyboard>", _KEEP_BINDINGS, 1), encoding="utf-8"
    )
    return [manager, "--sm-disable", "--config-file", str(ours)]
