import json
from pathlib import Path

from actionlens.actions import Click, Hotkey, Type, Wait
from memory_store.consolidation.trace import trace_of
from memory_store.consolidation.view import describe, propose, view
from tests.memory_store.recording import Recording, all_of, box, words


def test_a_run_reads_as_a_few_short_lines(tmp_path: Path) -> None:
    recording = Recording(tmp_path, goal="Write a note")
    scattered = all_of(*(box(50 + 120 * at, 200, 40, 20) for at in range(5)))
    recording.do(Click(x=50, y=50), box(40, 40, 100, 20, 200), target="Title", later=scattered)
    recording.do(Type(text="x" * 500), words("xxxx", 40, 55))
    recording.do(Wait(seconds=2))
    recording.do(Hotkey(keys=("ctrl", "s")), opens="Dialog")
    trace = trace_of(recording.read())

    seen = view(trace, propose(trace))

    steps = seen["steps"]
    assert isinstance(steps, list)
    first, second, third, fourth = steps
    assert isinstance(first, dict)
    assert first["during"] == {"fraction": 0.0087, "boxes": [[40, 40, 100, 20]]}
    assert first["between"] == {
        "fraction": 0.017,
        "boxes": [[50, 200, 40, 20], [170, 200, 40, 20], [290, 200, 40, 20]],
        "more": 2,
    }
    assert third == {"id": 3, "do": "wait seconds=2.0", "drop": "nothing changed while waiting"}
    assert fourth == {"id": 4, "do": "hotkey ctrl+s", "window": "Dialog: note.txt"}
    assert len(json.dumps(second)) < 400
    assert seen["preconditions"] == [{"kind": "window", "application": "Editor"}]


def test_a_long_run_costs_a_host_few_tokens_a_step(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    for at in range(30):
        recording.do(Click(x=20 * at + 5, y=50), box(20 * at, 40, 15, 15), target=f"Button {at}")
    trace = trace_of(recording.read())

    tokens = len(json.dumps(view(trace, propose(trace)), separators=(",", ":"))) / 4

    assert tokens / 30 < 45


def test_an_action_is_described_in_full_but_short() -> None:
    assert (
        describe(Click(x=1, y=2, button="right", hold=("ctrl", "shift")))
        == "click 1,2 button=right hold=ctrl+shift"
    )
    assert describe(Type(text_ref="env:PIN")) == "type text_ref=env:PIN"
    assert describe(Type(text="it's")) == '''type "it's"'''
