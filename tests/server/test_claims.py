from collections.abc import Callable
from contextvars import copy_context

import pytest

from actionlens.errors import DesktopBusy
from server.claims import LEASE_S, Claims, calling


def of(caller: str, do: Callable[[], None]) -> str | None:
    """Do something as one of several clients; who is in the way, if anybody."""

    def work() -> str | None:
        calling.set(caller)
        try:
            do()
        except DesktopBusy as exc:
            return f"{exc.who}, {exc.doing}"
        return None

    return copy_context().run(work)


def test_a_recording_keeps_the_others_out_until_it_is_given_back() -> None:
    claims = Claims()
    assert of("a", lambda: claims.record("claude", "the form")) is None

    assert of("a", claims.expect_ours) is None
    assert of("b", claims.expect_ours) == "claude, recording: the form"
    assert of("b", lambda: claims.record("codex", "another")) == "claude, recording: the form"
    of("b", claims.give_back)
    assert of("b", claims.expect_ours) is not None
    of("a", claims.give_back)
    assert of("b", claims.expect_ours) is None


def test_a_replay_keeps_everybody_out_even_who_started_it() -> None:
    claims = Claims()

    def replay() -> None:
        with claims.replaying("claude", "replay r1"):
            assert of("a", claims.expect_ours) == "claude, replay r1"
            assert of("b", claims.expect_ours) == "claude, replay r1"
            of("a", claims.give_back)
            assert of("a", claims.expect_ours) is not None

    assert of("a", replay) is None
    assert of("b", claims.expect_ours) is None


def test_a_replay_ends_its_claim_when_it_fails() -> None:
    claims = Claims()

    with pytest.raises(ValueError, match="no"), claims.replaying("claude", "replay r1"):
        raise ValueError("no")

    claims.expect_ours()


def test_a_recording_that_nobody_goes_on_with_lets_the_next_one_in() -> None:
    now = [0.0]
    claims = Claims(lambda: now[0])
    of("a", lambda: claims.record("claude", "the form"))
    now[0] = LEASE_S - 1
    assert of("a", claims.expect_ours) is None

    now[0] += LEASE_S - 1
    assert of("b", claims.expect_ours) is not None
    now[0] += 2
    assert of("b", claims.expect_ours) is None
