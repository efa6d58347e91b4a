"""Composes the parts; the only package that knows MCP."""
