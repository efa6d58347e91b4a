"""A small memory for tests: open a client, change the phone, save."""

from datetime import UTC, datetime

from memory_store.models import (
    FlexibleInput,
    InputKind,
    Keys,
    Memory,
    MemoryId,
    Place,
    Step,
    StepAction,
)

AT = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PROGRAM: tuple[dict[str, object], ...] = (
    {"action": "click", "x": 40, "y": 50},
    {"action": "type", "text": "Globex"},
    {"action": "press", "key": "enter"},
    {"action": "paste", "text": "555-0199"},
    {"action": "type", "text_ref": "env:CRM_PASSWORD"},
    {"action": "type", "text": "Globex"},
    {"action": "hotkey", "keys": ["ctrl", "s"]},
)
CLIENT = FlexibleInput(
    name="client",
    kind=InputKind.SEARCH_TERM,
    places=(Place(action_index=1), Place(action_index=5)),
    default="Globex",
)
PHONE = FlexibleInput(name="phone", places=(Place(action_index=3),), default="555-0199")
PASSWORD = FlexibleInput(
    name="password", kind=InputKind.SECRET, places=(Place(action_index=4, parameter_path=("text_ref",)),)
)


def memory_of(
    *program: dict[str, object], inputs: tuple[FlexibleInput, ...] = (), name: str = "update_client_phone"
) -> Memory:
    return Memory(
        id=MemoryId("m_0123456789abcdef"),
        tool_name=name,
        keys=Keys(task_intent="Update the phone of a client"),
        steps=tuple(Step(action=StepAction.model_validate(action)) for action in program),
        inputs=inputs,
        created_at=AT,
    )


def client_memory() -> Memory:
    return memory_of(*PROGRAM, inputs=(CLIENT, PHONE, PASSWORD))
