import pytest

from actionlens.actions import ACTION
from actionlens.wording import clip, parameter_words


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"action": "click", "x": 0, "y": 7}, "0,7"),
        ({"action": "click", "x": 1, "y": 2, "clicks": 2, "hold": ["ctrl"]}, "1,2 clicks=2 hold=ctrl"),
        ({"action": "drag", "x": 1, "y": 2, "to_x": 0, "to_y": 4}, "1,2 to 0,4"),
        ({"action": "scroll", "x": 1, "y": 2, "dy": -3}, "1,2 dy=-3"),
        ({"action": "hotkey", "keys": ["ctrl", "s"]}, "ctrl+s"),
        ({"action": "press", "key": "enter", "presses": 3}, "enter presses=3"),
        ({"action": "type", "text": "it's"}, '"it\'s"'),
        ({"action": "type", "text_ref": "env:PIN"}, "text_ref=env:PIN"),
    ],
)
def test_an_action_is_said_as_people_write_it(action: dict[str, object], said: str) -> None:
    given = ACTION.validate_python(action).model_dump(mode="json", exclude={"action"})

    assert parameter_words(given) == said


def test_a_long_text_is_cut_with_a_sign() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert parameter_words({"text": "x" * 90}, 10) == repr("x" * 9 + "…")
