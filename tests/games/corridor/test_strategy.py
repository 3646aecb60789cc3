"""The strategist does what the document says, and the mind of the room is complete."""

import random
from collections import Counter

import pytest

from trine.core.contract.handbook import Strategist
from trine.core.contract.position import NO_HISTORY, History
from trine.core.play import Play
from trine.games import new_play, open_heuristics
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.knowledge.strategy import pathfinder, wall_builder
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Choice, Wall


def answers(words: str, seeds: range = range(12)) -> set[str]:
    position = parse_position(words)
    turns = (pathfinder(position, NO_HISTORY, random.Random(seed)) for seed in seeds)
    return {" ".join(map(str, turn)) for turn in turns}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [4, 9])
def test_the_strategist_plays_whole_games_legally(rules: str, size: int) -> None:
    for seed, players in enumerate(RULE_SETS[rules].players):
        play = new_play(f"corridor/{rules}", players=players, size=size)
        rng = random.Random(seed)
        while not play.outcome:
            position = play.position
            assert isinstance(position, Position)
            play.follow(play.check(pathfinder(position, play.history, rng)))
            assert len(play.turns) < 400


def test_the_same_chance_leads_to_the_same_start() -> None:
    position = Position.first(RULE_SETS["great-wall"], 9, 3)
    starts = [pathfinder(position, NO_HISTORY, random.Random(5)) for _ in range(6)]
    assert len(set(starts)) == 1


def test_the_strategist_goes_on_when_others_have_left() -> None:
    position = Position.first(RULE_SETS["quoridor"], 9, 4).without_mover().without_mover()
    rng = random.Random(1)
    for _ in range(200):
        if position.outcome():
            break
        (action,) = pathfinder(position, History(), rng)
        position = position.play(action)
    assert position.outcome()


def played(rules: str, players: tuple[Strategist, ...], size: int, seed: int) -> Play:
    play, rng = new_play(f"corridor/{rules}", size=size), random.Random(seed)
    while not play.outcome and len(play.turns) < 300:
        play.follow(play.check(players[play.mover](play.position, play.history, rng)))
    return play


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_wall_builder_plays_whole_games_legally(rules: str) -> None:
    for seed in range(2):
        pair = (wall_builder, pathfinder) if seed else (pathfinder, wall_builder)
        assert played(rules, pair, 7, seed).outcome


def test_the_wall_builder_shuts_the_board_behind_its_back() -> None:
    """The rival has not gone ahead: nothing is left to it but a draw, and the builder walks on."""
    words = "corridor 5 2 c2,c5 a1h,b1h,c1h,d1h 6,10 1"
    for seed in range(5):
        (wall,) = wall_builder(parse_position(words), NO_HISTORY, random.Random(seed))
        after = parse_position(words).play(wall)
        assert (str(wall), after.distance(1), after.distance(0)) == ("e1h", None, 3)


def test_the_wall_builder_goes_where_no_wall_can_be_finished() -> None:
    for words in (
        "corridor 5 2 c2,c5 a1h 3,10 1",  # four gaps, three walls
        "corridor 5 2 c2,c1 a1h 9,10 1",  # the rival is behind the pawn already
        "corridor 5 2 c1,c5 - 9,10 1",  # nothing is behind the pawn
    ):
        position = parse_position(words)
        if not position.outcome():
            (action,) = wall_builder(position, NO_HISTORY, random.Random(1))
            (expected,) = pathfinder(position, NO_HISTORY, random.Random(1))
            assert action == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # The own way is the shorter one, or as short: go.
        ("quoridor 9 2 e4,e9 - 10,10 1", {"e5"}),
        ("quoridor 9 2 e2,e8 - 10,10 1", {"e3"}),
        # It is the longer one: the walls that cost the other the most.
        ("quoridor 9 2 d1,e9 a1h,b4h,c1v,c5h,d3h,d7h,h3h,h4h,h8h 7,4 1", {"e8v"}),
        # No walls are left, or none is of any use, such as one that costs as much as it gains: go.
        ("corridor 3 2 b1,b2 a2h 1,1 1", {"b3"}),
        ("quoridor 9 2 e2,e9 - 10,10 1", {"e3"}),
        ("quoridor 9 2 e2,e7 - 0,10 1", {"e3"}),
        # A jump is a step further.
        ("quoridor 9 2 e4,e5 - 0,10 1", {"e6"}),
        # Of three, West is there first, who moves before North.
        ("great-wall 5 3 c1,b3,c4 - *,*,* 1", {"b3v", "c3v", "d3v"}),
    ],
)
def test_the_strategist_follows_the_document(words: str, expected: set[str]) -> None:
    assert answers(words) == expected


def test_chance_decides_between_equals() -> None:
    assert answers("quoridor 9 2 e2,e7 - 10,10 1", range(40)) == {"d1h", "e1h"}


def test_the_strategist_does_not_shut_itself_off() -> None:
    for seed in range(6):
        play = new_play("corridor/corridor", size=5)
        rng = random.Random(seed)
        while not play.outcome:
            before = play.position
            assert isinstance(before, Position)
            (action,) = pathfinder(before, play.history, rng)
            play.act(action)
            if isinstance(action, Wall) and before.distance(before.mover) is not None:
                assert before.play(action).distance(before.mover) is not None


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_opening_chooses_start_squares_and_nothing_else(rules: str) -> None:
    heuristics, chosen = open_heuristics("corridor"), Counter[str]()
    for seed in range(20):
        players = RULE_SETS[rules].players[seed % len(RULE_SETS[rules].players)]
        position, rng = Position.first(RULE_SETS[rules], 9, players), random.Random(seed)
        while position.in_setup:
            (choice,) = heuristics.opening(position, rng)
            assert isinstance(choice, Choice)
            square = choice.rank * 9 + choice.file
            assert square in position.start_squares(position.mover)
            chosen[str(choice)] += 1
            position = position.play(choice)
        assert heuristics.opening(position, rng) == ()
    assert len(chosen) >= (0 if rules == "quoridor" else 6)
