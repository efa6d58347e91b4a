"""The words for no of the memory store; all sit under `ibtr.errors.EchoPathError`.

MemoryStoreError             anything below; `evidence` holds the plain facts behind the sentence
├── MemoryNotFound           no memory has this id or name
├── NameTaken                another memory already has this tool name
├── InvalidMemory            a record breaks the schema; `field` names where
├── SelectionRefused         a host's selection does not fit its run; carries every problem
├── IllegalTransition        the lifecycle has no such move
├── PromotionRefused         carries every blocker, not just the first
├── MergeRefused             the two programs share no prefix or subpath that is a whole program
├── BundleRefused            a bundle is not what it claims; `field` names where
├── EvidenceMissing          a blob is not on disk
├── EvidenceCorrupt          a blob's bytes are not the ones its name promises
└── StoreUnusable            the store itself cannot be used
    ├── StoreCorrupt         the database is damaged
    ├── StoreFull            no space left
    ├── StoreReadOnly        the folder cannot be written
    ├── StoreBusy            another process held the store too long
    └── StoreTooNew          written by a newer version
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ibtr.errors import EchoPathError

if TYPE_CHECKING:
    from memory_store.lifecycle import Blocker


class MemoryStoreError(EchoPathError):
    """Root of what the store says went wrong; `evidence` holds plain JSON values."""

    def __init__(self, message: str, **evidence: object) -> None:
        super().__init__(message)
        self.evidence = evidence


class MemoryNotFound(MemoryStoreError):
    """No memory has this id or name."""

    def __init__(self, wanted: str) -> None:
        super().__init__(
            f"no memory has the id or name {wanted!r}; find_memory or `echopath memories list` knows them",
            wanted=wanted,
        )


class NameTaken(MemoryStoreError):
    """Another memory already has this tool name; nothing is ever renamed silently."""

    def __init__(self, name: str, holder: str, state: str, free: str) -> None:
        says = (
            f"the tool name {name!r} already belongs to {holder}, which is {state}. Give another one, or "
            f"free it: `echopath memories rename {name} {free}` (review_memory with action rename)"
        )
        super().__init__(says, name=name, holder=holder, state=state)


class InvalidMemory(MemoryStoreError):
    """A record breaks the schema."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}", field=field, problem=problem)
        self.field = field


class SelectionRefused(MemoryStoreError):
    """A host's selection does not fit its run; each problem names its field and the fix."""

    def __init__(self, problems: Sequence[Mapping[str, object]]) -> None:
        said = "; ".join(f"{one['field']}: {one['problem']}" for one in problems)
        super().__init__(
            f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'}: {said}",
            problems=[dict(one) for one in problems],
        )


class IllegalTransition(MemoryStoreError):
    """The lifecycle has no such move."""

    def __init__(self, memory_id: str, source: str, target: str, allowed: Sequence[str]) -> None:
        can = ", ".join(allowed) or "nothing else"
        cannot = "already" if source == target else f"and cannot become {target}"
        super().__init__(
            f"{memory_id} is {source} {cannot}; it can become {can}",
            memory_id=memory_id,
            source=source,
            target=target,
            allowed=list(allowed),
        )


class PromotionRefused(MemoryStoreError):
    """Carries every blocker, not just the first."""

    def __init__(self, memory_id: str, blockers: "Sequence[Blocker]") -> None:
        reasons = "; ".join(blocker.detail for blocker in blockers)
        codes = [blocker.code.value for blocker in blockers]
        super().__init__(f"{memory_id} cannot be promoted: {reasons}", memory_id=memory_id, blockers=codes)
        self.blockers = tuple(blockers)


class MergeRefused(MemoryStoreError):
    """The programs do not fit into each other."""


class BundleRefused(MemoryStoreError):
    """A bundle is not what it claims to be; nothing of it was kept."""

    def __init__(self, field: str, problem: str, **evidence: object) -> None:
        super().__init__(f"bundle refused, {field}: {problem}", field=field, problem=problem, **evidence)
        self.field = field


class EvidenceMissing(MemoryStoreError):
    """A blob is not on disk."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"evidence {sha256[:12]} is missing", sha256=sha256)


class EvidenceCorrupt(MemoryStoreError):
    """A blob's bytes are not the ones its name promises."""

    def __init__(self, sha256: str, found: str) -> None:
        super().__init__(f"evidence {sha256[:12]} is damaged", sha256=sha256, found=found)


class StoreUnusable(MemoryStoreError):
    """The store itself cannot be used; what was asked for has not happened."""


class StoreCorrupt(StoreUnusable):
    """The database is damaged."""


class StoreFull(StoreUnusable):
    """No space is left on the device; nothing was changed."""


class StoreReadOnly(StoreUnusable):
    """The folder cannot be written; nothing was changed."""


class StoreBusy(StoreUnusable):
    """Another process held the store for too long; nothing was changed."""


class StoreTooNew(StoreUnusable):
    """The store was written by a newer version."""
