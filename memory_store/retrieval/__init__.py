"""Which remembered task does a request mean, and would running it unseen be safe?"""

from memory_store.retrieval.ask import Ask, intent_queries
from memory_store.retrieval.searchable import FlexibleValue, GateFacts, Searchable

__all__ = ["Ask", "FlexibleValue", "GateFacts", "Searchable", "intent_queries"]
