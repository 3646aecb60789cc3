"""The ladder: levels and strategists, rated by all their games together."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ladder
from engine.arena.test_report import stated
from trine.core.clock import Limits
from trine.core.errors import MalformedError
from trine.engine.arena.opening_book import parse_openings

pytestmark = pytest.mark.nightly


def test_ratings_give_back_the_strengths_that_results_come_from() -> None:
    strengths = np.array([0.0, 100.0, 250.0, 700.0])
    expected = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    meeting = ~np.eye(4, dtype=bool)
    found = ladder.rate(10_000 * expected * meeting, meeting)
    for rating, strength in zip(found, strengths - strengths.mean(), strict=True):
        assert rating.elo == pytest.approx(strength, abs=0.5)
    # Between two players the error is that of the difference, halved to each side.
    (one, _) = ladder.rate(np.array([[0.0, 50], [50, 0]]), ~np.eye(2, dtype=bool))
    games, slope = 101, math.log(10) / 400
    assert one.error == pytest.approx(1.96 / (slope * math.sqrt(games)), rel=0.001)


def test_errors_of_ratings_hold_what_they_promise() -> None:
    chance, inside, runs = np.random.default_rng(1), 0, 200
    strengths = np.array([-100.0, 0.0, 100.0])
    expected = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    meeting = ~np.eye(3, dtype=bool)
    for _ in range(runs):
        wins = np.triu(chance.binomial(100, expected), 1).astype(float)
        wins += np.tril(100 - wins.T, -1)
        rating = ladder.rate(wins, meeting)[2]
        inside += abs(rating.elo - strengths[2]) <= rating.error
    assert 0.90 <= inside / runs <= 0.99


def test_who_wins_everything_is_rated_too() -> None:
    found = ladder.rate(np.array([[0.0, 20, 20], [0, 0, 10], [0, 10, 0]]), ~np.eye(3, dtype=bool))
    assert found[0].elo > 300 > found[0].error / 10
    assert found[1].elo == pytest.approx(found[2].elo)


def test_a_ladder_pits_neighbours_and_strategists() -> None:
    openings = parse_openings("start", "corridor", "quoridor")
    whole = ladder.ladder(openings, [1, 2, 3, 4], limits=Limits(nodes=9))
    count = len(whole.entrants)
    assert len(whole.lineups) == count * (count - 1) // 2
    few = ladder.ladder(openings, [1, 2, 3, 4], limits=Limits(nodes=9), only_neighbours=True)
    assert {pair for pair in few.lineups if max(pair) < 4} == {(0, 1), (1, 2), (2, 3)}
    assert all((level, other) in few.lineups for level in range(4) for other in range(4, count))


def test_a_ladder_is_a_table_of_ratings() -> None:
    match, standings = stated(4, "AAAABC" + "ABAABB", "random", "random", "random")
    lines = ladder.table(match, standings)
    assert lines[0].split() == ["Rank", "Name", "Rating", "+/-", "Games", "Score"]
    assert [line.split()[1] for line in lines[1:]] == ["A", "B", "C"]
    assert sum(int(line.split()[2]) for line in lines[1:]) == pytest.approx(0, abs=2)


def test_a_ladder_is_rated(tmp_path: Path) -> None:
    few = ("--levels", "1,4", "--games", "2", "--nodes", "200", "--hash", "1")
    out = str(tmp_path / "games.txt")
    done = CliRunner().invoke(ladder.command, ["tzaar", *few, "--out", out])
    assert done.exit_code == 0, done.output
    assert re.search(r"^Rank  Name +Rating +\+/- +Games +Score$", done.output, re.MULTILINE)
    assert {"bot:1", "bot:4"} <= set(done.output.split())


@pytest.mark.parametrize("levels", ["0-3", "11", "x", "", "3-1"])
def test_levels_that_there_are_not_are_refused(levels: str) -> None:
    with pytest.raises(MalformedError, match="level"):
        ladder.parse_levels(levels)
