"""Pointer input on a board of Arimaa: picks (clicks or taps), gestures, and refusals.

For a step, a person points at its two squares, whichever side the piece belongs to; a push or a
pull is two steps. If a rabbit leaves the board, the second pick is the strip beyond the last rank.
For a placement, it is a kind of piece in the side's tray, then a square. A button ends the turn.

A gesture plays several steps at once: a piece goes to any square that it reaches with the steps
left; an enemy piece is pushed onto a free square beside it, or pulled onto the square of the piece
that pulls it. In the setup a gesture exchanges two pieces.

A refusal says why a click is not an action. The first pick is refused without a second one if the
piece there can do nothing at all. Two squares that are not neighbours are a walk, or the pull of an
enemy piece onto the square of its puller.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from trine.core.contract.choices import Choosable, Picks
from trine.core.contract.insight import Fall
from trine.core.contract.position import History
from trine.core.text.sentence import NOTHING, Text, ntext, text
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
    piece_name,
)
from trine.games.arimaa.position import (
    Position,
    frozen,
    law,
    piece_on,
    push_due,
    taken,
    weaker,
    why_not_moved,
)
from trine.games.arimaa.rules import END, STEPS, Action, End, Placement, Step, freezers, shift

END_BUTTON: Final = "#end"
BEYOND: Final = {"n": "off-n", "s": "off-s"}
"""The strips beyond rank 8 and rank 1, by the direction of the step that leads there."""


def picks(position: Position, action: Action) -> tuple[str, ...]:
    if isinstance(action, End):
        return (END_BUTTON,)
    if isinstance(action, Placement):
        return (action.piece, SQUARE_NAMES[action.square])
    off = action.target == OFF_BOARD
    target = BEYOND[action.direction] if off else SQUARE_NAMES[action.target]
    return (SQUARE_NAMES[action.origin], target)


def movements(position: Position, action: Action) -> tuple[tuple[str, str], ...]:
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
    board, mover = position.board, position.mover
    if position.in_setup:
        return [SQUARE_NAMES[square] for square in HOME_RANKS[mover] if board[square] != EMPTY]
    if position.steps_left < 2:
        return []
    due = position.push and position.push.due
    return [
        SQUARE_NAMES[square]
        for square, piece in enumerate(board)
        if piece != EMPTY
        and (
            position.steps_of(square)
            or (
                SIDE[piece] != mover
                and not due
                and any(map(position.steps_of, _pullers(position, square)))
            )
        )
    ]


def gestures(
    position: Position, drafted: Sequence[Action], spot: str, history: History
) -> list[Choosable]:
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

    If ``careful``, no own piece is lost on the way, and the turn can be ended after it, at once or
    later. A player who wants to lose a piece goes step by step.
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


SLOTS: Final = frozenset("".join(PIECES))  # the spots in the trays


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
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
    free = (square for square in HOME_RANKS[position.mover] if position.board[square] == EMPTY)
    return position.why_not(Placement(piece, next(free, 0)))


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
    """Return which piece would be lost on a way, or why the turn could not be ended after it."""
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
