"""Lengths of proven wins, held against a retrograde solver on races without walls in hand."""

import re
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from trine.core.clock import Limits
from trine.core.contract.position import ItsPosition, Position
from trine.core.play import Play
from trine.engine.players.assessment import value_text
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import new_play, open_room

pytestmark = pytest.mark.usefixtures("odds_of_the_search")

SIZE = 7
WALLS = ("-", "a2h,c2h,e2h,c5h,e5h")


def races(walls: str) -> dict[Position, list[Position]]:
    """Return all positions of two pawns that go on, each with those that follow."""
    text = f"quoridor {SIZE} 2 c1,c{SIZE} {walls} 0,0 1"
    start: ItsPosition = new_play("corridor/quoridor", position=text).position
    squares = SIZE * SIZE
    found: dict[Position, list[Position]] = {}
    for south, north, mover in product(range(squares - SIZE), range(SIZE, squares), (0, 1)):
        if south != north:
            race = replace(start, pawns=(south, north), mover=mover)
            found[race] = [race.play_unchecked(action) for action in race.legal_actions()]
    return found


def exact_lengths(followers: dict[Position, list[Position]]) -> dict[Position, int]:
    """Return the actions until the end at best play: odd if the player to move wins.

    A position is settled by all wins and losses that are one action shorter.
    """
    lengths: dict[Position, int] = {}
    for length in range(1, 80):
        settled: dict[Position, int] = {}
        for position, after in followers.items():
            if position in lengths:
                continue
            if length == 1:
                wins = any(one.outcome() for one in after)
            else:
                wins = length % 2 == 1 and any(lengths.get(one) == length - 1 for one in after)
            loses = length % 2 == 0 and all(lengths.get(one, 0) % 2 == 1 for one in after)
            if wins or loses:
                settled[position] = length
        lengths |= settled
    return lengths


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.parametrize("depth", [14, 24])
def test_a_length_that_is_said_is_the_shortest_or_a_bound(walls: str, depth: int) -> None:
    room, searcher = open_room("corridor"), AlphaBeta("corridor", hash_mb=4)
    followers = races(walls)
    exact = exact_lengths(followers)
    said = 0
    for position in Random(1).sample(list(exact), 100):
        searcher.clear()
        play = Play(room, position)
        best = searcher.search(play, Limits(depth=depth))[0]
        best = searcher.extend_proof(play, best)
        words = str(value_text(room, position, best))
        length = re.search(r"(South|North) wins (with|in|within) (this|\d+) turn", words)
        if not length:
            continue
        said += 1
        winner, how, count = length.groups()
        turns, shortest = 1 if count == "this" else int(count), (exact[position] + 1) // 2
        expected = position.mover if exact[position] % 2 else 1 - position.mover
        assert winner == ("South", "North")[expected], (position, words)
        assert turns >= shortest if how == "within" else turns == shortest, (position, words)
    assert said > 30
