"""What every stored model has in common: frozen, strict about unknown fields, plain in JSON."""

from typing import Annotated, NewType

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, StringConstraints

MemoryId = NewType("MemoryId", str)
ReplayId = NewType("ReplayId", str)
BlobId = NewType("BlobId", str)
"""SHA-256 of a blob's bytes, in lower-case hex."""

JsonObject = dict[str, JsonValue]

TOOL_NAME = r"^[a-z0-9_]{1,48}$"
MEMORY_ID = r"^m_[0-9a-f]{16}$"
SHA256 = r"^[0-9a-f]{64}$"
LIMIT_TEXT = 50_000
LIMIT_LINE = 2_000
LIMIT_LABEL = 200
LIMIT_APPLICATIONS = 20


class Record(BaseModel):
    """A frozen value that enters or leaves the store; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class OpenRecord(BaseModel):
    """A frozen value of a kind that another part knows in full; its further fields are kept as they are."""

    model_config = ConfigDict(frozen=True, extra="allow")

    def plain(self) -> JsonObject:
        """The whole value as plain JSON."""
        return self.model_dump(mode="json")


def _printable(text: str) -> str:
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("contains a NUL character or half of a surrogate pair")
    return text


Line = Annotated[str, StringConstraints(max_length=LIMIT_LINE), AfterValidator(_printable)]
Words = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LIMIT_LINE),
    AfterValidator(_printable),
]
Label = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LIMIT_LABEL),
    AfterValidator(_printable),
]
Applications = Annotated[tuple[Label, ...], Field(max_length=LIMIT_APPLICATIONS)]
"""Labels of applications as a host gives them; a record may hold more, from before there was a limit."""
Text = Annotated[str, StringConstraints(max_length=LIMIT_TEXT), AfterValidator(_printable)]
ToolName = Annotated[str, StringConstraints(pattern=TOOL_NAME)]
Digest = Annotated[BlobId, StringConstraints(pattern=SHA256)]
AnyMemoryId = Annotated[MemoryId, StringConstraints(pattern=MEMORY_ID)]
Size = tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
Moment = AwareDatetime
