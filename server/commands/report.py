"""`echopath report`: one replay, as `echopath replays show` tells it."""

from server.commands.replays import show as command

__all__ = ["command"]
