import pytest

from memory_store.retrieval.applications import Agreement, agreement, catalogue, same_label


@pytest.mark.parametrize(
    ("asked", "known", "expected"),
    [
        ("Google Chrome", "chrome", Agreement.SAME),
        ("chromium-browser", "chrome", Agreement.SAME),
        ("Calc", "libreoffice_calc", Agreement.SAME),
        ("GIMP 2.10", "gimp", Agreement.SAME),
        ("Visual Studio Code", "vscode", Agreement.SAME),
        ("web browser", "firefox", Agreement.GENERIC),
        ("LibreOffice", "libreoffice_writer", Agreement.GENERIC),
        ("terminal", "os", Agreement.GENERIC),
        ("Excel", "libreoffice_calc", Agreement.KIN),
        ("slack", "vlc", Agreement.OTHER),
        ("Frobnicator", "frobnicator", Agreement.SAME),
        (None, "vlc", Agreement.UNSAID),
    ],
)
def test_a_label_means_its_product(asked: str | None, known: str, expected: Agreement) -> None:
    assert agreement(asked, (known,)) is expected


def test_any_application_of_the_task_will_do() -> None:
    assert agreement("Writer", ("vscode", "libreoffice_writer")) is Agreement.SAME


def test_the_papers_gate_knows_neither_aliases_nor_second_applications() -> None:
    assert same_label("Google Chrome", ("chrome",)) is Agreement.OTHER
    assert same_label("os", ("chrome", "os")) is Agreement.OTHER
    assert same_label("LibreOffice Calc", ("libreoffice_calc",)) is Agreement.SAME


def test_a_kindred_program_does_not_pass_the_gate() -> None:
    assert not Agreement.KIN.passes
    assert Agreement.GENERIC.passes


def test_no_alias_of_one_product_leads_to_another() -> None:
    table = catalogue()

    assert all(table.products[product] == product for product in table.kinds)
