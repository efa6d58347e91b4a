"""What was learned; knows SQL and blobs, not MCP."""
