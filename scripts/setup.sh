#!/usr/bin/env bash
# Make this machine able to run EchoPath: Debian packages (only the missing ones), a venv, the project in it.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
VENV=${VENV:-.venv}
PACKAGES=(python3 python3-venv xvfb openbox xauth xclip dbus x11-xkb-utils x11-xserver-utils mousepad galculator fonts-dejavu-core)
PROGRAMS="Xvfb, openbox, xclip, dbus, setxkbmap, xrandr, Mousepad and Galculator"

say() { printf 'setup: %s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }

missing_packages() {
  local name
  for name in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >/dev/null \
    || stop "'apt-get $1' failed; install by hand, then run this again: $missing"
}

install_debian_packages() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    stop "these Debian packages are missing, and there is neither root nor sudo to install them: $missing"
  fi
  say "installing: $missing"
  apt update
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $missing
}

system=$(uname -s)
if [ "$system" != Linux ]; then
  say "$system: desktops are driven on Linux only (X11, or Xvfb for a private one). Here EchoPath installs,"
  say "reads runs and memories, and 'echopath doctor' tells the rest; the demo and the desktop tests do not run."
elif command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_debian_packages
else
  say "no apt-get here: install $PROGRAMS"
  say "with this system's package manager, where they are missing; then 'echopath doctor' tells what works."
fi

command -v "$PYTHON" >/dev/null \
  || stop "no $PYTHON: install Python 3.11 or newer, or run 'make PYTHON=/path/to/python'"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || stop "Python 3.11 or newer is needed, $("$PYTHON" --version) was found: run 'make PYTHON=/path/to/python3.11'"
if [ ! -x "$VENV/bin/python" ]; then
  "$PYTHON" -m venv "$VENV" || stop "no venv can be made with $PYTHON: install its venv module (Debian: python3-venv)"
fi
"$VENV/bin/python" -m pip install -q 'pip>=25.1' || stop "pip cannot be brought up to date (25.1 or newer is needed)"
say "installing the Python packages"
"$VENV/bin/python" -m pip install -q -e . --group dev \
  || stop "pip could not install the Python packages (see above); is the package index within reach?"
touch "$VENV/.ready"
