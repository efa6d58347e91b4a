"""A private desktop: Xvfb, a window manager and a session bus of our own, gone when we are.

Runs inside the desk's process only.
"""

import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from actionlens.authority import ANY_HOST, cookie_entry
from actionlens.errors import ActionFailed, DesktopUnusable
from actionlens.manager import manager_command
from actionlens.programs import clean_environment, leashed
from ibtr.geometry import Size

LARGEST = Size(3840, 2160)  # Xvfb cannot grow beyond its first size, so it starts big (23 MB more)
_START_S = 15.0
_RESOURCES = (
    b"Xft.dpi:\t96\n"  # else fonts follow rounded millimetres, and change with the size of the screen
)
_MEDIA_KEYS = range(149, 256)  # key codes of "play", "mail", "sleep" and the like


class VirtualScreen:
    """An X server with a window manager; `display` and `environment` are what programs on it need."""

    def __init__(self, size: Size, folder: Path) -> None:
        self._folder = folder
        self._parts: list[subprocess.Popen[bytes]] = []
        self._authority = folder / "Xauthority"
        server = _need("Xvfb", "xvfb")
        manager = manager_command(folder)
        self.display = self._start_server(server, Size(max(size[0], LARGEST[0]), max(size[1], LARGEST[1])))
        os.environ["DISPLAY"], os.environ["XAUTHORITY"] = self.display, str(self._authority)
        self.environment = clean_environment(
            DISPLAY=self.display,
            XAUTHORITY=str(self._authority),
            XDG_SESSION_TYPE="x11",
            XDG_RUNTIME_DIR=str(folder),
            DBUS_SESSION_BUS_ADDRESS=self._start_bus(),
        )
        self.resize(size)
        self._prepare_fonts()
        self._prepare_keyboard()
        self._start(manager)
        self._await_manager()

    def resize(self, size: Size) -> None:
        """Give the running server another size.

        Raises:
            ActionFailed: larger than the server was started with.
        """
        from Xlib import display as xdisplay

        display = xdisplay.Display(self.display)
        try:
            _set_mode(display, size)
        finally:
            display.close()

    def end(self) -> None:
        """End everything, the server last."""
        for part in reversed(self._parts):
            part.terminate()
        for part in reversed(self._parts):
            try:
                part.wait(1)
            except subprocess.TimeoutExpired:
                part.kill()
                part.wait()

    def _start_server(self, server: str, size: Size) -> str:
        cookie = secrets.token_bytes(16)
        wild = cookie_entry("", cookie, family=ANY_HOST)
        self._authority.touch(mode=0o600)
        self._authority.write_bytes(wild)
        read, write = os.pipe()
        argv = [
            server,
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{size.width}x{size.height}x24",
            "-dpi",
            "96",
        ]
        argv += ["-noreset", "-nolisten", "tcp", "-auth", str(self._authority), "+extension", "RANDR"]
        with (self._folder / "Xvfb.log").open("wb") as log:
            part = subprocess.Popen(
                leashed(argv, signal.SIGTERM),
                pass_fds=(write,),
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._parts.append(part)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            said = (self._folder / "Xvfb.log").read_text(errors="replace").strip()[-300:]
            raise DesktopUnusable(f"Xvfb did not start: {said or 'it said nothing'}")
        self._authority.write_bytes(cookie_entry(number, cookie) + wild)
        return f":{number}"

    def _start_bus(self) -> str:
        """A session bus of its own, so that programs do not talk to those of the user's desktop."""
        daemon = shutil.which("dbus-daemon")
        if daemon is None:
            return "disabled:"
        read, write = os.pipe()
        argv = [daemon, "--session", "--nofork", "--nopidfile", f"--print-address={write}"]
        self._parts.append(
            subprocess.Popen(
                leashed(argv),
                pass_fds=(write,),
                env=clean_environment(DISPLAY=self.display, XAUTHORITY=str(self._authority)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            return pipe.readline().strip() or "disabled:"

    def _start(self, argv: list[str]) -> None:
        self._parts.append(
            subprocess.Popen(
                leashed(argv),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    def _await_manager(self) -> None:
        from Xlib import X
        from Xlib import display as xdisplay

        display = xdisplay.Display(self.display)
        check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        end = time.monotonic() + _START_S
        while display.screen().root.get_full_property(check, X.AnyPropertyType) is None:
            if time.monotonic() > end or self._parts[-1].poll() is not None:
                raise DesktopUnusable("the window manager did not start on the virtual desktop")
            time.sleep(0.01)
        display.close()

    def _prepare_fonts(self) -> None:
        """Letters as large on every size of screen: a property of the root window, which a resize leaves."""
        from Xlib import Xatom
        from Xlib import display as xdisplay

        display = xdisplay.Display(self.display)
        display.screen().root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, _RESOURCES)
        display.sync()
        display.close()

    def _prepare_keyboard(self) -> None:
        """No doubled keys where a release comes late; and media keys become spare ones, to type any text."""
        from Xlib import X
        from Xlib import display as xdisplay

        from actionlens.text import set_meanings

        display = xdisplay.Display(self.display)
        display.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        modifiers = {code for codes in display.get_modifier_mapping() for code in codes}
        set_meanings(display, dict.fromkeys(set(_MEDIA_KEYS) - modifiers, X.NoSymbol))
        display.close()


def _set_mode(display: Any, size: Size) -> None:
    from Xlib.ext import randr

    root = display.screen().root
    largest = root.xrandr_get_screen_size_range()
    if size.width > largest.max_width or size.height > largest.max_height:
        raise ActionFailed(
            f"the virtual desktop cannot be {size.width}x{size.height}: "
            f"it started with {largest.max_width}x{largest.max_height} at most"
        )
    resources = root.xrandr_get_screen_resources()
    name = f"{size.width}x{size.height}"
    known = {
        (mode.width, mode.height): mode.id
        for mode in resources.modes
        if mode.id in display.xrandr_get_output_info(resources.outputs[0], 0).modes
    }
    mode = known.get((size.width, size.height))
    if mode is None:
        width, height = size
        timing = (0, width, height, 0, width, width, width, 0, height, height, height, len(name), 0)
        mode = root.xrandr_create_mode(timing, name).mode
        display.xrandr_add_output_mode(resources.outputs[0], mode)
    now = root.get_geometry()
    root.xrandr_set_screen_size(max(now.width, size.width), max(now.height, size.height), 508, 286)
    stamp = root.xrandr_get_screen_resources().config_timestamp
    display.xrandr_set_crtc_config(
        resources.crtcs[0], stamp, 0, 0, mode, randr.Rotate_0, [resources.outputs[0]]
    )
    root.xrandr_set_screen_size(*size, round(size.width * 25.4 / 96), round(size.height * 25.4 / 96))
    display.sync()
    display.screen().root.warp_pointer(size.width // 2, size.height // 2)
    display.sync()


def _need(program: str, package: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise DesktopUnusable(
            f"no {program} on this machine: install it (Debian: apt-get install {package} openbox), "
            "or set ECHOPATH_DESKTOP=local on a machine with a screen"
        )
    return found
