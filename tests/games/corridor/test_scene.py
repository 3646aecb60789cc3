"""The scene of a position of Corridor: complete, honest, the same from both sides."""

from itertools import combinations

import pytest
from hypothesis import given

from games.corridor.randomly import positions
from scenes import marks_on
from trine.core.scene.scene import Line, Point, Scene
from trine.games.corridor import ROOM
from trine.games.corridor.board import LEFT, ROLES, SIDES_OF, UNCHOSEN, square_name
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Choice, Wall
from trine.games.corridor.view.insight import insight

scene = ROOM.view.scene


def walls_of(shown: Scene) -> dict[str, Line]:
    return {line.id: line for line in shown.walls if line.id}


def middle(points: tuple[Point, ...]) -> Point:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


@given(positions())
def test_every_wall_and_pawn_is_in_the_scene_once(position: Position) -> None:
    shown = scene(position)
    walls = [line.id for line in shown.walls if line.id]
    assert sorted(walls) == sorted(map(str, position.walls))
    for wall in position.walls:
        assert walls_of(shown)[str(wall)].owner == position.owners.get(wall)
    pawns = {piece.owner: piece.cell for piece in shown.pieces if piece.base == "pawn"}
    assert pawns == {
        player: square_name(position.size, pawn) if pawn != UNCHOSEN else ""
        for player, pawn in enumerate(position.pawns)
        if pawn != LEFT
    }


@given(positions())
def test_walls_stand_between_the_squares_that_they_part(position: Position) -> None:
    for seat in range(position.players):
        shown = scene(position, seat=seat)
        at = {cell.id: cell.at for cell in shown.board.cells}
        for wall in position.walls:
            length = position.rules.wall_length
            x, y = middle(walls_of(shown)[str(wall)].points)
            right, up = (length, 1) if wall.axis == "h" else (1, length)
            corners = [(wall.file, wall.rank), (wall.file + right - 1, wall.rank + up - 1)]
            beyond = (1, 0) if wall.axis == "v" else (0, 1)
            corners += [(file + beyond[0], rank + beyond[1]) for file, rank in corners]
            places = tuple(
                at[square_name(position.size, rank * position.size + file)]
                for file, rank in corners
            )
            assert middle(places) == pytest.approx((x, y))


@given(positions())
def test_long_walls_never_touch_in_line(position: Position) -> None:
    if position.rules.wall_length == 1:
        return
    lines = walls_of(scene(position)).values()
    for one, other in combinations(lines, 2):
        assert not set(one.points) & set(other.points)


@given(positions())
def test_each_seat_sees_the_board_turned_so_that_it_sits_below(position: Position) -> None:
    """Turning by quarters takes the places that South sees to those that another seat sees."""
    south = scene(position)
    here = turned_places(south)
    there = [turned_places(scene(position, seat=seat)) for seat in range(position.players)]
    for seat, places in enumerate(there):
        assert list(places) == list(here)
        for name, (x, y) in here.items():
            for _ in range(SIDES_OF[position.players][seat]):
                x, y = y, -x  # the west goes to where the south was
            assert places[name] == pytest.approx((x, y))
        assert scene(position, seat=seat).alt == south.alt


def turned_places(shown: Scene) -> dict[str, Point]:
    """Where squares, spots and walls lie, from the middle of the board."""
    (x, y) = middle(tuple(cell.at for cell in shown.board.cells))
    places = {f"cell {cell.id}": cell.at for cell in shown.board.cells}
    places |= {f"spot {spot.id}": spot.at for spot in shown.board.spots}
    places |= {f"wall {name}": middle(line.points) for name, line in walls_of(shown).items()}
    return {name: (at[0] - x, at[1] - y) for name, at in places.items()}


@pytest.mark.parametrize("name", RULE_SETS)
def test_walls_in_hand_lie_in_front_of_their_players(name: str) -> None:
    rules = RULE_SETS[name]
    for size in (3, 9, 19):
        for players in rules.players:
            position = Position.first(rules, size, players)
            for seat in range(players):
                shown = scene(position, seat=seat)
                counts = [str(label.text) for label in shown.labels if label.role == "count"]
                assert counts == [str(hand) for hand in position.hands if hand is not None]
                for player, hand in enumerate(position.hands):
                    sticks = [line for line in shown.walls if line.owner == player]
                    assert len(sticks) == (hand or 0)
                    for stick in sticks:
                        home = home_of(shown, middle(stick.points))
                        assert home == (SIDES_OF[players][player] - SIDES_OF[players][seat]) % 4


def home_of(shown: Scene, at: Point) -> int:
    """The side of the board, south first and clockwise, beyond which a place lies."""
    left, top = min(corner for cell in shown.board.cells for corner in cell.outline)
    right, bottom = max(corner for cell in shown.board.cells for corner in cell.outline)
    beyond = [at[1] > bottom, at[0] < left, at[1] < top, at[0] > right]
    assert sum(beyond) == 1
    return beyond.index(True)


def test_pawns_without_a_start_square_wait_in_front_of_their_players() -> None:
    position = Position.first(RULE_SETS["great-wall"], 5, 3).play(Choice(2, 0))
    shown = scene(position)
    waiting = {piece.owner: piece for piece in shown.pieces if piece.role == "hand"}
    assert set(waiting) == {1, 2}
    for player in (1, 2):
        assert home_of(shown, shown.board.place_of(waiting[player])) == SIDES_OF[3][player]
    assert "start square not chosen" in str(shown.alt)


def test_who_left_has_no_pawn_and_no_goal_but_walls() -> None:
    position = Position.first(RULE_SETS["quoridor"], 9, 4).play(Wall(4, 4, "h"))
    position = position.play(parse_action("c3v")).play(parse_action("e8")).without_mover()
    position = position.without_mover()  # East and South have left
    shown = scene(position)
    assert {piece.owner for piece in shown.pieces if piece.base == "pawn"} == {1, 2}
    assert {ROLES[0], ROLES[3]}.isdisjoint(area.role for area in shown.board.areas)
    assert set(walls_of(shown)) == {"e5h", "c3v"}
    assert [str(label.text) for label in shown.labels if label.role == "count"] == ["4", "5"]
    assert "East: has left the play" in str(shown.alt)


@pytest.mark.parametrize("name", RULE_SETS)
def test_spots_of_squares_and_walls_lie_beside_each_other(name: str) -> None:
    for seat in (0, 1):
        board = scene(Position.first(RULE_SETS[name], 5), seat=seat).board
        for one, other in combinations(board.spots, 2):
            across, down = (abs(one.at[axis] - other.at[axis]) for axis in (0, 1))
            wide, high = (one.size[axis] + other.size[axis] for axis in (0, 1))
            assert max(across - wide / 2, down - high / 2) > -1e-9


@pytest.mark.parametrize("name", RULE_SETS)
def test_previews_are_the_walls_that_would_stand_there(name: str) -> None:
    position = Position.first(RULE_SETS[name], 5)
    while position.in_setup:
        position = position.play(position.legal_actions()[0])
    for wall in filter(lambda action: isinstance(action, Wall), position.legal_actions()):
        for seat in range(2):
            placed = walls_of(scene(position.play(wall), seat=seat))[str(wall)]
            board = scene(position, seat=seat).board
            (spot,) = [spot for spot in board.spots if spot.id == str(wall)]
            assert spot.preview == Line("wall", placed.points, id=str(wall))


def test_the_last_turn_is_marked() -> None:
    start = Position.first(RULE_SETS["quoridor"])
    moved = start.play(parse_action("e2"))
    shown = scene(moved, last={"e1", "e2"})
    assert marks_on(shown) == "e1 last-from, e2 last-to"
    walled = moved.play(parse_action("c3h"))
    shown = scene(walled, last={"c3h"})
    (ring,) = [piece for piece in shown.pieces if piece.role == "fresh"]
    assert ring.at == pytest.approx(middle(walls_of(shown)["c3h"].points))
    assert "fresh" in {meaning.role for meaning in shown.legend}


def test_the_way_is_drawn_as_footprints_of_the_player_to_move() -> None:
    position = parse_position("quoridor 9 2 e2,e3 d3h,f5v 9,9 1")
    shown = scene(position, marks=insight(position).marks())
    at = {cell.at: cell.id for cell in shown.board.cells}
    steps = [at[shown.board.place_of(piece)] for piece in shown.pieces if piece.role == "way"]
    path = [square_name(9, square) for square in position.path(0) or ()]
    assert sorted(steps) == sorted(set(path) - {"e2", "e3"})
    assert {piece.owner for piece in shown.pieces if piece.role == "way"} == {0}
