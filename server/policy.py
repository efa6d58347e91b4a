"""Pure: may this action be done here? The rules a user set, and the check of one action against them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from actionlens.actions import Action
from actionlens.observation import Window


class Policy(BaseModel):
    """What the user allows; the file lies in the config folder, never in the working folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read_only: Annotated[bool, Field(description="Look, but touch nothing.")] = False
    launch: Annotated[bool, Field(description="Start the programs that a memory names.")] = True


def check_action(policy: Policy, action: Action, window: Window | None) -> None:
    """Let an action pass, or say why not.

    Raises:
        UnsafeAction: the policy forbids it, with the rule in its evidence.
    """
