"""What an answer costs the host, estimated one way everywhere."""

import json
import math

from pydantic import JsonValue

from ibtr.geometry import Size


def text_tokens(data: object) -> int:
    """Tokens of JSON data or of a text: a quarter of its bytes in compact JSON, rounded up."""
    text = data if isinstance(data, str) else _compact(data)
    return math.ceil(len(text.encode(errors="replace")) / 4)


def image_tokens(size: Size) -> int:
    """Tokens of a picture."""
    return math.ceil(size.width * size.height / 750)


def call_tokens(name: str, arguments: dict[str, JsonValue]) -> int:
    """Tokens of a call itself."""
    return text_tokens({"name": name, "arguments": arguments})


def _compact(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, default=str)
