"""Forfeits and pauses of a game that is being played."""

from __future__ import annotations

from pathlib import Path

import pytest

from play.record.logs import undated
from playing import HandClock, agreed, live, replayed, resumed, standing, terms
from trine.core.contract.outcome import Outcome, Reason
from trine.core.errors import IllegalError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


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


def test_of_four_who_forfeits_leaves_and_the_others_play_on(path: Path) -> None:
    with live(path, agreed("corridor", players=4)) as game:
        game.forfeit("gone")
        assert game.play.outcome is None
        assert game.play.position.playing == (1, 2, 3)
    assert "1s {South forfeits: gone} lost {0:00}\n" in undated(path.read_text())
    assert replayed(path).position.playing == (1, 2, 3)


def test_no_time_passes_in_a_pause(path: Path) -> None:
    now = HandClock()
    with live(path, terms(clock="0:15/1"), now) as game:
        now.wait(10)
        with game.preparing():
            now.wait(500)
        now.wait(2)
        assert game.elapsed == 12
        assert not game.check_time()
        with pytest.raises(RuntimeError), game.preparing():
            now.wait(500)
            raise RuntimeError
        assert game.elapsed == 12
