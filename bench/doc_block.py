"""The place in a page that a bench writes its figures into."""

from pathlib import Path


def write_block(page: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->`, which the page must hold."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, _, rest = page.read_text().partition(begin)
    page.write_text(f"{head.rstrip()}\n\n{begin}\n{text.strip()}\n{end}\n{rest.partition(end)[2].lstrip()}")
