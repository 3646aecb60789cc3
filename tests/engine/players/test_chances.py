"""Chances: one curve for each rule set, the same for both players, and nothing sure but proofs."""

from itertools import pairwise

import pytest

from trine.core.contract.score import PROVEN_SCORE, WIN, Score
from trine.engine.players.chances import Curve, chance, curve_of, curves_of_room, shares
from trine.games import BUNDLED_GAMES, new_play, open_room

RULE_SETS = [(game, rules) for game in BUNDLED_GAMES for rules in open_room(game).rule_sets]


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_every_rule_set_has_a_curve_that_was_fitted(game: str, rules: str) -> None:
    curve = curve_of(game, rules)
    assert curve != Curve()
    assert 0.1 < curve.slope < 5
    assert f"# Fitted: {game}/{rules}, " in curves_of_room(game)


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_more_points_are_a_greater_chance(game: str, rules: str) -> None:
    play = new_play(f"{game}/{rules}")
    scores = [-20_000, *range(-800, 801, 50), 20_000]
    chances = [chance(play.room, play.position, Score(points)) for points in scores]
    assert all(one < other for one, other in pairwise(chances))
    assert chances[0] >= 0 and chances[-1] <= 1


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_the_chances_of_both_players_are_one_together(game: str, rules: str) -> None:
    play = new_play(f"{game}/{rules}")
    for points in (0, 35, 400, 3_000):
        own, other = (chance(play.room, play.position, Score(sign * points)) for sign in (1, -1))
        assert own + other == pytest.approx(1)
        assert sum(shares(play.room, play.position, Score(points))) == 1


def test_shares_are_those_of_the_seats_whoever_is_to_move() -> None:
    play = new_play("corridor")
    south = shares(play.room, play.position, Score(300))
    play.enter("e2")
    north = shares(play.room, play.position, Score(300))
    assert south[0] == north[1] > 0.5


def test_only_what_is_proven_is_sure() -> None:
    play = new_play("tzaar")
    assert chance(play.room, play.position, Score(WIN - 9)) == 1
    assert chance(play.room, play.position, Score(9 - WIN)) == 0
    assert 0.5 < chance(play.room, play.position, Score(PROVEN_SCORE)) < 1


def test_of_several_the_score_is_what_the_tree_found() -> None:
    """Its points stand for odds against the best of the others."""
    play = new_play("corridor", players=4)
    assert chance(play.room, play.position, Score(400)) == pytest.approx(10 / 11)


def test_no_lead_is_surer_than_people_are_to_keep_it() -> None:
    assert Curve(1, 0.1).chance(20_000) == pytest.approx(0.9)
    assert Curve(1, 0.1).chance(-20_000) == pytest.approx(0.1)
