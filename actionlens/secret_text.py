"""Secrets by reference: looked up at the moment they are typed, never kept."""

import os
from collections.abc import Callable, Iterable

from actionlens.errors import SecretMissing


def resolve_secret(reference: str) -> str:
    """The text behind `env:NAME` or `keyring:service/name`.

    Raises:
        SecretMissing: it leads nowhere; says how to set it.
    """
    scheme, _, name = reference.partition(":")
    if scheme == "env":
        if value := os.environ.get(name):
            return value
        raise SecretMissing(
            f"text_ref {reference!r}: the variable {name} is not set for this server; set it in the host's "
            'entry ("env" in Claude Code; in Codex set it and name it in env_vars) and start the server anew'
        )
    try:
        import keyring
    except ImportError as exc:
        raise SecretMissing(
            f"text_ref {reference!r}: the `keyring` package is not there; add it to its environment "
            "(`pipx inject echopath keyring`)"
        ) from exc
    service, _, user = name.partition("/")
    if value := keyring.get_password(service, user):
        return str(value)
    raise SecretMissing(f"text_ref {reference!r}: no such entry; set it with `keyring set {service} {user}`")


def expect_secrets(references: Iterable[str], look_up: Callable[[str], str]) -> None:
    """See that every reference leads somewhere; what it leads to is not kept.

    Raises:
        SecretMissing: saying so of each that does not.
    """
    lacking: list[str] = []
    for reference in dict.fromkeys(references):
        try:
            look_up(reference)
        except SecretMissing as exc:
            lacking.append(str(exc))
    if lacking:
        raise SecretMissing("; ".join(lacking))
