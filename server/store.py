"""The store as the settings want it: the one place of the server that opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_store.repository import Repository
    from server.settings import Settings


def open_store(settings: Settings, *, actor: str | None = None) -> Repository:
    """The store, with what the settings say about promotion; `actor` is who the log names.

    Raises:
        StoreUnusable: it cannot be opened; the subclass says why.
    """
    from memory_store.lifecycle import PromotionRules
    from memory_store.repository import Repository, StoreRules

    rules = StoreRules(PromotionRules(allow_host_attested=settings.allow_host_attested))
    return Repository(settings.home, rules=rules, actor=actor or settings.agent)
