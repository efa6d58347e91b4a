#!/usr/bin/env bash
# The applications of the studies: heavy ones that neither the demo nor the tests need (about 300 MB to download).
set -euo pipefail
PACKAGES=(mousepad galculator pcmanfm chromium libreoffice-calc libreoffice-writer libreoffice-gtk3 gimp python3-gi gir1.2-gtk-3.0)
PACKAGES+=(at-spi2-core libatk-adaptor gir1.2-atspi-2.0 dbus) # what applications tell of their widgets (make bench-reaim)
if [ "${1:-}" = others ]; then # those that nothing was developed on (make bench-reaim)
  PACKAGES+=(geany gnumeric thunar featherpad sqlitebrowser keepassxc filezilla firefox-esr qt5-gtk-platformtheme)
fi

missing=()
for name in "${PACKAGES[@]}"; do
  dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
done
[ ${#missing[@]} = 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  printf 'bench-setup: no apt-get here; install these yourself: %s\n' "${missing[*]}" >&2
  exit 1
fi
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
printf 'bench-setup: installing: %s\n' "${missing[*]}" >&2
as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null
as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends "${missing[@]}" >/dev/null
