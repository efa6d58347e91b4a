#!/usr/bin/env bash
# Install the real hosts that tests/hosts speaks to (Inspector, Claude Code, Codex) into the user's cache folder,
# from the npm registry, at fixed versions. Nothing of it enters the repository or the PATH.
# Usage: hosts.sh            install what is missing
#        hosts.sh --check    only say whether everything is there (exit 1: it is not)
#        hosts.sh --inspect COMMAND...   open the Inspector on a server, as a web page
set -euo pipefail
CACHE=${ECHOPATH_HOSTS:-${XDG_CACHE_HOME:-$HOME/.cache}/echopath/hosts}
INSPECTOR=2.12.0 CLAUDE=2.1.325 CODEX=0.166.0 NODE=24.21.0

say() { printf 'hosts: %s\n' "$*" >&2; }

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64 | Linux-arm64) platform=linux-arm64 ;;
  *) say "no hosts for $(uname -s) $(uname -m) here"; exit 1 ;;
esac
stamp="$CACHE/.ready-$INSPECTOR-$CLAUDE-$CODEX-$NODE-$platform"

install() {
  command -v npm >/dev/null || { say "npm is not installed"; return 1; }
  mkdir -p "$CACHE"
  exec 9>"$CACHE/.lock" # one at a time: two test runs may want them at once
  flock 9
  [ ! -e "$stamp" ] || return 0
  say "installing into $CACHE (about 1 GB)"
  # The platform packages hold the programs themselves: no install scripts, and no newer Node than the system's
  # for Claude Code and Codex. The Inspector needs Node 22.19, so it gets a Node of its own.
  npm install --prefix "$CACHE" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
    --fetch-retries=1 --fetch-timeout=60000 \
    "@modelcontextprotocol/inspector@$INSPECTOR" \
    "node-$platform@$NODE" \
    "claude-code-native@npm:@anthropic-ai/claude-code-$platform@$CLAUDE" \
    "codex-native@npm:@openai/codex@$CODEX-$platform" >&2 || return 1
  rm -f "$CACHE"/.ready-*
  touch "$stamp"
}

case "${1:-}" in
  --check)
    [ -e "$stamp" ] || { say "not installed; run 'make hosts'"; exit 1; }
    ;;
  --inspect)
    shift
    [ -e "$stamp" ] || install
    exec "$CACHE/node_modules/node-$platform/bin/node" "$CACHE/node_modules/.bin/mcp-inspector" --web "$@"
    ;;
  *)
    [ -e "$stamp" ] || install
    say "ready in $CACHE"
    ;;
esac
