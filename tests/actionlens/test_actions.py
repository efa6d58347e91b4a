import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from actionlens.actions import ACTION, MAX_TEXT, Action, Click, Hotkey, Press, check_on_screen
from actionlens.errors import OffScreen
from actionlens.keys import NAMED, normal_key
from ibtr.geometry import Box

EVERY_KIND: list[dict[str, object]] = [
    {"action": "observe"},
    {"action": "click", "x": 1, "y": 2, "button": "right", "clicks": 2, "hold": ["ctrl"]},
    {"action": "move", "x": 1, "y": 2},
    {"action": "drag", "x": 1, "y": 2, "to_x": 3, "to_y": 4},
    {"action": "scroll", "x": 1, "y": 2, "dx": 0, "dy": -3},
    {"action": "type", "text": "Größe 12 €\n"},
    {"action": "type", "text_ref": "env:PASSWORD"},
    {"action": "paste", "text": "日本語"},
    {"action": "press", "key": "enter", "presses": 2},
    {"action": "hotkey", "keys": ["ctrl", "shift", "s"]},
    {"action": "wait", "seconds": 0.5},
]


@pytest.mark.parametrize("given_json", EVERY_KIND, ids=lambda one: str(one["action"]))
def test_every_action_survives_json_unchanged(given_json: dict[str, object]) -> None:
    action = ACTION.validate_python(given_json)

    assert ACTION.validate_json(ACTION.dump_json(action)) == action
    assert given_json.items() <= ACTION.dump_python(action, mode="json").items()


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"action": "click", "x": 1}, "y"),
        ({"action": "click", "x": 1, "y": 2, "clicks": 4}, "clicks"),
        ({"action": "click", "x": 1, "y": 2, "colour": "red"}, "colour"),
        ({"action": "click", "x": 99999, "y": 2}, "x"),
        ({"action": "type", "text": "a" * (MAX_TEXT + 1)}, "text"),
        ({"action": "type", "text": "bell\x07"}, "text"),
        ({"action": "type", "text": ""}, "text"),
        ({"action": "type"}, "type"),
        ({"action": "type", "text": "a", "text_ref": "env:B"}, "type"),
        ({"action": "type", "text_ref": "hunter2"}, "text_ref"),
        ({"action": "type", "text_ref": "keyring:only-service"}, "text_ref"),
        ({"action": "press", "key": "hyper"}, "key"),
        ({"action": "hotkey", "keys": ["ctrl"]}, "keys"),
        ({"action": "hotkey", "keys": ["s", "ctrl"]}, "keys"),
        ({"action": "wait", "seconds": 61}, "seconds"),
        ({"action": "wait", "seconds": float("nan")}, "seconds"),
        ({"action": "scroll", "x": 1, "y": 1}, "scroll"),
        ({"action": "fly"}, "action"),
    ],
)
def test_a_bad_action_is_refused_with_its_field_named(bad: dict[str, object], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ACTION.validate_python(bad)

    assert field in str(refused.value.errors()[0]["loc"]) + refused.value.errors()[0]["msg"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Return", "enter"),
        ("CTRL", "ctrl"),
        ("Control_L", "ctrl"),
        ("cmd", "super"),
        ("Page_Up", "pageup"),
        ("Esc", "escape"),
        ("S", "s"),
        ("+", "+"),
        ("ArrowLeft", "left"),
        ("F12", "f12"),
        ("ä", "ä"),
        ("right", "right"),
    ],
)
def test_keys_have_one_name_on_every_platform(name: str, key: str) -> None:
    assert normal_key(name) == key


@given(st.sampled_from(sorted(NAMED)) | st.characters(min_codepoint=33, max_codepoint=0x2FF))
def test_a_normal_key_stays_what_it_is(name: str) -> None:
    try:
        key = normal_key(name)
    except ValueError:
        return
    assert normal_key(key) == key


@pytest.mark.parametrize("action", [Click(x=-1, y=5), Click(x=100, y=5), Click(x=5, y=50)])
def test_a_point_off_the_screen_is_refused(action: Action) -> None:
    with pytest.raises(OffScreen):
        check_on_screen(action, Box(0, 0, 100, 50))


def test_a_screen_may_begin_left_of_zero() -> None:
    check_on_screen(Click(x=-1, y=5), Box(-1920, 0, 3840, 1080))
    check_on_screen(Press(key="a"), Box(0, 0, 1, 1))
    check_on_screen(Hotkey(keys=("ctrl", "s")), Box(0, 0, 1, 1))
