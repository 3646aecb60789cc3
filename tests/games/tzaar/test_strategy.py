"""The document's strategist plays whole games legally, wins when it can, and beats play by chance."""

import re
from itertools import product
from random import Random

import pytest

from trine.core.contract.handbook import Strategist
from trine.core.contract.position import NO_HISTORY, History
from trine.games import BUNDLED_GAMES, open_room
from trine.games.tzaar.board import LINES_FROM, PIECES
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.knowledge.strategy import counter, evaluate_board, place
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS, Action, Capture, Stacking, reached
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.insight import threats_of

DUEL = "...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3...."


def by_chance(position: Position, history: History, rng: Random) -> tuple[Action, ...]:
    return (rng.choice(position.legal_actions()),)


def winner(position: Position, players: tuple[Strategist, Strategist], seed: int) -> int | None:
    rng = Random(seed)
    while (outcome := position.outcome()) is None:
        mover, player = position.mover, players[position.mover]
        for action in player(position, NO_HISTORY, rng):
            assert position.mover == mover
            position = position.play(action)
        if player is counter:
            assert not position.turn_open or position.outcome()
    return outcome.winner


ONCE = (("official", "random"), ("open", "placement"))


@pytest.mark.parametrize(
    ("rules", "setup"),
    [
        pytest.param(*game, marks=[] if game in ONCE else [pytest.mark.nightly])
        for game in product(RULE_SETS, ("random", "fixed", "placement"))
    ],
)
def test_whole_games_are_legal_and_end(rules: str, setup: str) -> None:
    options = {"Setup": setup, **({"Seed": "4"} if setup == "random" else {})}
    assert winner(start(rules, options), (counter, counter), 4) in (0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_it_beats_play_by_chance_with_either_side(seed: int) -> None:
    position = start("official", {"Setup": "random", "Seed": str(seed)})
    assert winner(position, (counter, by_chance), seed) == 0
    assert winner(position, (by_chance, counter), seed) == 1


def test_within_a_turn_it_plays_the_rest_only() -> None:
    position = start("open", {"Setup": "random", "Seed": "9"})
    position = position.play(position.legal_actions()[0])
    (action,) = counter(position, NO_HISTORY, Random(1))
    assert position.play(action).mover != position.mover


def test_it_wins_within_the_turn_if_it_can() -> None:
    (action,) = counter(parse_position(f"open {DUEL} white 1"), NO_HISTORY, Random(1))
    assert str(action) == "c4xf6"
    board = "T2Ty2../..t.../......./.......z/....*...t/......../......./....../YZ..."
    turn = counter(parse_position(f"open {board} white 1"), NO_HISTORY, Random(1))
    assert [str(action) for action in turn] == ["a2xb3", "a1xa3"]


def test_it_leaves_no_win_to_the_other_side_if_it_can_help_it() -> None:
    spared = 0
    for seed in range(9):
        rng = Random(seed)
        position = start("official", {"Setup": "random", "Seed": str(seed)})
        for _ in range(36):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_actions()))
        if position.outcome() or not position.turn_open:
            continue
        (action,) = counter(position, NO_HISTORY, rng)
        after = position.play(action)
        others = [position.play(other) for other in position.legal_actions()]
        safe = [other for other in others if not other.outcome() and not wins_next(other)]
        if not after.outcome() and 0 < len(safe) < len(others):
            assert after in safe
            spared += 1
    assert spared >= 2


def wins_next(position: Position) -> bool:
    threats = threats_of(position, position.mover)
    return bool(threats.extinction or threats.no_capture)


def test_more_captures_rarer_kinds_and_taller_stacks_are_worth_more() -> None:
    position = start("open", {"Setup": "random", "Seed": "3"})
    assert evaluate_board(position, 0) == -evaluate_board(position, 1)
    taken = {
        action: evaluate_board(position.play(action), 0)
        for action in position.legal_actions()
        if isinstance(action, Capture)
    }
    kinds = {position.tops[action.target] for action in taken}
    assert kinds == set("tyz")
    within = position.play(position.legal_actions()[0])
    stackings = [action for action in within.legal_actions() if isinstance(action, Stacking)]
    best = max(stackings, key=lambda action: evaluate_board(within.play(action), 0))
    assert within.tops[best.origin] + within.tops[best.target] == "ZT", "a Tzaar on a Tott"


def test_pieces_are_placed_beside_ones_own() -> None:
    position = start("official", {"Setup": "placement"})
    rng, beside = Random(2), 0
    for turn in range(30):
        placement = place(position, rng)
        own = PIECES[position.mover]
        around = [position.tops[line[0]] for line in LINES_FROM[placement.point] if line]
        beside += turn >= 6 and any(top in own for top in around)
        position = position.play(placement)
    assert beside >= 20


def placed(white: str, black: str) -> Position:
    """A board on which both have placed some Totts, White to move."""
    position = start("open", {"Setup": "placement"})
    words = zip(white.split(), black.split(), strict=True)
    for word in (word for pair in words for word in pair):
        (action,) = open_room("tzaar").rules.interpret(position, f"T{word}", NO_HISTORY)
        position = position.play(action)
    return position


def test_of_equal_neighbours_the_point_on_lines_of_ones_own_is_taken() -> None:
    position = placed("a1 c1 e1", "i1 i2 i3")
    for seed in range(5):
        point = place(position, Random(seed)).point
        seen = [position.tops[other] for other in reached(position.tops, point)]
        assert sum(top in PIECES[0] for top in seen) >= 2, "struck from two sides"


def test_every_strategist_says_whose_advice_it_follows() -> None:
    for name in BUNDLED_GAMES:
        room = open_room(name)
        assert set(room.handbook.advice) == set(room.handbook.strategists)
        for advice in room.handbook.advice.values():
            assert re.match(r"the \w+ document: ", str(advice))
