"""The fixed tools, by name, in the order in which a model reads them."""

from __future__ import annotations

from functools import cache
from typing import Any

from server.toolspec import ToolSpec


@cache
def fixed_tools() -> dict[str, ToolSpec[Any]]:
    """Every fixed tool; their modules are loaded when a client first asks."""
    from server.tools import consolidate, fallback, gateway, govern, operate, record

    families = (
        gateway.TOOLS,
        operate.TOOLS,
        fallback.TOOLS,
        record.TOOLS,
        consolidate.TOOLS,
        govern.TOOLS,
    )
    return {spec.name: spec for family in families for spec in family}


def fixed_names() -> frozenset[str]:
    """Names that no memory can have as a tool."""
    return frozenset(fixed_tools())
