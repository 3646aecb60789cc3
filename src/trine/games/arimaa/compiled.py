"""The `Kernel` of the game; importing it compiles or loads the code.

Every action has a number, the same in every position, rule set and version:

| numbers | action |
|---|---|
| 0–255 | 4 · square + direction: an orthogonal step, the directions being n, e, s, w |
| 256–511 | 256 + 4 · square + direction: a diagonal step, the directions being ne, se, sw, nw |
| 512 | the end of the turn |
| 513–896 | 513 + 64 · kind + square: a placement, the kinds being E, M, H, D, C, R |

Squares count from 0 (a1) over 7 (h1) to 63 (h8). A number does not say which piece makes the step,
nor whose piece is placed: the position does. An ejection is a step that leaves the board.

Positions of the referee are also converted to rows of the kernel and back, exactly. Only the number
of the turn and the square that a pusher has left get lost; equal positions may differ in both.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import Kernel, Repetition
from trine.core.contract.score import FORBIDDEN, LOSES, UNRESTRICTED
from trine.core.errors import MalformedError
from trine.games.arimaa import rules
from trine.games.arimaa.board import DIRECTIONS, EMPTY, KINDS, PIECES, SIDES, SQUARES, STRAIGHT
from trine.games.arimaa.kernel import layout, movegen, observation
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.position import Position
from trine.games.arimaa.referee import Pull, Push

CORNERS: Final = tuple(DIRECTIONS)[len(STRAIGHT) :]
"""The diagonal directions, in the order of their numbers."""
FIRST_DIAGONAL: Final = 256
END_NUMBER: Final = 512
FIRST_PLACEMENT: Final = 513
ACTIONS: Final = FIRST_PLACEMENT + 64 * len(KINDS)  # size of the action space


def number_of(position: Position, action: rules.Action) -> int:
    if isinstance(action, rules.Step):
        if action.direction in STRAIGHT:
            return 4 * action.origin + STRAIGHT.index(action.direction)
        return FIRST_DIAGONAL + 4 * action.origin + CORNERS.index(action.direction)
    if isinstance(action, rules.Placement):
        return FIRST_PLACEMENT + 64 * KINDS.index(action.piece.upper()) + action.square
    return END_NUMBER


def action_of(position: Position, number: int) -> rules.Action:
    if number == END_NUMBER:
        return rules.END
    if FIRST_PLACEMENT <= number < ACTIONS:
        kind, square = divmod(number - FIRST_PLACEMENT, 64)
        return rules.Placement(PIECES[position.mover][kind], square)
    if 0 <= number < END_NUMBER:
        square, direction = divmod(number % FIRST_DIAGONAL, 4)
        piece = position.board[square]
        if piece != EMPTY:
            directions = STRAIGHT if number < FIRST_DIAGONAL else CORNERS
            return rules.STEPS[piece, square, directions[direction]]
    raise MalformedError("{number} is not the number of an action here", number=number)


LETTERS: Final = EMPTY + KINDS[::-1] + EMPTY * 2 + KINDS[::-1].lower()
"""The letter of each strength, plus 8 for silver pieces."""


RULES: Final = int(
    layout.IS_DIAGONAL | layout.IS_EJECTION | layout.IS_LOSING | layout.IS_COMPETITION
)


def _bits_of(rule_set: rules.RuleSet) -> int:
    return (
        int(layout.IS_DIAGONAL) * rule_set.diagonal
        | int(layout.IS_EJECTION) * rule_set.ejection
        | int(layout.IS_LOSING) * rule_set.no_rabbits_loses
        | int(layout.IS_COMPETITION) * rule_set.is_competition
    )


RULES_OF: Final = {_bits_of(one): one for one in (*rules.RULE_SETS.values(), rules.COMPETITION)}
"""The rule set by its bits in `STATE`."""


def to_row(position: Position, row: Row) -> None:
    row[layout.BOARD : layout.BOARD + 4] = _planes(position.board)
    row[layout.START : layout.START + 4] = row[layout.BOARD : layout.BOARD + 4]
    if position.start != position.board:
        row[layout.START : layout.START + 4] = _planes(position.start)
    row[layout.BOARD_KEY] = layout.fresh_board_key(*row[layout.BOARD : layout.BOARD + 4])
    row[layout.START_KEY] = layout.stir(
        layout.fresh_board_key(*row[layout.START : layout.START + 4])
    )
    row[layout.STATE] = _state(position)
    row[layout.FOLLOWERS] = _followers(position)


def _planes(board: str) -> list[int]:
    planes = [0] * 4
    for square, letter in enumerate(board):
        if letter != EMPTY:
            strength = LETTERS.index(letter)
            for plane in range(4):
                planes[plane] |= (strength >> plane & 1) << square
    return planes


def to_position(row: Row, number: int = 2) -> Position:
    """Return the position in a row; the row does not hold the number of the turn."""
    state = int(row[layout.STATE])
    rule_set = RULES_OF[state & RULES]
    left = state >> int(layout.LEFT_AT) & 63
    strength = state >> int(layout.STRENGTH_AT) & 7
    by = tuple(near for near in rule_set.reach[left] if int(row[layout.FOLLOWERS]) >> near & 1)
    return Position(
        rule_set,
        _board(row, layout.BOARD),
        mover=int(state & int(layout.MOVER) > 0),
        number=number,
        steps=(state & int(layout.STEPS)) >> int(layout.STEPS_AT),
        start=_board(row, layout.START),
        pull=Pull(left, strength) if strength else None,
        push=Push(left, by, due=state & int(layout.DUE) > 0)
        if state & int(layout.PUSHING)
        else None,
        hands=(_hand(state, 0), _hand(state, 1)) if state & int(layout.IN_SETUP) else None,
    )


def _board(row: Row, first: int) -> str:
    low, middle, high, silver = (int(plane) for plane in row[first : first + 4])
    letters, left = [EMPTY] * len(SQUARES), low | middle | high
    while left:
        square = (left & -left).bit_length() - 1
        left &= left - 1
        strength = (low >> square & 1) | (middle >> square & 1) << 1 | (high >> square & 1) << 2
        letters[square] = LETTERS[strength | (silver >> square & 1) << 3]
    return "".join(letters)


def _hand(state: int, side: int) -> str:
    return "".join(
        letter * (state >> int(layout.HAND_AT[side, kind]) & int(layout.HAND_MASK[kind]))
        for kind, letter in enumerate(PIECES[side])
    )


def _state(position: Position) -> np.uint64:
    pull, push = position.pull, position.push
    state = (
        _bits_of(position.rules)
        | int(layout.MOVER) * position.mover
        | position.steps << int(layout.STEPS_AT)
    )
    if pull:
        state |= pull.left << int(layout.LEFT_AT) | pull.strength << int(layout.STRENGTH_AT)
    if push:
        state |= (
            push.square << int(layout.LEFT_AT) | int(layout.PUSHING) | int(layout.DUE) * push.due
        )
    if position.hands:
        state |= int(layout.IN_SETUP)
        for side in SIDES:
            for kind, letter in enumerate(PIECES[side]):
                state |= position.hands[side].count(letter) << int(layout.HAND_AT[side, kind])
    return np.uint64(state)


def _followers(position: Position) -> np.uint64:
    """Return the squares of the pieces that may take the square that was just left."""
    if position.push:
        return layout.squares_of(position.push.pushers)
    if not position.pull:
        return np.uint64(0)
    victims = position.pull.victims(position.rules, position.board, position.mover)
    return layout.squares_of(victims)


REPETITION = {
    rules.ThirdOccurrence.FREE: UNRESTRICTED,
    rules.ThirdOccurrence.LOSES: LOSES,
    rules.ThirdOccurrence.ILLEGAL: FORBIDDEN,
}
LONGEST_TURN = 5  # four steps and an end

KERNEL = Kernel.of(
    layout,
    movegen,
    observation,
    kernel,
    actions=lambda position: ACTIONS,
    number_of=number_of,
    action_of=action_of,
    to_row=to_row,
    to_position=to_position,
    repetition=Repetition(
        rule=lambda position: REPETITION[position.rules.repetition],
        can_recur=kernel.can_recur,
        longest_turn=LONGEST_TURN,
    ),
)
