"""Setups without thought, and the strategist of the Russian document, are legal everywhere."""

import os
import random

import pytest

from games.arimaa.enumeration import crowded, row_of
from trine.core.contract.position import NO_HISTORY
from trine.core.play import Play
from trine.games import new_play, open_heuristics, open_room
from trine.games.arimaa.board import SIDES
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.kernel.goals import detect_goal
from trine.games.arimaa.knowledge.strategy import opening, run, trapper
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS, Action
from trine.games.arimaa.starts import start_position

ROOM = open_room("arimaa")
PLAYS = int(os.environ.get("TRINE_PLAYS", "40"))
"""The number of positions won within a turn that are looked at."""


def play_all(position: Position, actions: tuple[Action, ...]) -> Position:
    """Play actions that must be legal and end the turn, no sooner."""
    mover = position.mover
    for action in actions:
        assert position.mover == mover, "the turn had ended"
        assert action in position.legal_actions(), position.why_not(action)
        position = position.play_unchecked(action)
    assert position.mover != mover
    return position


def test_the_strategist_wins_where_a_turn_wins() -> None:
    rng, won = random.Random(1), 0
    while won < PLAYS:
        position = crowded(rng)
        if detect_goal(row_of(position)):
            won += 1
            assert _wins(position, trapper(position, NO_HISTORY, rng)), str(position)


def _wins(position: Position, turn: tuple[Action, ...]) -> bool:
    after = play_all(position, turn)
    outcome = after.outcome(NO_HISTORY)
    return outcome is not None and outcome.winner == position.mover


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("handicap", ["", "gold:camel,dog", "silver:elephant,r,r"])
def test_openings_are_whole_legal_setups(name: str, handicap: str) -> None:
    for seed in range(8):
        rng = random.Random(seed)
        position = start_position(RULE_SETS[name], handicap)
        for _ in SIDES:
            position = play_all(position, opening(position, rng))
        assert not position.in_setup


def test_openings_complete_what_is_placed_already() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        position = start_position(RULE_SETS["official"])
        for _ in SIDES:
            for _ in range(rng.randrange(17)):
                position = position.play_unchecked(rng.choice(position.legal_actions()))
            position = play_all(position, opening(position, rng))


def test_openings_vary_and_the_same_chance_gives_the_same() -> None:
    start = start_position(RULE_SETS["official"])
    assert len({opening(start, random.Random(seed)) for seed in range(30)}) >= 4
    assert opening(start, random.Random(5)) == opening(start, random.Random(5))


def test_silver_keeps_its_camel_away_from_the_enemy_elephant() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        position = start_position(RULE_SETS["official"])
        for _ in SIDES:
            position = play_all(position, opening(position, rng))
        elephant, camel = position.board.index("E") % 8, position.board.index("m") % 8
        assert (elephant < 4) != (camel < 4)


def test_there_is_no_opening_once_pieces_move() -> None:
    position = parse_position("2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR")
    assert open_heuristics("arimaa").opening(position, random.Random(1)) == ()


def play_against_chance(name: str, seed: int, most: int) -> Play:
    """The strategist plays one side, chance the other, which begins turns of it at times."""
    rng = random.Random(seed)
    side = seed % 2
    play = new_play(f"arimaa/{name}")
    strategist = ROOM.handbook.strategists["trapper"]
    while not play.outcome and len(play.turns) < most:
        if play.mover == side and (play.position.turn_open or rng.random() < 0.8):
            mover = play.mover
            for action in strategist(play.position, play.history, rng):
                assert play.why_not(action) is None
                play.act_unchecked(action)
            assert play.outcome or play.mover != mover
        else:
            play.act_unchecked(rng.choice(play.legal_actions()))
    return play


@pytest.mark.parametrize(
    "name",
    [
        "official",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in RULE_SETS
            if name != "official"
        ),
    ],
)
def test_the_strategist_plays_legally_and_beats_chance(name: str) -> None:
    play = play_against_chance(name, seed=3, most=160)
    assert play.outcome is not None
    assert play.outcome.winner == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2g 8/8/R7/8/8/3e4/8/7E", "Ra6n Ra7n end"),
        ("2g 7r/8/8/8/2rE4/8/8/R7", "rc4s"),  # into the trap
    ],
)
def test_the_strategist_wins_at_once_and_pushes_into_traps(words: str, expected: str) -> None:
    position = parse_position(words)
    turn = trapper(position, NO_HISTORY, random.Random(1))
    play_all(position, turn)
    assert expected in " ".join(map(str, turn))


def test_the_strategist_keeps_a_rabbit_from_running_home() -> None:
    position = parse_position("2g r7/8/8/8/2E4r/8/8/R3H1C1")
    assert run(position.rules, position.board, 1) is not None
    after = play_all(position, trapper(position, NO_HISTORY, random.Random(1)))
    assert run(after.rules, after.board, 1) is None


def test_a_rabbit_runs_only_where_it_is_free() -> None:
    free = parse_position("2g 8/8/8/R7/8/8/8/r7")
    way = run(free.rules, free.board, 0)
    assert way is not None and [str(step) for step in way] == ["Ra5n", "Ra6n", "Ra7n"]
    frozen = parse_position("2g 8/8/8/Rc6/8/8/8/r7")
    assert run(frozen.rules, frozen.board, 0) is None
    stopped = parse_position("2g 8/1c6/8/R7/8/8/8/r7")
    assert run(stopped.rules, stopped.board, 0) is None
