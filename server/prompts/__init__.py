"""The texts for the host's model, one file each: published as MCP prompts, and part of the tools' answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Any, Final

from mcp import MCPError, types
from mcp.server import ServerRequestContext

Context = ServerRequestContext[Any]


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """One prompt: what it is for, and what must or may be put into it."""

    purpose: str
    needs: Mapping[str, str]
    may: Mapping[str, str]
    after: str | None = None
    """The prompt that this one continues."""


_GOAL: Final = {"goal": "What the user wants done."}
_TARGET: Final = {"target": "Words for the thing to find."}
_STEP: Final = {"memory": "Tool name of the memory.", "step": "Number of the step, from 1."}
PROMPTS: Final[dict[str, PromptSpec]] = {
    "next_step": PromptSpec(
        "Choose the next single act on the desktop.", _GOAL, {"guidance": "Anything special about this task."}
    ),
    "guided_next_step": PromptSpec(
        "Bring a stopped replay to its end along its recorded steps.",
        {**_GOAL, **_STEP, "cause": "Why the replay stopped."},
        {},
    ),
    "ground_target": PromptSpec("Find one thing on a picture, or say that it is not there.", _TARGET, {}),
    "ground_with_crops": PromptSpec(
        "Find one thing with the help of recorded crops.", _TARGET, {}, after="ground_target"
    ),
    "repair_step": PromptSpec(
        "Find the target of one refused replay step, or remove what hides it.",
        {**_TARGET, **_STEP, "problem": "What the search said."},
        {"attempt": "Which try this is.", "attempts": "How many there are."},
        after="ground_with_crops",
    ),
    "repair_focus": PromptSpec(
        "Bring what the keys of one refused replay step belong to back to the front.",
        {
            **_STEP,
            "action": "What the step does.",
            "window": "Where its keys went.",
            "problem": "What was found.",
        },
        {"attempt": "Which try this is.", "attempts": "How many there are."},
    ),
    "verify_step": PromptSpec(
        "Judge one act by the pictures before and after it.",
        {"action": "What was done.", "expect": "What should be visible now."},
        {},
    ),
    "verify_goal": PromptSpec("Judge whether a goal is reached.", _GOAL, {}),
    "consolidate": PromptSpec("Choose what of a recorded run becomes a memory.", {}, {}),
    "choose_inputs": PromptSpec(
        "Decide whether a memory does a task as it is, with other inputs, or not at all.",
        {**_GOAL, "memory": "Tool name of the memory."},
        {"details": "The memory's description and inputs."},
    ),
}
_DEFAULTS: Final = {"attempt": "1", "attempts": "2"}
_TEXTS: Final = {name: files(__name__).joinpath(f"{name}.txt").read_text("utf-8") for name in PROMPTS}
"""Read with the code that they are part of, so that no call has to."""


def prompt_text(name: str, **fields: str) -> str:
    """A prompt filled in, with what it continues before it.

    Raises:
        KeyError: there is no such prompt, or a field that it needs is missing.
    """
    spec = PROMPTS[name]
    known = dict.fromkeys(spec.may, "") | {key: _DEFAULTS[key] for key in spec.may if key in _DEFAULTS}
    text = Template(_TEXTS[name]).substitute(known | fields).strip()
    return f"{prompt_text(spec.after, **fields)}\n\n{text}" if spec.after else text


async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    """All of them; they are few."""
    return types.ListPromptsResult(prompts=[_listed(name, spec) for name, spec in PROMPTS.items()])


async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """One prompt, filled in."""
    spec = PROMPTS.get(params.name)
    if spec is None:
        raise MCPError(
            types.INVALID_PARAMS, f"name: no prompt is called {params.name!r}; there are {', '.join(PROMPTS)}"
        )
    given = params.arguments or {}
    if missing := [name for name in spec.needs if not given.get(name)]:
        raise MCPError(types.INVALID_PARAMS, f"arguments: {', '.join(missing)} must be given")
    if unknown := [name for name in given if name not in spec.needs and name not in spec.may]:
        raise MCPError(types.INVALID_PARAMS, f"arguments: {', '.join(unknown)} is not known to {params.name}")
    text = prompt_text(params.name, **given)
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=spec.purpose, messages=[message])


def _listed(name: str, spec: PromptSpec) -> types.Prompt:
    needed = [
        types.PromptArgument(name=key, description=text, required=True) for key, text in spec.needs.items()
    ]
    free = [
        types.PromptArgument(name=key, description=text, required=False) for key, text in spec.may.items()
    ]
    return types.Prompt(name=name, description=spec.purpose, arguments=needed + free)
