"""Composes the parts; the only package that knows MCP."""

__version__ = "0.1.0"
