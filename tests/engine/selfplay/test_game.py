"""Whole games in compiled code, where they differ from games that are played search by search."""

from dataclasses import replace

import numpy as np
import pytest

from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.search.nets import NO_NET
from trine.engine.selfplay import game as games
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.games import new_play, open_heuristics

QUICK = PlayerSettings(nodes=30, net=NO_NET)


def longer_play() -> Play:
    """A play of Corridor in which positions have stood before."""
    play = new_play("corridor", size=5)
    for word in ("c2", "c4", "c1", "c5"):
        play.enter(word)
    return play


def test_a_game_does_not_depend_on_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    play = longer_play()
    place = SelfPlay(play, hash_mb=[0.25, 0.25])
    played = place.play(play, (QUICK, QUICK), keep_ends=True)
    place.play(new_play("corridor", size=5), (replace(QUICK, depth=1), QUICK))
    again = place.play(play, (QUICK, QUICK), keep_ends=True)
    monkeypatch.setattr(
        games, "INITIAL_CAPACITY", games.INITIAL_CAPACITY // 16
    )  # it must grow on the way
    grown = SelfPlay(play, hash_mb=[0.25, 0.25]).play(play, (QUICK, QUICK), keep_ends=True)
    assert played.result != ONGOING and len(played.moves) > 12
    for other in (again, grown):
        assert np.array_equal(other.moves, played.moves)
        assert np.array_equal(other.ends[played.quiet], played.ends[played.quiet])


def test_a_game_is_left_after_a_number_of_turns() -> None:
    play = longer_play()
    played = SelfPlay(play, hash_mb=[0.25]).play(play, (QUICK, QUICK), turn_limit=9)
    assert played.result == ONGOING and len(played.moves) == 5


def test_most_ends_are_positions_whose_evaluation_is_the_score() -> None:
    play, heuristics = new_play("tzaar"), open_heuristics("tzaar")
    place = SelfPlay(play, hash_mb=[0.25])
    played = place.play(play, (QUICK, QUICK), keep_ends=True)
    counts = np.zeros(len(heuristics.terms), np.float32)
    assert len(played.quiet) > len(played.moves) / 2
    alike = 0
    for index in played.quiet:
        points = heuristics.evaluate(played.ends[index], 0, heuristics.weights, counts)
        alike += abs(played.moves["score"][index]) == abs(points)
    # The last line of a few searches does not end quietly; then an earlier one does.
    assert alike > 0.7 * len(played.quiet)
