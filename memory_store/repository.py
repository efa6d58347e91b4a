"""The only door to what was learned: add, find, promote, quarantine, branch, merge, diff, export, verify."""

import os
import secrets
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from memory_store.archive import BundleLimits
from memory_store.audit import AuditBody, AuditEvent, AuditLog, Event
from memory_store.blobs import Blobs
from memory_store.bundle import Bundle, write_bundle
from memory_store.database import Database
from memory_store.diff import MemoryDiff, diff_memories
from memory_store.edits import Birth, MemoryEdit, StepRepair, branched, merged, repaired
from memory_store.errors import BundleRefused, InvalidMemory, NameTaken, PromotionRefused
from memory_store.home import StoreLock, private_folder, store_folder
from memory_store.ledger import Ledger, Replay
from memory_store.lifecycle import PromotionRules, check_move, promotion_blockers, promotion_warnings
from memory_store.memory_rows import MemoryRows, NodeUse, content_digest, row_digest
from memory_store.documents import checked_memory, write_document
from memory_store.graph import Signature, signatures_of
from memory_store.canonical import document
from memory_store.models import (
    BlobId,
    JsonObject,
    Lifecycle,
    Lineage,
    Memory,
    MemoryId,
    Origin,
    ReplayId,
    Validation,
    Verdict,
)
from memory_store.quarantine import QuarantinePolicy, reason_to_quarantine
from memory_store.verify import VerifyReport, verify_store
from memory_store.writing import Keeper, check_evidence, collect, writing
