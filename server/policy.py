"""Pure: may this action be done here? The rules a user set, and the check of one action against them."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from actionlens.actions import Action, Hotkey, Observe, Press, Type, Wait
from actionlens.keys import MODIFIERS, normal_key
from actionlens.observation import Window
from ibtr.errors import UnsafeAction
from memory_store.retrieval.applications import kind_of, product_of
from server.policy_defaults import (
    DEFAULT,
    HOTKEYS_REFUSED,
    SECRETS_REFUSED,
    TERMINALS,
    TEXTS_REFUSED,
    TextRule,
    Words,
)

if TYPE_CHECKING:
    from memory_store.evaluators import Allowed

SYSTEM_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin")


def chord_of(keys: str | Sequence[str]) -> frozenset[str]:
    """The keys of a chord by their canonical names; the order of modifiers does not matter.

    Raises:
        ValueError: a key that does not exist.
    """
    names = re.split(r"(?<=[^+])\+", keys.strip()) if isinstance(keys, str) else keys
    return frozenset(normal_key(name) for name in names)


class Policy(BaseModel):
    """What the user allows; the file lies in the config folder, never in the working folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read_only: Annotated[bool, Field(description="Look, but touch nothing.")] = False
    applications: Annotated[
        tuple[Words, ...], Field(description="Act in these only; none named: in all.")
    ] = ()
    applications_refused: Annotated[tuple[Words, ...], Field(description="Never act in these.")] = ()
    hotkeys_refused: Annotated[
        tuple[Words, ...], Field(description='Never struck, like "ctrl+alt+delete" or "f12".')
    ] = (DEFAULT,)
    texts_refused: Annotated[
        tuple[TextRule | Words, ...],
        Field(description="Never typed or pasted: regular expressions, for all or for some applications."),
    ] = (DEFAULT,)
    secrets: Annotated[
        tuple[Words, ...], Field(description='Only these may be typed, like "env:CRM_*"; none named: all.')
    ] = ()
    secrets_refused: Annotated[tuple[Words, ...], Field(description="Never typed.")] = (DEFAULT,)
    confirm: Annotated[
        tuple[Words, ...], Field(description='Memories that need the user\'s yes, by name; "all" for all.')
    ] = ()
    confirm_otherwise: Annotated[
        Literal["host", "refuse"],
        Field(description="Where no question can be put: trust the host's permission prompt, or refuse."),
    ] = "host"
    max_actions_per_minute: Annotated[int, Field(ge=0, le=10_000, description="0: no limit.")] = 300
    launch: Annotated[bool, Field(description="Start the programs that a memory names.")] = True
    launch_programs: Annotated[
        tuple[Words, ...], Field(description="Start these only; none named: all.")
    ] = ()
    commands: Annotated[tuple[Words, ...], Field(description="Commands that an evaluator may run.")] = ()
    origins: Annotated[tuple[Words, ...], Field(description="Servers that an evaluator may ask.")] = ()
    panic_corner: Annotated[bool, Field(description="The pointer in a corner of the screen stops us.")] = True
    panic_looks: Annotated[
        int, Field(ge=1, le=20, description="So many looks in a corner, and the stop stays.")
    ] = 2

    @field_validator("hotkeys_refused")
    @classmethod
    def _chords(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for chord in value:
            if chord != DEFAULT and chord_of(chord) <= MODIFIERS and len(chord_of(chord)) == 1:
                raise ValueError(f"{chord!r} is a modifier alone, without which hardly a key can be struck")
        return value

    @field_validator("texts_refused")
    @classmethod
    def _rules(cls, value: tuple[TextRule | str, ...]) -> tuple[TextRule | str, ...]:
        return tuple(
            TextRule(pattern=one) if isinstance(one, str) and one != DEFAULT else one for one in value
        )

    @model_validator(mode="after")
    def _origins_are_origins(self) -> Self:
        for one in self.origins:
            if not re.fullmatch(r"https?://[^/@?#\s]+", one) or not _has_port(one):
                raise ValueError(f"origins: write {one!r} like https://host or http://127.0.0.1:8080")
        return self

    @property
    def hotkeys(self) -> frozenset[frozenset[str]]:
        """The refused chords, the default ones put in."""
        return frozenset(chord_of(one) for one in _filled(self.hotkeys_refused, HOTKEYS_REFUSED))

    @property
    def own_texts(self) -> tuple[TextRule, ...]:
        """The user's patterns, of which nobody knows how long they take."""
        return tuple(one for one in self.texts_refused if isinstance(one, TextRule))

    @property
    def default_texts(self) -> tuple[TextRule, ...]:
        """Our patterns, unless the user left them out."""
        return TEXTS_REFUSED if DEFAULT in self.texts_refused else ()

    def allowed(self) -> "Allowed":
        """What evaluators may reach."""
        from memory_store.evaluators import Allowed

        return Allowed(commands=self.commands, origins=self.origins)

    def needs_confirmation(self, memory: str) -> bool:
        """Whether the user must say yes before this memory runs."""
        return "all" in self.confirm or memory in self.confirm


def _has_port(origin: str) -> bool:
    """Whether the port of an address is one; none means that of the scheme."""
    try:
        return urlsplit(origin).port != 0
    except ValueError:
        return False


def check_action(policy: Policy, action: Action, window: Window | None, typed: str = "") -> None:
    """Let an action pass, or say why not. `typed` is the text it leaves in the window, if that is longer.

    Raises:
        UnsafeAction: the policy forbids it, with the rule in its evidence.
    """
    if isinstance(action, Observe | Wait):
        return
    if policy.read_only:
        raise UnsafeAction("the policy is read-only", rule="read_only", action=action.action)
    _check_application(policy, window)
    if isinstance(action, Hotkey | Press):
        _check_chord(policy, action)
    if isinstance(action, Type) and action.text_ref:
        _check_secret(policy, action.text_ref)
    text = typed or str(getattr(action, "text", None) or "")
    for rule in policy.default_texts if text else ():
        if applies(rule, window) and re.search(rule.pattern, text, re.MULTILINE):
            raise refused_text(rule, window)


def applies(rule: TextRule, window: Window | None) -> bool:
    """Whether a rule holds in a window; one that is not known might be any."""
    if not rule.applications or window is None or not window.application:
        return True
    return any(is_application(window.application, name) for name in rule.applications)


def refused_text(rule: TextRule, window: Window | None, **why: object) -> UnsafeAction:
    """The refusal of a text; the text itself is not in it."""
    application = window.application if window else None
    return UnsafeAction(
        "the policy refuses a text like this here",
        rule="texts_refused",
        pattern=rule.pattern,
        application=application,
        **why,
    )


def check_launch(policy: Policy, argv: Sequence[str], file: str = "policy.toml") -> None:
    """Let a program be started, or say why not.

    Raises:
        UnsafeAction: nothing, or not this program, may be started.
    """
    program = argv[0]
    if policy.read_only or not policy.launch:
        rule = "read_only" if policy.read_only else "launch"
        setting = f"{rule} = {'true' if policy.read_only else 'false'}"
        says = f"the policy lets no program be started: {setting} in {file}"
        raise UnsafeAction(says, rule=rule, program=program, file=file)
    folder, _, name = program.rpartition("/")
    known = {program, name} if not folder or folder in SYSTEM_FOLDERS else {program}
    if policy.launch_programs and known.isdisjoint(policy.launch_programs):
        raise UnsafeAction(
            f"the policy does not let {program!r} be started: it is not among launch_programs in {file}",
            rule="launch_programs",
            file=file,
            program=program,
            allowed=list(policy.launch_programs),
        )


def is_application(application: str, name: str) -> bool:
    """Whether a window's application is the one a policy names: whatever it is called, or by its kind."""
    product = product_of(application)
    if name == TERMINALS:
        return kind_of(product) == "terminal" or bool(
            re.search(r"term|konsole|console|kitty|shell|^st\b|foot|xvt", application.casefold())
        )
    wanted = product_of(name)
    return wanted in (product, kind_of(product))


def _check_application(policy: Policy, window: Window | None) -> None:
    application = (window.application if window else "") or None
    facts = {"application": application, "title": window.title if window else None}
    if application and (
        named := next((one for one in policy.applications_refused if is_application(application, one)), None)
    ):
        raise UnsafeAction(
            f"the policy refuses to act in {application}", rule="applications_refused", named=named, **facts
        )
    if policy.applications and not (
        application and any(is_application(application, one) for one in policy.applications)
    ):
        raise UnsafeAction(
            f"the policy does not allow acting in {application or 'an unknown window'}",
            rule="applications",
            allowed=list(policy.applications),
            **facts,
        )


def _check_chord(policy: Policy, action: Hotkey | Press) -> None:
    keys = action.keys if isinstance(action, Hotkey) else (action.key,)
    if frozenset(keys) in policy.hotkeys:
        raise UnsafeAction(
            f"the policy refuses {'+'.join(keys)}", rule="hotkeys_refused", keys="+".join(keys)
        )


def _check_secret(policy: Policy, reference: str) -> None:
    refused = _filled(policy.secrets_refused, SECRETS_REFUSED)
    named = next((one for one in refused if fnmatchcase(reference, one)), None)
    if named and reference not in policy.secrets:
        raise UnsafeAction(
            f"the policy refuses to type {reference}",
            rule="secrets_refused",
            reference=reference,
            named=named,
        )
    if policy.secrets and not any(fnmatchcase(reference, one) for one in policy.secrets):
        raise UnsafeAction(
            f"the policy does not allow typing {reference}",
            rule="secrets",
            reference=reference,
            allowed=list(policy.secrets),
        )


def _filled(given: Sequence[str], default: Sequence[str]) -> list[str]:
    return [name for one in given for name in (default if one == DEFAULT else [one])]
