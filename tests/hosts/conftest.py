"""The real hosts, which scripts/hosts.sh installs outside the repository; skipped where they are not."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server.processes import ROOT, environment

SCRIPT = ROOT / "scripts" / "hosts.sh"
INSTALL_S = 600


@dataclass(frozen=True)
class Hosts:
    """Where the programs of the hosts are."""

    node: Path
    inspector: Path
    claude: Path
    codex: Path


@pytest.fixture(scope="session")
def hosts() -> Hosts:
    if reason := _why_not():
        pytest.skip(reason)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    modules = Path(os.environ.get("ECHOPATH_HOSTS") or Path(cache) / "echopath" / "hosts") / "node_modules"
    codex = next((modules / "codex-native" / "vendor").glob("*/bin/codex"))
    node = next(modules.glob("node-*/bin/node"))
    return Hosts(node, modules / ".bin" / "mcp-inspector", modules / "claude-code-native" / "claude", codex)


def _why_not() -> str:
    """Why the hosts are not here; in CI they are installed, elsewhere that is left to `make hosts`."""
    if _script("--check"):
        return ""
    if not os.environ.get("CI"):
        return "the hosts are not installed: `make hosts`"
    if not shutil.which("npm"):
        return "no npm here, so no hosts"
    return "" if _script() else "the hosts cannot be installed here (no npm registry)"


def _script(*arguments: str) -> bool:
    try:
        done = subprocess.run(
            ["bash", str(SCRIPT), *arguments], capture_output=True, timeout=INSTALL_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """An environment in which a host finds nothing of the user's, and the `echopath` of this project."""
    user = tmp_path / "user"
    user.mkdir()
    own = environment(tmp_path, HOME=str(user), CODEX_HOME=str(user / ".codex"))
    return own | {"PATH": f"{Path(sys.executable).parent}:{own['PATH']}", "DISABLE_AUTOUPDATER": "1"}
