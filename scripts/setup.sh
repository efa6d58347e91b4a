#!/usr/bin/env bash
# Make this machine able to run EchoPath: Debian packages (only the missing ones), a venv, the project in it.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
VENV=${VENV:-.venv}
PACKAGES=(python3 python3-venv xvfb openbox xauth xclip dbus mousepad galculator fonts-dejavu-core)

say() { printf 'setup: %s\n' "$*" >&2; }

missing_packages() {
  local name
  for name in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if [ "$(uname -s)" != Linux ]; then
  say "$(uname -s): the virtual desktop needs Linux with Xvfb. The library and 'echopath doctor' install here;"
  say "desktop tests and the demo do not run."
elif command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  missing=$(missing_packages)
  if [ -n "$missing" ]; then
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
      say "these Debian packages are missing, and there is neither root nor sudo to install them: $missing"
      exit 1
    fi
    say "installing: $missing"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
  fi
else
  say "no apt-get here. Install Xvfb, openbox, xclip, dbus, Mousepad and Galculator with this system's package manager."
fi

if ! command -v "$PYTHON" >/dev/null; then
  say "no $PYTHON: install Python 3.11 or newer, or run 'make PYTHON=/path/to/python'"
  exit 1
fi
if ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  say "Python 3.11 or newer is needed, $("$PYTHON" --version) was found: run 'make PYTHON=/path/to/python3.11'"
  exit 1
fi
if [ ! -x "$VENV/bin/python" ]; then
  "$PYTHON" -m venv "$VENV"
  "$VENV/bin/python" -m pip install -q --upgrade pip  # dependency groups need pip 25.1
fi
say "installing the Python packages"
"$VENV/bin/python" -m pip install -q -e . --group dev
touch "$VENV/.ready"
