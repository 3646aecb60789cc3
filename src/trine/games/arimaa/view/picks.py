"""The picks of Arimaa: how actions are pointed at, which pieces they move, and gestures.

For a step, a person points at its two squares, whichever side the piece belongs to; a push or a
pull is two steps. If a rabbit leaves the board, the second pick is the strip beyond the last rank.
For a placement, it is a kind of piece in the side's tray, then a square. A button ends the turn.

A gesture plays several steps at once: a piece goes to any square that it reaches with the steps
left; an enemy piece is pushed onto a free square beside it, or pulled onto the square of the piece
that pulls it. In the setup a gesture exchanges two pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from trine.core.contract.choices import Choosable, Picks
from trine.core.contract.insight import Fall
from trine.core.contract.position import History
from trine.core.text.sentence import NOTHING, Text, text
from trine.games.arimaa.board import (
    EMPTY,
    HOME_RANKS,
    OFF_BOARD,
    SIDE,
    SQUARE_NAMES,
    SQUARE_OF,
    STRENGTH,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.reasons import piece_on
from trine.games.arimaa.rules import Action, End, Placement, Step, shift

END_BUTTON: Final = "#end"
BEYOND: Final = {"n": "off-n", "s": "off-s"}
"""The strips beyond rank 8 and rank 1, by the direction of the step that leads there."""


def picks(position: Position, action: Action) -> tuple[str, ...]:
    """Return the ids that a person points at, in order, to make a legal action."""
    if isinstance(action, End):
        return (END_BUTTON,)
    if isinstance(action, Placement):
        return (action.piece, SQUARE_NAMES[action.square])
    off = action.target == OFF_BOARD
    target = BEYOND[action.direction] if off else SQUARE_NAMES[action.target]
    return (SQUARE_NAMES[action.origin], target)


def movements(position: Position, action: Action) -> tuple[tuple[str, str], ...]:
    """Return the pieces that a legal action moves, from square to square; empty means no square."""
    if isinstance(action, End):
        return ()
    if isinstance(action, Placement):
        return (("", SQUARE_NAMES[action.square]),)
    off = action.target == OFF_BOARD
    moved = (SQUARE_NAMES[action.origin], "" if off else SQUARE_NAMES[action.target])
    _, trap = shift(position.board, action.origin, action.target)
    return (moved,) if trap == OFF_BOARD else (moved, (SQUARE_NAMES[trap], ""))


def falls(position: Position, action: Action) -> Fall | None:
    """Return the piece that a legal action loses in a trap.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> before = parse_position("2g 7r/8/8/8/8/2C5/2D5/7R")
    >>> print(falls(before, Step("D", SQUARE_OF["c2"], "e")).text)
    The cat falls into the trap c3.
    """
    if not isinstance(action, Step) or (trap := position.removal(action)) == OFF_BOARD:
        return None
    piece = action.piece if trap == action.target else position.board[trap]
    cell = SQUARE_NAMES[trap]
    sentence = text("The {piece} falls into the trap {cell}.", piece=piece_name(piece), cell=cell)
    return Fall(cell, SIDE[piece] == position.mover, sentence)


# --- gestures -------------------------------------------------------------------------------------

Steps = tuple[Step, ...]


def handles(position: Position) -> list[str]:
    """Return the squares where a gesture can begin."""
    board, mover = position.board, position.mover
    if position.in_setup:
        return [SQUARE_NAMES[square] for square in HOME_RANKS[mover] if board[square] != EMPTY]
    if position.steps_left < 2:
        return []
    due = position.push and position.push.due
    return [
        SQUARE_NAMES[square]
        for square, piece in enumerate(board)
        if position.steps_of(square)
        or (
            not due
            and SIDE[piece] == 1 - mover
            and any(map(position.steps_of, _pullers(position, square)))
        )
    ]


def gestures(
    position: Position, drafted: Sequence[Action], spot: str, history: History
) -> list[Choosable]:
    """Return the choices of a gesture that begins on a square, after the drafted actions."""
    begun = tuple(map(str, drafted))
    square = SQUARE_OF.get(spot, OFF_BOARD)
    if square == OFF_BOARD or position.board[square] == EMPTY:
        return []
    if position.in_setup:
        return list(_exchanges(position, drafted, square))
    if SIDE[position.board[square]] == position.mover:
        return [_walk(position, begun, way) for way in ways(position, square, history)]
    moved = [*_pushes(position, square, history), *_pulls(position, square, history)]
    return [_gesture(begun, *way) for way in moved]


# --- in the setup --------------------------------------------------------------------------------


def _exchanges(position: Position, drafted: Sequence[Action], square: int) -> Iterator[Choosable]:
    """Yield the setups that exchange a piece of the open turn with another square's content."""
    board = position.board
    placed = [action for action in drafted if isinstance(action, Placement)]
    if all(one.square != square for one in placed):
        return
    for target in HOME_RANKS[position.mover]:
        if target != square and board[target] != board[square]:
            swapped = {square: target, target: square}
            draft = [Placement(one.piece, swapped.get(one.square, one.square)) for one in placed]
            path = (SQUARE_NAMES[square], SQUARE_NAMES[target])
            yield Choosable("".join(path), path, draft=tuple(map(str, draft)))


# --- own pieces ----------------------------------------------------------------------------------


def ways(
    position: Position, square: int, history: History, *, careful: bool = True
) -> Iterator[Steps]:
    """Yield the shortest way of a piece to each square that is more than one step away.

    If ``careful``, no own piece is lost on the way, since a player who wants to lose one goes step
    by step, and the turn can end there or later.
    """
    found = {square}
    ends: list[tuple[Position, int, Steps]] = [(position, square, ())]
    for _ in range(position.steps_left):
        begun, ends = ends, []
        for before, stands, way in begun:
            steps = _steps(before, stands, history) if careful else before.steps_of(stands)
            for step in steps:
                removed = before.removal(step)
                if step.target in found or (careful and removed != OFF_BOARD):
                    continue
                found.add(step.target)
                if way:
                    yield (*way, step)
                if removed != step.target:
                    ends.append((before.play_unchecked(step), step.target, (*way, step)))


def _steps(position: Position, square: int, history: History) -> list[Step]:
    return [step for step in position.steps_of(square) if position.leads_to_an_end(step, history)]


def _walk(position: Position, begun: tuple[str, ...], way: Steps) -> Choosable:
    return _gesture(begun, (SQUARE_NAMES[way[0].origin], picks(position, way[-1])[-1]), way)


# --- enemy pieces --------------------------------------------------------------------------------


def _pullers(position: Position, square: int) -> list[int]:
    """Return the squares of stronger enemies beside a piece."""
    board = position.board
    return [
        near
        for near in position.rules.reach[square]
        if SIDE[board[near]] == position.mover and STRENGTH[board[near]] > STRENGTH[board[square]]
    ]


def _pushes(
    position: Position, square: int, history: History
) -> Iterator[tuple[Picks, Steps, Text]]:
    """Yield the complete pushes of an enemy piece: its own step, then the pusher's step."""
    for first in _steps(position, square, history):
        pushed = position.play_unchecked(first)
        if not (pushed.push and pushed.push.due):
            continue
        follow = [one for origin in pushed.push.pushers for one in _steps(pushed, origin, history)]
        for step in follow:
            label = _label(position, step) if len(follow) > 1 else NOTHING
            yield picks(position, first), (first, step), label


def _pulls(
    position: Position, square: int, history: History
) -> Iterator[tuple[Picks, Steps, Text]]:
    """Yield whole pulls of a piece, with the step of the puller before it."""
    for puller in _pullers(position, square):
        ways: list[tuple[Step, Step]] = []
        for step in _steps(position, puller, history):
            after = position.play_unchecked(step)
            second = _steps(after, square, history)
            ways += [(step, one) for one in second if one.target == puller and after.pull]
        path = (SQUARE_NAMES[square], SQUARE_NAMES[puller])
        for way in ways:
            yield path, way, _label(position, way[0]) if len(ways) > 1 else NOTHING


def _label(position: Position, step: Step) -> Text:
    return text(
        "{piece} goes to {cell}",
        piece=piece_on(position.board, step.origin),
        cell=SQUARE_NAMES[step.target],
    )


def _gesture(begun: tuple[str, ...], path: Picks, steps: Steps, label: Text = NOTHING) -> Choosable:
    added = tuple(map(str, steps))
    return Choosable(" ".join(added), path, label, (*begun, *added))
