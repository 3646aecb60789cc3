"""The reasons why actions are illegal: the rule that forbids each, in words.

The checks are in the order of a patient teacher's questions: is there such a place, is it free, is
anything in between, what would the wall do.
"""

from __future__ import annotations

from trine.core.contract.law import law
from trine.core.history import History
from trine.core.text.sentence import Text, text
from trine.games.corridor.board import (
    OFF_BOARD,
    SIDE_NAMES,
    SIDES,
    SIDES_OF,
    neighbours,
    opposite,
    place_name,
    square_at,
    square_name,
)
from trine.games.corridor.referee import Referee
from trine.games.corridor.rules import (
    Action,
    Choice,
    Jumps,
    Move,
    Pass,
    Wall,
    find_great_wall,
    footprints,
)


def why_not(position: Referee, action: Action, history: History) -> Text | None:
    if outcome := position.outcome(history):
        return text("the play is over: {reason}", reason=outcome.reason.text)
    if isinstance(action, Choice):
        return _why_not_choice(position, action)
    if isinstance(action, Pass):
        return _why_not_pass(position)
    if position.in_setup:
        return law(
            "start",
            "the start squares are chosen first; {player} chooses one",
            player=position.seats[position.mover].name,
        )
    if isinstance(action, Wall):
        return wall_refusal(position, action)
    return None if action in position.legal_moves() else _why_not_move(position, action)


def _why_not_pass(position: Referee) -> Text | None:
    legal = position.legal_actions()
    if isinstance(legal[0], Pass):
        return None
    return law(
        "turn.passing",
        "who can do something cannot pass; {example} is legal, for one",
        example=str(legal[0]),
    )


def _off_board(position: Referee, file: int, rank: int) -> Text | None:
    if file < position.size and rank < position.size:
        return None
    return law(
        "board.size",
        "{cell} is off the board, which has the squares a1 to {last}",
        cell=place_name(file, rank),
        last=square_name(position.size, -1),
    )


def _taken(position: Referee, square: int) -> Text:
    return law(
        "turn",
        "{cell} is taken: {player} stands there",
        cell=square_name(position.size, square),
        player=position.seats[position.pawns.index(square)].name,
    )


# --- start squares -------------------------------------------------------------------------------


def _why_not_choice(position: Referee, action: Choice) -> Text | None:
    if not position.rules.chooses_start:
        return law(
            "start", "start squares are not chosen here; every pawn starts in the middle of a side"
        )
    if not position.in_setup:
        return law("start", "the start squares are chosen already; the pawns move now")
    if off := _off_board(position, action.file, action.rank):
        return off
    square = square_at(position.size, action.file, action.rank)
    if square not in position.start_squares(position.mover):
        return law(
            "start",
            "{player} starts on the {side} side, from {first} to {last}; {cell} is not there",
            player=position.seats[position.mover].name,
            side=SIDE_NAMES[SIDES_OF[position.players][position.mover]],
            first=square_name(position.size, position.start_squares(position.mover)[0]),
            last=square_name(position.size, position.start_squares(position.mover)[-1]),
            cell=square_name(position.size, square),
        )
    return _taken(position, square) if square in position.pawns else None


# --- moves ---------------------------------------------------------------------------------------


def _why_not_move(position: Referee, action: Move) -> Text:
    if off := _off_board(position, action.file, action.rank):
        return off
    size = position.size
    pawn = position.pawns[position.mover]
    target = square_at(size, action.file, action.rank)
    if target == pawn:
        return law("turn", "the pawn stands on {cell} already", cell=square_name(size, target))
    if target in position.pawns:
        return _taken(position, target)
    if target in neighbours(size)[pawn]:
        return law(
            "turn",
            "the wall {wall} stands between {cell} and {other}",
            wall=str(position.wall_between(pawn, target)),
            cell=square_name(size, pawn),
            other=square_name(size, target),
        )
    beside_both = [near for near in neighbours(size)[pawn] if near in neighbours(size)[target]]
    for over in beside_both:
        if over in position.pawns:
            return _why_not_jump(position, pawn, over, target)
    if target in _beyond_two_pawns(position, pawn):
        return law("jump", "a jump leads over one pawn, never over two")
    return law(
        "turn",
        "{target} is not beside {cell}; a pawn goes to a square beside it, or jumps over a pawn "
        "that stands there",
        target=square_name(size, target),
        cell=square_name(size, pawn),
    )


def _beyond_two_pawns(position: Referee, pawn: int) -> list[int]:
    """Return the squares straight behind two pawns in line, regardless of walls."""
    beyond = []
    for side in SIDES:
        near = neighbours(position.size)[pawn][side]
        if near in position.pawns:
            second = neighbours(position.size)[near][side]
            if second in position.pawns:
                beyond.append(neighbours(position.size)[second][side])
    return beyond


def _why_not_jump(position: Referee, pawn: int, over: int, target: int) -> Text:
    """Return why a pawn cannot jump over another pawn to a free square next to the other."""
    size = position.size
    if wall := position.wall_between(pawn, over):
        return law(
            "jump",
            "the wall {wall} stands before the pawn on {over}; no jump leads over a wall",
            wall=str(wall),
            over=square_name(size, over),
        )
    behind = neighbours(size)[over][neighbours(size)[pawn].index(over)]
    if target == behind:
        return law(
            "jump",
            "the wall {wall} stands behind the pawn on {over}, so the way straight over it is shut",
            wall=str(position.wall_between(over, behind)),
            over=square_name(size, over),
        )
    if position.rules.jumps is Jumps.STRAIGHT:
        return law(
            "jump",
            "a jump leads straight over the pawn on {over}, never to a side of it",
            over=square_name(size, over),
        )
    if behind not in (OFF_BOARD, *position.pawns) and not position.is_blocked(over, behind):
        return law(
            "jump",
            "a jump leads straight over the pawn on {over} to {behind}, since nothing is in the "
            "way there; only a wall, the edge of the board or another pawn turns it aside",
            over=square_name(size, over),
            behind=square_name(size, behind),
        )
    return law(
        "turn",
        "the wall {wall} stands between {cell} and {other}",
        wall=str(position.wall_between(over, target)),
        cell=square_name(size, over),
        other=square_name(size, target),
    )


# --- walls ---------------------------------------------------------------------------------------


def wall_refusal(position: Referee, wall: Wall) -> Text | None:
    rules, size, mover = position.rules, position.size, position.mover
    if position.hands[mover] == 0:
        return law(
            "walls.ten walls.eight", "{player} has no walls left", player=position.seats[mover].name
        )
    place = footprints(size, rules.wall_length).get(wall)
    if place is None:
        return _why_no_place(position, wall)
    for other in position.walls:
        if other == wall:
            return law("walls", "a wall stands there already")
        if footprints(size, rules.wall_length)[other].overlaps(place):
            if other.axis == wall.axis:
                return law("walls", "it would overlap the wall {wall}", wall=str(other))
            return law("walls", "it would cross the wall {wall}", wall=str(other))
    if rules.great_wall and (line := find_great_wall(size, (*position.walls, wall))):
        first, second = line.sides
        return law(
            "great-wall.forbidden",
            "it would complete a Great Wall between the {first} and the {second} side: {walls}",
            first=SIDE_NAMES[first],
            second=SIDE_NAMES[second],
            walls=", ".join(map(str, line.walls)),
        )
    if not rules.walls_may_trap and (player := position.trapped_by(place)) is not None:
        return law(
            "walls.way-left",
            "it would shut {player} off: no way to the {side} side would be left",
            player=position.seats[player].name,
            side=SIDE_NAMES[opposite(SIDES_OF[position.players][player])],
        )
    return None


def _why_no_place(position: Referee, wall: Wall) -> Text:
    """Return why a board of this size has no place for a wall."""
    if off := _off_board(position, wall.file, wall.rank):
        return off
    cell = place_name(wall.file, wall.rank)
    last = position.size - 1
    if wall.axis == "h" and wall.rank == last:
        return law("walls", "north of {cell} is the border; walls stand between squares", cell=cell)
    if wall.axis == "v" and wall.file == last:
        return law("walls", "east of {cell} is the border; walls stand between squares", cell=cell)
    return law(
        "walls.two-squares",
        "a wall is two squares long; from {cell} it would stick out of the board",
        cell=cell,
    )


def warning(position: Referee, wall: Wall) -> Text | None:
    """Return a warning if a legal wall traps the player's own pawn, or all pawns, for good."""
    place = footprints(position.size, position.rules.wall_length)[wall]
    if position.trapped_by(place) is None:
        return None
    if position.play_unchecked(wall).all_trapped():
        return text("this wall leaves no pawn a way to its goal; the play is a draw then")
    after = position.play_unchecked(wall).distance(position.mover)
    if after is None and position.distance(position.mover) is not None:
        return text("this wall shuts your own pawn off from its goal for good")
    return None
