"""What is refused without a policy file: keys that end the session, the host's keys, destructive commands."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

DEFAULT = "default"
"""In a list of refused things: what is refused without a policy file, too."""

HOTKEYS_REFUSED = (
    "ctrl+alt+delete ctrl+alt+backspace ctrl+alt+l super+l ctrl+super+q alt+printscreen "
    + " ".join(f"ctrl+alt+f{n}" for n in range(1, 13))
).split()
"""Keys that end or lock the session, or leave it for another terminal. Closing a window (alt+f4) is work."""

SECRETS_REFUSED = (
    "env:ANTHROPIC_* env:CLAUDE_* env:OPENAI_* env:CODEX_* env:AWS_* env:AZURE_* env:GOOGLE_* env:GEMINI_* "
    "env:GITHUB_* env:GH_* env:NPM_* env:ECHOPATH_TOKEN env:*_API_KEY env:SSH_*"
).split()
"""A host's own keys, which some hosts leave in our environment: no text field needs them."""

TERMINALS = "terminals"
"""In a rule's applications: every terminal emulator."""

Words = Annotated[str, Field(min_length=1, max_length=300)]


class TextRule(BaseModel):
    """A text that is not typed or pasted, everywhere or in some applications."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: Annotated[str, Field(min_length=1, max_length=1000)]
    applications: tuple[Words, ...] = ()

    @field_validator("pattern")
    @classmethod
    def _a_pattern(cls, value: str) -> str:
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError) as exc:
            raise ValueError(f"is no regular expression: {exc}") from exc
        return value


# Every repetition is bounded, so these take linear time on any text.
_ARGUMENTS = r"(?:[^\s;|&]{1,200}[ \t]{1,20}){0,20}?"
_EVERYTHING = r"(?:/|\*|(?:~|\$HOME|\$\{HOME\})/?)\*?(?:[\s\"';|&]|$)"
_COMMAND = r"(?:^|[\n;&|]|\bsudo)[ \t]{0,20}"
_PATTERNS = (
    # rm -r of / ~ * $HOME, whatever stands between, also behind sudo
    rf"\brm[ \t]{{1,20}}{_ARGUMENTS}(?:-[a-zA-Z]{{0,20}}[rR]|--recursive\b)"
    rf"[^\n;|&]{{0,200}}?[ \t\"']{_EVERYTHING}",
    r"\bmkfs(?:\.\w{1,20})?\b",
    r"\bdd\b[^\n]{0,300}\bof=/dev/(?!null\b)",
    r">[ \t]{0,20}/dev/(?:sd|hd|vd|nvme|mmcblk)",
    r":\(\)[ \t]{0,20}\{",
    rf"{_COMMAND}(?:shutdown|reboot|poweroff|halt)\b",
    rf"{_COMMAND}systemctl[ \t]{{1,20}}(?:poweroff|reboot|halt)\b",
    r"\bch(?:mod|own)\b[^\n;|&]{0,200}[ \t]-[a-zA-Z]{0,20}R[^\n;|&]{0,200}[ \t]/(?:\s|$)",
    r"\b(?:curl|wget)\b[^\n]{0,500}\|[ \t]{0,20}(?:sudo[ \t]{1,20})?(?:ba|z|da|k)?sh\b",
    r"(?i)\b(?:format[ \t]{1,20}[a-z]:|del[ \t]{1,20}/[sq]\b|rd[ \t]{1,20}/s\b)",
    r"(?i)\bremove-item\b[^\n]{0,200}-recurse",
)
TEXTS_REFUSED = tuple(TextRule(pattern=one, applications=(TERMINALS,)) for one in _PATTERNS)
