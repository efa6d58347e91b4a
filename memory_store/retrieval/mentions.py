"""Which programs does a text name? Everyday words count only where they are written as a name."""

from functools import cache

from memory_store.retrieval.applications import catalogue
from memory_store.retrieval.words import Word, split_words

_LONGEST = 4
_BEFORE_A_NAME = frozenset(
    {"in", "on", "with", "using", "from", "to", "into", "via", "by", "of", "my", "the"}
)
_NOT_A_PROGRAM_AFTER = frozenset(
    {"document", "documents", "file", "files", "doc", "docs", "sheet", "format", "count"}
    | {"workbook", "workbooks", "spreadsheet", "spreadsheets", "sheets", "table", "tables", "template"}
    | {"presentation", "presentations", "deck", "slides", "attachment", "attachments"}
)


def mentioned_products(text: str) -> tuple[str, ...]:
    """The products a text names, in order, each once; kinds of program are not products."""
    words = [word for word in split_words(text) if word.kind in ("word", "mixed", "file", "number")]
    found: dict[str, None] = {}
    at = 0
    while at < len(words):
        length, product = _product_at(words, at)
        if product is not None:
            found[product] = None
        at += length
    return tuple(found)


def _product_at(words: list[Word], at: int) -> tuple[int, str | None]:
    """The longest program name that starts here."""
    names = _names()
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        spelled = " ".join(word.text for word in words[at : at + length])
        product = names.get(spelled)
        if product is not None and _meant(words, at, length, spelled):
            return length, product
    return 1, None


def _meant(words: list[Word], at: int, length: int, spelled: str) -> bool:
    """Whether it is the program and not the everyday word, nor a kind of file."""
    after = words[at + length].text if at + length < len(words) else ""
    if after in _NOT_A_PROGRAM_AFTER:
        return False
    if spelled not in catalogue().everyday:
        return True
    before = words[at - 1].text if at else ""
    return words[at].name and not words[at].quoted and before in _BEFORE_A_NAME


@cache
def _names() -> dict[str, str]:
    """Names long enough to be recognised in running text, and only those of products."""
    table = catalogue()
    return {
        name: product for name, product in table.products.items() if product in table.kinds and len(name) > 2
    }
