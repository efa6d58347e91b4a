import pytest

from memory_store.retrieval.mentions import mentioned_products


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set my status in Microsoft Teams", ("teams",)),
        ("Loop the song in Spotify", ("spotify",)),
        ("Open it with VS Code and in Google Chrome", ("vscode", "chrome")),
        ("number the pages, zoom in on the word", ()),
        ("Save it as a Word document", ()),
        ("sort the Excel workbook", ()),
        ("send it via Slack", ("slack",)),
        ("cut me some slack", ()),
        ("use any browser", ()),
    ],
)
def test_a_program_is_recognised_where_it_is_meant(text: str, expected: tuple[str, ...]) -> None:
    assert mentioned_products(text) == expected
