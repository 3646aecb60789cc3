"""Forfeits and pauses of a game that is being played."""

from pathlib import Path

import pytest

from playing import live, replayed, resumed, standing, terms
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError


def test_who_forfeits_has_lost_and_the_record_says_why(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n end")
        game.forfeit("it is {silent}")
        assert game.play.outcome == Outcome(0, Reason.FORFEIT)
        with pytest.raises(IllegalError):
            game.forfeit("again")
    assert (
        '\n2s {Silver forfeits: it is (silent)} \n[Result "Gold"]\n[Reason "forfeit"]\n'
        in path.read_text()
    )
    with resumed(path) as (again, damage):
        assert damage is None
        assert standing(again.play) == standing(replayed(path))


def test_an_open_turn_is_taken_back_before_a_forfeit(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n")
        game.forfeit("gone")
        assert game.play.open_actions == ()
    assert replayed(path).outcome == Outcome(1, Reason.FORFEIT)
