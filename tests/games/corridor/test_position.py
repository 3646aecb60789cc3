"""The referee beyond the vectors: values, leaving, results, counts."""

from dataclasses import replace

import pytest
from hypothesis import given

from games.corridor.randomly import positions
from trine.core.contract.position import History, Outcome, Reason
from trine.core.errors import IllegalError
from trine.games.corridor.board import LEFT, square_at
from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, RULE_SETS, Move, Wall


def after(position: Position, line: str) -> Position:
    for word in line.split():
        position = position.play(parse_action(word))
    return position


def test_positions_are_values() -> None:
    """Walls placed in another order, by others, and later, make an equal position."""
    start = Position.first(RULE_SETS["quoridor"], 9, 2)
    one = after(start, "c3h e8 e6v e9")
    other = after(start, "e6v e8 e2 e9 e1 e8 c3h e9")
    assert one.walls == other.walls == (Wall(2, 2, "h"), Wall(4, 5, "v"))
    assert one == other
    assert hash(one) == hash(other)
    assert one.key == other.key
    assert one.number != other.number
    assert one != start


def test_who_placed_a_wall_is_known_but_tells_no_positions_apart() -> None:
    position = after(Position.first(RULE_SETS["quoridor"]), "c3h g6v")
    assert position.owners == {Wall(2, 2, "h"): 0, Wall(6, 5, "v"): 1}
    read = parse_position(format_position(position))
    assert read.owners == {}
    assert read == position


def test_the_turn_goes_round_and_is_counted() -> None:
    position = Position.first(RULE_SETS["great-wall"], 5, 3)
    turns = []
    for word in ["@a1", "@a5", "@e5", "b1", "b5", "d5", "c1"]:
        turns.append(f"{position.number}{position.seats[position.mover].letter}")
        position = position.play(parse_action(word))
    assert turns == ["1s", "1w", "1n", "2s", "2w", "2n", "3s"]


def test_nothing_is_open_within_a_turn() -> None:
    start = Position.first(RULE_SETS["corridor"])
    assert start.in_setup
    assert not start.turn_open
    assert not after(start, "@e1 @e9").in_setup


def test_who_leaves_takes_the_pawn_along_but_not_the_walls() -> None:
    position = after(Position.first(RULE_SETS["quoridor"], 9, 4), "e2 c3h")
    gone = position.without_mover()
    assert position.mover == 2
    assert gone.mover == 3
    assert gone.pawns[2] == LEFT
    assert gone.playing == (0, 1, 3)
    assert gone.walls == position.walls
    assert gone.distances()[2] is None
    assert gone.path(2) is None
    assert format_position(gone) == "quoridor 9 4 e2,a5,-,i5 c3h 5,4,5,5 4"
    assert parse_position(format_position(gone)) == gone
    # The square is free again, and the turn passes over the empty seat.
    assert after(gone, "h5 f2 b5").mover == 3
    assert gone.last_mover == 1


def test_the_last_to_leave_before_the_first_closes_the_round() -> None:
    position = after(Position.first(RULE_SETS["quoridor"], 9, 4), "e2 b5 e8")
    assert (position.number, position.mover) == (1, 3)
    gone = position.without_mover()
    assert (gone.number, gone.mover) == (2, 0)
    gone = gone.without_mover()
    assert (gone.number, gone.mover, gone.playing) == (2, 1, (1, 2))
    assert after(gone, "c5 e7").number == 3


def test_a_pawn_that_left_needs_no_way() -> None:
    corner = "quoridor 9 4 {pawn},a5,e9,i5 a1v 5,4,5,5 2"
    closing = Wall(0, 1, "h")
    assert "South" in str(parse_position(corner.format(pawn="a1")).why_not(closing))
    assert parse_position(corner.format(pawn="-")).why_not(closing) is None


def test_who_left_while_start_squares_are_chosen_is_passed_over() -> None:
    position = after(Position.first(RULE_SETS["great-wall"], 5, 4), "@c1").without_mover()
    assert format_position(position) == "great-wall 5 4 c1,-,?,? - *,*,*,* 3"
    position = after(position, "@a5 @e2")
    assert format_position(position) == "great-wall 5 4 c1,-,a5,e2 - *,*,*,* 1"
    assert position.number == 2


def test_all_who_are_left_trapped_is_a_draw() -> None:
    position = parse_position("great-wall 5 3 c1,a4,c3 b1v,b3v,c1h,c1v,c2h,c3h,c3v *,*,* 2")
    assert position.distances() == (None, 4, None)
    assert position.outcome() is None
    assert position.without_mover().outcome() == Outcome(None, Reason.TRAPPED)


def test_goal_comes_before_trapped_and_trapped_before_repetition() -> None:
    home = parse_position("corridor 5 2 b5,c3 b3v,c2h,c3h,c3v 8,8 2")
    assert home.outcome() == Outcome(0, Reason.GOAL)
    trapped = parse_position("corridor 5 2 c1,c5 a2h,b2h,c2h,d2h,e2h 7,8 2")
    history = History([trapped.key] * 3)
    assert trapped.outcome(history) == Outcome(None, Reason.TRAPPED)


def test_the_third_standing_is_a_draw_and_nothing_is_legal_then() -> None:
    position = Position.first(RULE_SETS["quoridor"])
    history = History([position.key])
    for word in ["e2", "e8", "e1", "e9", "e2", "e8", "e1", "e9"]:
        assert position.outcome(history) is None
        position = position.play(parse_action(word), history)
        history.add(position.key)
    assert position.outcome(history) == Outcome(None, Reason.REPETITION)
    assert position.legal_actions(history) == ()
    assert str(position.why_not(Move(4, 1), history)) == "the play is over: repetition"


def test_a_wall_in_hand_more_or_less_is_another_position() -> None:
    position = Position.first(RULE_SETS["quoridor"])
    assert position.key != replace(position, hands=(10, 9)).key


def test_a_warning_stands_before_a_wall_that_shuts_the_own_pawn_off() -> None:
    position = parse_position("corridor 5 2 a1,c4 a1h 9,10 1")
    assert "your own pawn" in str(position.warning(Wall(0, 0, "v")))
    assert position.warning(Wall(1, 0, "v")) is None
    assert position.warning(Move(1, 0)) is None
    other = parse_position("corridor 5 2 a1,c4 a1h 10,9 2")
    assert other.warning(Wall(0, 0, "v")) is None


def test_a_warning_stands_before_a_wall_that_draws_at_once() -> None:
    position = parse_position("corridor 5 2 c1,c5 a2h,b2h,c2h,d2h 8,8 1")
    assert "draw" in str(position.warning(Wall(4, 1, "h")))
    assert position.play(Wall(4, 1, "h")).outcome() == Outcome(None, Reason.TRAPPED)


@given(positions())
def test_every_other_action_is_refused(position: Position) -> None:
    legal = set(position.legal_actions())
    board = [(file, rank) for file in range(position.size + 1) for rank in range(position.size + 1)]
    words = [f"{'abcdefghijklmnopqrs'[file]}{rank + 1}" for file, rank in board]
    every = [word for name in words for word in (name, f"@{name}", f"{name}h", f"{name}v")] + ["-"]
    for action in map(parse_action, every):
        reason = position.why_not(action)
        assert (reason is None) == (action in legal), action
        assert reason is None or str(reason).strip()
    refused = next(action for action in map(parse_action, every) if action not in legal)
    with pytest.raises(IllegalError):
        position.play(refused)


@given(positions())
def test_a_pass_is_legal_only_when_nothing_else_is(position: Position) -> None:
    actions = position.legal_actions()
    assert PASS not in actions or actions == (PASS,)


def test_the_goal_is_the_side_opposite_to_the_start() -> None:
    position = Position.first(RULE_SETS["quoridor"], 5, 4)
    for player in range(4):
        assert position.pawns[player] in position.start_squares(player)
        assert position.goal_squares(player) == position.start_squares((player + 2) % 4)
        assert not position.at_goal(player)
    assert square_at(5, 4, 2) in position.goal_squares(1)
