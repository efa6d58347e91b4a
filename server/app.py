"""App: everything a tool may reach."""

from dataclasses import dataclass

from server.operator import Operator
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class App:
    """One server's parts."""

    settings: Settings
    operator: Operator
