"""The server answers on the event loop: nothing may block it."""

import pytest


@pytest.fixture(autouse=True)
def on_a_free_loop(nothing_blocks_the_loop: None) -> None:
    """Every test here."""
