"""What pydantic found wrong with a value, in plain words: what it should be, not how it is checked."""

from collections.abc import Mapping
from typing import Any, Final

_FORMS: Final[Mapping[str, str]] = {
    r"^[a-z0-9_]{1,48}$": "write 1 to 48 lower-case letters, digits or underscores, like update_phone",
    r"^[a-z][a-z0-9_]{0,47}$": "write a lower-case letter, then at most 47 lower-case letters, digits or "
    "underscores, like client_name",
    r"^[a-z][a-z0-9_]{0,31}$": "write a lower-case letter, then at most 31 lower-case letters, digits or "
    "underscores",
    r"^[A-Za-z0-9_-]{1,64}$": "write a replay_id as a report names it: letters, digits, - and _, at most 64",
    r"^s[0-9]{1,4}$": "write it like s3",
    r"^m_[0-9a-f]{16}$": "write the id of a memory, like m_0123456789abcdef",
    r"^[0-9a-f]{64}$": "write a SHA-256 as 64 lower-case hexadecimal digits",
    r"^[A-Za-z]{1,3}[1-9][0-9]{0,6}$": "write the name of a cell, like B2",
}
"""The forms that our own fields ask for."""

_PLAIN: Final[Mapping[str, str]] = {
    "extra_forbidden": "there is no such field",
    "missing": "is missing",
    "list_type": 'give a list, like ["one", "two"]',
    "tuple_type": 'give a list, like ["one", "two"]',
    "dict_type": 'give an object, like {{"name": "value"}}',
    "string_type": "give a text in quotes",
    "union_tag_invalid": "there is no {discriminator} {tag!r}; there are {expected_tags}",
    "union_tag_not_found": "say {discriminator}",
}
"""What is wrong, by pydantic's name for it, with its facts."""


def in_words(error: Mapping[str, Any]) -> str:
    """One of the errors of a ValidationError."""
    said = str(error["msg"])
    if error["type"] == "string_pattern_mismatch":
        pattern = str(error.get("ctx", {}).get("pattern", ""))
        return _FORMS.get(pattern, f"write a text of the form {pattern}")
    if plain := _PLAIN.get(error["type"]):
        return plain.format_map(error.get("ctx", {}))
    for prefix in ("Value error, ", "Assertion failed, "):
        said = said.removeprefix(prefix)
    return said
