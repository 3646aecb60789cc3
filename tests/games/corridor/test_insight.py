"""Insight says exactly what there is: compared with walking square by square."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given

from games.corridor import obvious
from games.corridor.randomly import positions
from trine.games.corridor.board import UNCHOSEN, square_name
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Wall, footprints
from trine.games.corridor.view.insight import insight


def with_walls_in_hand(position: Position) -> Position:
    return replace(position, hands=tuple(hand if hand is None else 1 for hand in position.hands))


def steps_by_walking(position: Position, player: int) -> int | None:
    """The distance, from wider and wider rings of squares."""
    size = position.size
    pieces = obvious.all_pieces(position.walls, position.rules.wall_length)
    pawn = position.pawns[player]
    goal = {(square % size, square // size) for square in position.goal_squares(player)}
    ring, seen, steps = {(pawn % size, pawn // size)}, set(), 0
    while ring and not ring & goal:
        seen |= ring
        ring = {
            near
            for square in ring
            for near in obvious.around(square)
            if set(near) <= set(range(size)) and obvious.piece_between(square, near) not in pieces
        } - seen
        steps += 1
    return steps if ring else None


@given(positions())
def test_ways_are_shortest_and_can_be_walked(position: Position) -> None:
    seen = insight(position)
    for player, path in enumerate(seen.paths):
        if position.pawns[player] == UNCHOSEN:
            assert path is None
            continue
        steps = steps_by_walking(position, player)
        assert (path is None) == (steps is None) == (player in seen.trapped)
        if path is not None:
            assert len(path) - 1 == steps
            assert path[0] == position.pawns[player]
            assert path[-1] in position.goal_squares(player)
            for square, after in pairwise(path):
                assert not position.is_blocked(square, after)


@given(positions())
def test_a_wall_costs_what_taking_it_away_saves(position: Position) -> None:
    seen = insight(position)
    assert list(seen.costs) == list(position.walls)
    for wall, costs in seen.costs.items():
        without = replace(position, walls=tuple(w for w in position.walls if w != wall))
        for player, cost in enumerate(costs):
            before, after = (steps_by_walking(here, player) for here in (position, without))
            if before is None:
                assert cost == (0 if after is None else None)
            else:
                assert after is not None
                assert cost == before - after


@given(positions())
def test_free_places_are_either_forbidden_or_legal(position: Position) -> None:
    if position.in_setup or position.outcome():
        return
    forbidden = insight(position).forbidden
    groups = (forbidden.overlapping, forbidden.crossing, forbidden.joining, forbidden.trapping)
    named = [wall for group in groups for wall in group]
    legal = obvious.legal_walls(with_walls_in_hand(position))
    assert len(set(named)) == len(named)
    places = set(footprints(position.size, position.rules.wall_length))
    assert set(named) | set(legal) == places - set(position.walls)
    assert not set(named) & set(legal)


@given(positions())
def test_forbidden_walls_are_named_by_the_rule_that_forbids_them(position: Position) -> None:
    length = position.rules.wall_length
    standing = obvious.all_pieces(position.walls, length)
    forbidden = insight(position).forbidden
    for wall, other in forbidden.overlapping.items():
        pieces = set(obvious.pieces_of(wall, length))
        assert pieces & set(obvious.pieces_of(other, length))
        assert wall != other in position.walls
    for wall, other in forbidden.crossing.items():
        assert (wall.file, wall.rank) == (other.file, other.rank)
        assert wall.axis != other.axis
        assert other in position.walls
    for wall, sides in forbidden.joining.items():
        pieces = set(obvious.pieces_of(wall, length))
        assert set(sides) in obvious.sides_of_lines(position.size, standing | pieces)
        assert len(sides) > 1
    for wall, players in forbidden.trapping.items():
        pieces = set(obvious.pieces_of(wall, length))
        assert obvious.trapped_players(position, standing | pieces) == list(players)
        assert players


@given(positions())
def test_steps_and_jumps_are_the_moves_that_are_legal(position: Position) -> None:
    seen = insight(position)
    if position.in_setup:
        assert not seen.steps[position.mover]
        return
    for player in position.playing:
        moved = {str(move) for move in replace(position, mover=player).legal_moves()}
        names = [square_name(position.size, s) for s in (*seen.steps[player], *seen.jumps[player])]
        assert sorted(names) == sorted(moved)
        for square in seen.steps[player]:
            assert not position.is_blocked(position.pawns[player], square)


@given(positions())
def test_what_is_seen_can_be_said(position: Position) -> None:
    seen = insight(position)
    assert all(str(sentence).strip() for sentence in seen.sentences())
    names = {square_name(position.size, square) for square in range(position.size**2)}
    assert set(seen.marks()) <= names


def test_marks_are_the_way_of_the_player_to_move_and_trapped_pawns() -> None:
    seen = insight(parse_position("corridor 3 2 b1,b3 a1h,b1h,c1h 9,8 2"))
    assert seen.marks() == {"b1": {"trapped"}, "b3": {"trapped"}}
    seen = insight(parse_position("corridor 3 2 b1,b3 a1h,b1h 9,9 1"))
    assert seen.marks() == {name: {"way"} for name in ("c1", "c2", "c3")}


def test_a_wall_that_traps_alone_has_no_number() -> None:
    seen = insight(parse_position("corridor 3 2 a1,b3 a1h,a1v,c2h 9,8 1"))
    costs = {str(wall): by_player for wall, by_player in seen.costs.items()}
    assert costs == {"a1h": (None, 0), "a1v": (None, 0), "c2h": (0, 0)}
    said = [str(sentence) for sentence in seen.sentences()]
    assert "South is trapped: no way to the goal" in said
    assert "walls without which South would have a way: a1h a1v" in said


def test_sentences_name_costs_jumps_and_great_walls() -> None:
    seen = insight(parse_position("quoridor 9 2 e4,e5 d3h,f5v 9,9 1"))
    said = [str(sentence) for sentence in seen.sentences()]
    assert "South can jump to e6" in said
    assert "walls that cost North steps, and how many: d3h (1)" in said
    assert "would cross a wall: d3v f5h" in said
    great = insight(parse_position("great-wall 3 2 b1,b3 a1h *,* 1"))
    assert "would complete a Great Wall, south–west: a1v" in [
        str(sentence) for sentence in great.sentences()
    ]


def test_who_left_is_not_spoken_of() -> None:
    start = Position.first(RULE_SETS["quoridor"], 9, 4).play(Wall(4, 0, "h")).without_mover()
    seen = insight(start)
    assert not seen.trapped
    assert seen.paths[1] is None
    assert not any("West" in str(sentence) for sentence in seen.sentences())
