"""What the command line says no with: any exception that is a refusal, as one line or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ibtr.errors import EchoPathError

if TYPE_CHECKING:
    from pydantic import ValidationError


class Refusal(NamedTuple):
    """A refusal for people and for machines."""

    error: str
    message: str
    facts: dict[str, object]

    def as_json(self) -> str:
        """One JSON object."""
        return json.dumps(
            {"error": self.error, "message": self.message, **self.facts}, indent=1, ensure_ascii=False
        )


def refusal_of(exc: Exception) -> Refusal | None:
    """The refusal that an exception is; None for one that is a mistake of ours, whose place must be seen."""
    from pydantic import ValidationError

    match exc:
        case EchoPathError():
            return Refusal(type(exc).__name__, str(exc), _facts(exc))
        case ValidationError():
            return Refusal("BadValue", _in_words(exc), {})
        case ExceptionGroup():
            return _of_group(exc)
        case MemoryError():
            return Refusal("MemoryError", "there is not enough memory for this", {})
        case UnicodeError():
            return Refusal("BadText", "a text holds bytes that are no characters; write it in UTF-8", {})
        case OSError() if exc.strerror:
            where = f"{exc.filename}: " if exc.filename else ""
            return Refusal(type(exc).__name__, f"{where}{exc.strerror}", {})
        case _:
            return None


def _of_group(group: ExceptionGroup[Exception]) -> Refusal | None:
    """What several tasks said; the first, where all are refusals: the others follow from it."""
    told = [refusal_of(one) for one in group.exceptions]
    return None if None in told else told[0]


def _facts(exc: EchoPathError) -> dict[str, object]:
    from memory_store.errors import PromotionRefused
    from server.memory_view import blocker_json

    if isinstance(exc, PromotionRefused):
        return {"blockers": [blocker_json(each) for each in exc.blockers]}
    evidence = getattr(exc, "evidence", None)
    return {} if evidence is None else {"evidence": evidence}


def _in_words(exc: ValidationError) -> str:
    from actionlens.problems import in_words

    errors = exc.errors(include_url=False, include_context=True, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'value'}: {in_words(one)}" for one in errors)
