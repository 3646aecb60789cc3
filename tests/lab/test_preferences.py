"""Preferences: are they the played turns of records, among others that were legal?"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from fitting.preferences import MAX_OTHERS, Preferences, RecordedTurns
from trine.core.contract.record import format_record
from trine.core.play import Play
from trine.engine.selfplay.random_starts import play_random_turn
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import ROOMS, new_play, open_heuristics, open_kernel, open_room
from trine.play.record.replay import record_of

pytestmark = pytest.mark.nightly


def source(game: str, seed: int = 0) -> RecordedTurns:
    return RecordedTurns(SelfPlayPlan(game, open_room(game).default_rules, seed=seed))


def some_turns(game: str, count: int = 3) -> Play:
    """A play with a few turns after its setup, by chance."""
    play, rng = new_play(game), Random(1)
    while len([turn for turn in play.turns if not turn.before.in_setup]) < count:
        play_random_turn(play, rng)
    return play


def keys(game: str, preferences: Preferences) -> list[list[int]]:
    ends = np.cumsum(preferences.sizes)[:-1]
    return [
        [int(open_kernel(game).key(row)) for row in rows]
        for rows in np.split(preferences.rows, ends)
    ]


@pytest.mark.parametrize("game", ROOMS)
def test_turns_of_a_record_stand_among_others_of_the_same_position(
    game: str, tmp_path: Path
) -> None:
    play, kernel = some_turns(game), open_kernel(game)
    file = tmp_path / "games.txt"
    file.write_text(format_record(record_of(play)), encoding="utf-8")
    taken: list[bool] = []
    preferences = source(game).read(file, 7, taken.append)
    turns = [turn for turn in play.turns if not turn.before.in_setup]
    assert taken == [True] and preferences.games.tolist() == [7] * len(turns)
    assert preferences.players.tolist() == [turn.player for turn in turns]
    assert preferences.sizes.max() == MAX_OTHERS + 1
    for turn, (played, *others) in zip(turns, keys(game, preferences), strict=True):
        assert played == kernel.key_of(turn.after)
        assert len({played, *others}) == len(others) + 1
        legal = open_room(game).rules.turn_results(turn.before)
        assert set(others) <= {kernel.key_of(position) for position in legal}


def test_half_of_the_others_are_the_best_of_those_drawn() -> None:
    preferences = source("tzaar").preferences_of(some_turns("tzaar", 1), 0)
    counted = preferences.count_terms("tzaar")
    weights = [term.weight for term in open_heuristics("tzaar").terms]
    points = np.rint(counted.rest + counted.counts @ np.array(weights))
    best, drawn = points[1 : 1 + MAX_OTHERS // 2], points[1 + MAX_OTHERS // 2 :]
    assert (np.diff(best) <= 0).all() and best.min() >= drawn.max()


def test_the_others_depend_on_the_seed_alone() -> None:
    play = some_turns("corridor", 1)
    first, again = (source("corridor").preferences_of(play, 0) for _ in range(2))
    assert np.array_equal(first.rows, again.rows)
    other = source("corridor", seed=1).preferences_of(play, 0)
    assert keys("corridor", first)[0][0] == keys("corridor", other)[0][0]
    assert not np.array_equal(first.rows, other.rows)


def test_records_of_other_games_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text(format_record(record_of(some_turns("corridor"))), encoding="utf-8")
    taken: list[bool] = []
    assert len(source("tzaar").read(file, 0, taken.append)) == 0
    assert taken == [False]
