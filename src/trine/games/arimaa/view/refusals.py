"""The refusals of Arimaa: the reasons why a click is not an action.

The first pick is refused without a second one if the piece there can do nothing at all. Two squares
that are not neighbours are a walk, or the pull of an enemy piece onto the square of its puller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import Text, ntext, text
from trine.games.arimaa.board import (
    BACKWARD,
    DIRECTION_TO,
    EMPTY,
    HOME_RANKS,
    OFF_BOARD,
    PIECES,
    RABBITS,
    SIDE,
    SQUARE_NAMES,
    SQUARE_OF,
    STRAIGHT,
    STRENGTH,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.reasons import frozen, law, piece_on, push_due, taken, weaker, why_not_moved
from trine.games.arimaa.rules import END, STEPS, Placement, Step, freezers
from trine.games.arimaa.view.picks import BEYOND, END_BUTTON, gestures, ways

SLOTS: Final = frozenset("".join(PIECES))
"""The spots in the trays."""


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
    """Return why nothing comes of these picks; None if something can, or no place is meant."""
    first, last = picks[0], picks[-1]
    if last == END_BUTTON:
        return position.why_not(END, history)
    if last in SLOTS:
        return _why_not_placed(position, last)
    if first in SLOTS:
        return position.why_not(Placement(first, SQUARE_OF[last])) if last in SQUARE_OF else None
    if first not in SQUARE_OF:
        return None
    if len(picks) == 1:
        return _why_nothing(position, SQUARE_OF[first], history)
    return _why_not_to(position, SQUARE_OF[first], last, history)


def _why_not_placed(position: Position, piece: str) -> Text | None:
    """Return why a piece can be placed nowhere."""
    free = (square for square in HOME_RANKS[position.mover] if position.board[square] == EMPTY)
    return position.why_not(Placement(piece, next(free, 0)))


# --- the first pick -------------------------------------------------------------------------------


def _why_nothing(position: Position, square: int, history: History) -> Text | None:
    """Return why nothing can be done with a square; None if something can."""
    board = position.board
    if board[square] == EMPTY:
        return law("empty", cell=SQUARE_NAMES[square])
    piece = piece_on(board, square)
    if position.hands:
        other = SIDE[board[square]] != position.mover
        return _why_not_placed(position, board[square]) if other else None
    steps = position.steps_of(square)
    if any(position.leads_to_an_end(step, history) for step in steps):
        return None
    if steps or not position.steps_left:
        step = steps[0] if steps else STEPS[board[square], square, "n"]
        return position.why_not(step, history)
    if position.push and position.push.due:
        return push_due(position)
    if SIDE[board[square]] == position.mover:
        is_frozen = freezers(position.rules, board, square)
        return frozen(position, square) if is_frozen else law("hemmed-in", piece=piece)
    if gestures(position, (), SQUARE_NAMES[square], history):
        return None
    if why := why_not_moved(position, square, "not-yours"):
        return why
    return law("two-steps") if position.steps_left < 2 else law("not-movable", piece=piece)


# --- two picks ------------------------------------------------------------------------------------


def _why_not_to(position: Position, origin: int, place: str, history: History) -> Text | None:
    """Return why a piece cannot go, or be moved, from a square to a place."""
    if position.hands:
        return _why_not_exchanged(position, origin, place)
    if nothing := _why_nothing(position, origin, history):
        return nothing
    if place in {way.path[-1] for way in gestures(position, (), SQUARE_NAMES[origin], history)}:
        return None
    board, piece = position.board, position.board[origin]
    if place in BEYOND.values():
        direction = next(way for way, strip in BEYOND.items() if strip == place)
        if STEPS[piece, origin, direction].target != OFF_BOARD:
            return _far(position, origin)
        return position.why_not(STEPS[piece, origin, direction], history)
    target = SQUARE_OF.get(place, origin)
    if target == origin:
        return None
    step = _step_to(position, origin, target)
    own = SIDE[piece] == position.mover
    if not own and SIDE[board[target]] == position.mover:
        return _why_not_pulled(position, origin, target, history)
    if own and board[target] != EMPTY and (nothing := _why_nothing(position, target, history)):
        return nothing
    if step:
        return position.why_not(step, history)
    return _why_no_walk(position, origin, target, history) if own else _far(position, origin)


def _step_to(position: Position, origin: int, target: int) -> Step | None:
    """Return the one step that leads to a square; a walk around a corner is none."""
    direction = DIRECTION_TO.get((origin, target), "")
    board = position.board
    around = SIDE[board[origin]] == position.mover and board[target] == EMPTY
    if not direction or (direction not in STRAIGHT and around):
        return None
    return STEPS[board[origin], origin, direction]


def _far(position: Position, origin: int) -> Text:
    if SIDE[position.board[origin]] == position.mover:
        return law("off-the-board")
    return law("one-square", piece=piece_on(position.board, origin))


def _why_not_exchanged(position: Position, origin: int, place: str) -> Text | None:
    piece, square = position.board[origin], SQUARE_OF.get(place)
    if square is None or piece == EMPTY:
        return None
    if SIDE[piece] != position.mover or square not in HOME_RANKS[position.mover]:
        return position.why_not(Placement(piece, square))
    return None


def _why_not_pulled(position: Position, victim: int, puller: int, history: History) -> Text | None:
    """Return why a piece cannot pull an enemy piece onto its own square."""
    board = position.board
    if puller not in position.rules.reach[victim]:
        return _far(position, victim)
    if STRENGTH[board[puller]] <= STRENGTH[board[victim]]:
        return weaker(board, [puller], victim)
    if position.steps_left < 2:
        return law("two-steps")
    return _why_nothing(position, puller, history)


def _why_no_walk(position: Position, origin: int, target: int, history: History) -> Text | None:
    """Return why a piece does not walk to a square that is more than a step away."""
    board = position.board
    if position.push and position.push.due:
        return push_due(position)
    if board[target] != EMPTY:
        return taken(board, target)
    for way in ways(position, origin, history, careful=False):
        if way[-1].target == target:
            return _why_careless(position, way, history)
    far, near = abs(target // 8 - origin // 8), abs(target % 8 - origin % 8)
    if far + near > position.steps_left:
        return ntext(
            "{cell} is too far away: {count} step is left",
            "{cell} is too far away: {count} steps are left",
            position.steps_left,
            cell=SQUARE_NAMES[target],
        )
    ahead = target // 8 - origin // 8
    backward = {"s": ahead < 0, "n": ahead > 0}[BACKWARD[position.mover]]
    if board[origin] == RABBITS[position.mover] and backward:
        return law("backward")
    return text(
        "{end} is out of reach from {begin}", begin=SQUARE_NAMES[origin], end=SQUARE_NAMES[target]
    )


def _why_careless(position: Position, way: Sequence[Step], history: History) -> Text | None:
    """Return what would be lost on a way, or that the turn could not end there."""
    for step in way:
        trap = position.removal(step)
        if trap != OFF_BOARD or not position.leads_to_an_end(step, history):
            break
        position = position.play_unchecked(step)
    if trap == OFF_BOARD:
        return position.why_not(step, history)
    if trap == step.target:
        return law("would-fall")
    return law("friend-would-fall", piece=piece_on(position.board, trap))
