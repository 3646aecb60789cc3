"""The kernel is the referee's twin: the same actions, positions and results, and sound keys.

`TRINE_PLAYS` is how many whole plays of each rule set are compared.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from games.corridor.twins import assert_same_place, assert_twins, row_of
from kernels import GARBAGE, Row, actions_in, assert_passes_again, new_rows, plays
from trine.core.errors import IllegalError
from trine.games.corridor.board import LEFT, MAX_SEARCHED_SIZE, SIZES, Passages, distance
from trine.games.corridor.compiled import RULE_NUMBERS, actions_of, number_of, to_row
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.position import Position
from trine.games.corridor.rules import ENDLESS, RULE_SETS, Action, Wall, footprints, passages_beside

PLAYS = plays(12)
SEARCHED = (SIZES[0], 10, MAX_SEARCHED_SIZE)
"""Beside the sizes of the whole plays, up to the usual one."""
VECTORS = str(Path(__file__).with_name("test_kernel_vectors.py"))


def random_turn(position: Position, actions: tuple[Action, ...], dice: random.Random) -> Action:
    """A legal action: often a wall, mostly beside others, else often a step towards the goal."""
    walls = [action for action in actions if isinstance(action, Wall)]
    moves = [action for action in actions if not isinstance(action, Wall)]
    if walls and (not moves or dice.random() < 0.6):
        touched = position.footprint.points
        beside = [wall for wall in walls if touched >> wall.rank * position.size + wall.file & 1]
        return dice.choice(beside if beside and dice.random() < 0.3 else walls)
    if position.in_setup or dice.random() < 0.4:
        return dice.choice(moves)
    return min(
        dice.sample(moves, len(moves)),
        key=lambda move: position.play_unchecked(move).distance(position.mover) or 0,
    )


def play_both(first: Position, dice: random.Random) -> Iterator[tuple[Position, Row]]:
    """Yield each position of a play by the referee, with the row that the kernel has come to."""
    position, rows = first, new_rows(layout, 1)
    to_row(first, rows[0])
    while True:
        yield position, rows[0]
        if not (actions := position.legal_actions()):
            return
        action = random_turn(position, actions, dice)
        rows[1] = GARBAGE  # whatever stands there must not matter
        kernel.play(rows, 0, number_of(position, action))
        rows[0] = rows[1]
        position = position.play_unchecked(action)


def assert_twins_through(first: Position, seed: int) -> None:
    for position, row in play_both(first, random.Random(seed)):
        assert_twins(row, position)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_kernel_is_the_referee_in_whole_plays(rules: str) -> None:
    players = RULE_SETS[rules].players
    for seed in range(PLAYS):
        size = 9 if seed % 5 == 0 else 3 + seed % 6
        first = Position.first(RULE_SETS[rules], size, players[seed % len(players)])
        assert_twins_through(first, seed)


@pytest.mark.parametrize("rules", ENDLESS)
def test_the_kernel_is_the_referee_where_no_repetition_draws(rules: str) -> None:
    for seed in range(PLAYS // 5):
        assert_twins_through(Position.first(ENDLESS[rules], 3 + seed % 7, 2 + seed % 3), seed)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_kernel_is_the_referee_on_boards_larger_than_the_usual_one(rules: str) -> None:
    players = RULE_SETS[rules].players
    for seed in range(PLAYS // 10):
        size = (10, 11)[seed % 2]
        first = Position.first(RULE_SETS[rules], size, players[-1 - seed // 2 % len(players)])
        for turn, (position, row) in enumerate(islice(play_both(first, random.Random(seed)), 61)):
            if turn % 4 == 0:
                assert_twins(row, position)
            assert_same_place(row, position)


@pytest.mark.parametrize("size", SEARCHED)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_kernel_is_the_referee_on_the_smallest_and_the_largest_boards(
    rules: str, size: int
) -> None:
    for players in RULE_SETS[rules].players:
        first = Position.first(RULE_SETS[rules], size, players)
        *_, (position, row) = islice(play_both(first, random.Random(size)), players + 5)
        assert_twins(row, position)


@pytest.mark.parametrize("size", [5, 11])
@pytest.mark.parametrize(("rules", "players"), [("quoridor", 4), ("great-wall", 3)])
def test_who_has_left_is_passed_over(rules: str, players: int, size: int) -> None:
    for seed in range(4):
        position, dice = Position.first(RULE_SETS[rules], size, players), random.Random(seed)
        for _ in range(seed * 2):
            position = position.play_unchecked(dice.choice(position.legal_actions()))
        position = position.without_mover()
        assert LEFT in position.pawns
        for after, row in islice(play_both(position, dice), 20):
            assert_twins(row, after)


def walls_left(position: Position) -> bool:
    """Whether a wall can still come; known ways are not kept up for longer, as nothing needs them."""
    return any(hand != 0 for hand in position.hands)


def witness_path(row: Row) -> Passages:
    """The sides of squares that the known way of the witness crosses, on a board of nine."""
    north, north_high, east, east_high = (int(word) for word in row[layout.PATH :][:4])
    return Passages(9, of_nine(north | north_high << 64), of_nine(east | east_high << 64))


def of_nine(squares: int) -> int:
    ranks = (squares >> layout.STRIDE * rank & (1 << 9) - 1 for rank in range(9))
    return sum(files << 9 * rank for rank, files in enumerate(ranks))


@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS if rules != "quoridor"])
def test_the_known_way_of_the_witness_leads_from_the_pawn_to_its_goal(rules: str) -> None:
    known = 0
    for seed in range(PLAYS):
        players = RULE_SETS[rules].players[seed % len(RULE_SETS[rules].players)]
        first = Position.first(RULE_SETS[rules], 9, players)
        for position, row in play_both(first, random.Random(seed)):
            if not position.in_setup and position.outcome() is None and walls_left(position):
                witness, path = layout.witness_of(row), witness_path(row)
                if int(row[layout.PATH]) != layout.UNKNOWN:
                    known += 1
                    assert path.north & ~position.passages.north == 0
                    assert path.east & ~position.passages.east == 0
                goals = sum(1 << square for square in position.goal_squares(witness))
                assert distance(path, 1 << position.pawns[witness], goals) is not None
    assert known > 5 * PLAYS


def test_walls_that_cut_no_known_way_leave_every_pawn_one() -> None:
    known = 0
    for seed in range(PLAYS):
        first = Position.first(RULE_SETS["quoridor"], 9, (2, 4)[seed % 2])
        for position, row in play_both(first, random.Random(seed)):
            actions_in(kernel, row)
            for player in range(position.players) if walls_left(position) else ():
                paths = [int(word) for word in row[layout.PATHS + 4 * player :][:4]]
                known += paths[0] != layout.UNKNOWN
                shut = position.footprint
                for wall, place in footprints(9, 2).items():
                    low, high = paths[:2] if wall.axis == "h" else paths[2:]
                    at = layout.STRIDE * wall.rank + wall.file
                    across = (low | high << 64) >> at & 1
                    if not across:
                        shut = shut.add(place)
                goal = sum(1 << square for square in position.goal_squares(player))
                passages = passages_beside(9, shut)
                assert distance(passages, 1 << position.pawns[player], goal) is not None
    assert known > 5 * PLAYS


def test_rule_sets_are_numbered_as_they_are_listed() -> None:
    assert list(RULE_NUMBERS) == list(RULE_SETS)
    assert list(RULE_NUMBERS.values()) == list(range(len(RULE_SETS)))


def test_a_board_that_is_too_large_is_refused_before_anything_is_written() -> None:
    rows = new_rows(layout)
    with pytest.raises(IllegalError, match="up to 11 squares wide; this one has 12"):
        to_row(Position.first(RULE_SETS["quoridor"], 12), rows[0])
    assert (rows == GARBAGE).all()


def test_no_position_has_more_actions_than_the_buffer_holds() -> None:
    text = "great-wall 11 4 f6,f7,f5,d6 - *,*,*,* 1"
    assert len(actions_in(kernel, row_of(parse_position(text)))) <= kernel.MAX_ACTIONS
    for rules in RULE_SETS.values():
        for size in SEARCHED:
            position = Position.first(rules, size)
            assert kernel.count_actions(row_of(position)) <= kernel.MAX_ACTIONS
            assert set(actions_in(kernel, row_of(position))) <= set(range(actions_of(size)))


@pytest.mark.nightly
def test_all_this_holds_again_with_every_index_checked() -> None:
    assert_passes_again(__file__, "not again", VECTORS, NUMBA_BOUNDSCHECK="1", TRINE_PLAYS="10")


@pytest.mark.nightly
def test_all_this_holds_again_interpreted() -> None:
    slow = "again or likely or largest_boards or by_chance or buffer"
    settings = {"NUMBA_DISABLE_JIT": "1", "TRINE_PLAYS": "2"}
    assert_passes_again(__file__, f"not ({slow})", VECTORS, **settings)
