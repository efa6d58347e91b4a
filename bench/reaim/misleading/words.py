"""What the pages tell of: people, companies, goods, tasks; no two of one kind much alike."""

from __future__ import annotations

from random import Random

PEOPLE = (
    "Anna Berger", "Tom Hollis", "Maria Costa", "Jonas Lindt", "Priya Nair", "Omar Haddad", "Eva Novak",
    "Luca Ferri", "Grace Kim", "Peter Wolff", "Sofia Ramos", "Henry Adams", "Ines Moreau", "Karl Vogt",
)  # fmt: skip
COMPANIES = (
    "Globex", "Initech", "Umbrella", "Hooli", "Stark Ltd", "Wayne Corp", "Acme", "Soylent", "Tyrell",
    "Cyberdyne", "Vandelay", "Wonka", "Duff", "Oscorp",
)  # fmt: skip
TASKS = (
    "Fix the login page", "Order new chairs", "Call the landlord", "Write release notes", "Book the hotel",
    "Check the backup", "Plan the workshop", "Renew the licence", "Clean up the wiki", "Test the printer",
    "Draw the floor plan", "Update the price list",
)  # fmt: skip
GOODS = (
    "Laptop stand", "Desk lamp", "Paper tray", "Headset", "Web camera", "Office chair", "Notebook",
    "Whiteboard", "Water bottle", "Backpack", "Keyboard", "Monitor arm",
)  # fmt: skip
TOWNS = (
    "Springfield", "Austin", "Oslo", "Palo Alto", "New York", "Gotham", "Lisbon", "Turin", "Graz", "Lyon",
    "Bergen", "Delft",
)  # fmt: skip
FILES = (
    "budget.xlsx", "minutes.docx", "travel.pdf", "summary.txt", "logo.png", "plan.odt", "letter.doc",
    "notes.md", "invoice.pdf", "photo.jpg",
)  # fmt: skip
LABELS = (
    "First name", "Company", "Street", "Postal code", "Town", "Telephone", "E-mail", "Country", "Tax number",
    "Department",
)  # fmt: skip
OPTIONS = (
    "Send a copy to me", "Keep me informed", "Pay in instalments", "Gift wrapping", "Private entry",
    "Show on the map", "Ask before sending", "Include pictures",
)  # fmt: skip
PARTS = ("General", "Members", "Billing", "History", "Security", "Files", "Mail", "Backup", "Themes")
STATES = ("open", "paid", "closed", "waiting", "late")
TEXTS = (
    "We have talked about it last week", "Nothing has come back so far", "Please look at it before Friday",
    "The second half is still missing", "All of it has been paid", "They would like to have it soon",
)  # fmt: skip


def some(rng: Random, words: tuple[str, ...], count: int) -> list[str]:
    """That many different ones."""
    return rng.sample(words, count)


def day(rng: Random) -> str:
    """A date."""
    return f"{rng.randint(1, 28):02}.{rng.randint(1, 12):02}.2026"


def amount(rng: Random) -> str:
    """A price."""
    return f"{rng.randint(11, 980)}.{rng.choice(('00', '50', '90', '25'))}"


def phone(rng: Random) -> str:
    """A telephone number."""
    return f"555-{rng.randint(100, 9999):04}"
