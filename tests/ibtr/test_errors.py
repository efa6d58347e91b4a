from ibtr import errors
from ibtr.errors import RejectCause, Rejected


def test_every_cause_has_one_class_and_stands_in_the_tree_of_the_docstring() -> None:
    classes = {kind.cause: kind.__name__ for kind in Rejected.__subclasses__()}

    assert set(classes) == set(RejectCause)
    for cause, name in classes.items():
        assert f"{name} " in (errors.__doc__ or "")
        assert f"{cause}: " in (errors.__doc__ or "")


def test_a_refusal_carries_its_numbers() -> None:
    refusal = errors.MissingTarget("nothing looks like it", score=0.4)

    assert refusal.cause == "missing_target"
    assert refusal.evidence == {"score": 0.4}
