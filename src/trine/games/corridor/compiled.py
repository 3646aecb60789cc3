"""The `Kernel` of the game; importing it compiles or loads the code.

The number of an action depends on the board's size n:

- 0 to n² - 1: the pawn goes to a square; in the setup, the start square;
- n² + square: a horizontal wall, like ``e3h``; 2n² + square: a vertical wall, like ``e3v``;
- 3n²: a pass.

Squares are numbered as on the board: a1 is 0, the last square n² - 1. The numbers never change.

Positions of the referee are also converted to rows of the kernel and back, exactly: only the turn
number and the owners of walls are lost, and comparisons of positions ignore both.
"""

from typing import Final

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import Kernel, Repetition, check_number
from trine.core.contract.score import DRAWS, UNRESTRICTED
from trine.core.errors import IllegalError, MalformedError
from trine.games.corridor import rules
from trine.games.corridor.board import LEFT, UNCHOSEN, square_at
from trine.games.corridor.kernel import layout, observation
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.position import Position, unsearched

AXES: Final[tuple[rules.Axis, ...]] = ("h", "v")
"""The axes of walls, in the order of the actions' numbers."""


def actions_of(size: int) -> int:
    """Return the number of action numbers on a board of a size; some stand for no action."""
    return 3 * size * size + 1


def number_of(position: Position, action: rules.Action) -> int:
    """Return the number of an action; only the size of the position matters."""
    area = position.size * position.size
    if isinstance(action, rules.Pass):
        return 3 * area
    square = square_at(position.size, action.file, action.rank)
    return (
        square + area * (1 + AXES.index(action.axis)) if isinstance(action, rules.Wall) else square
    )


def action_of(position: Position, number: int) -> rules.Action:
    """Return the action with a number, legal or not; in the setup a square is a choice.

    Guarantee: `number_of` returns the number again.
    """
    size = position.size
    check_number(number, actions_of(size))
    kind, square = divmod(number, size * size)
    rank, file = divmod(square, size)
    if kind == 0:
        return rules.Choice(file, rank) if position.in_setup else rules.Move(file, rank)
    if kind > len(AXES):
        return rules.PASS
    wall = rules.Wall(file, rank, AXES[kind - 1])
    if wall not in rules.footprints(size, position.rules.wall_length):
        raise MalformedError(
            "{given} is no number of an action: no wall has a place at {wall}",
            given=number,
            wall=str(wall),
        )
    return wall


RULE_NUMBERS: Final = {
    "quoridor": layout.QUORIDOR,
    "corridor": layout.CORRIDOR,
    "corridor-8": layout.CORRIDOR_8,
    "great-wall": layout.GREAT_WALL,
}
_NAMES: Final = {number: name for name, number in RULE_NUMBERS.items()}
_NO_SQUARE: Final = {UNCHOSEN: layout.NOT_CHOSEN, LEFT: layout.GONE}
_NO_SQUARE_HERE: Final = {code: square for square, code in _NO_SQUARE.items()}


def to_row(position: Position, row: Row) -> None:
    if why := unsearched(position):
        raise IllegalError(why)
    size = position.size
    kernel.clear(row, RULE_NUMBERS[position.rules.name], size, position.players)
    for player, (pawn, hand) in enumerate(zip(position.pawns, position.hands, strict=True)):
        layout.set_pawn(
            row, player, _NO_SQUARE[pawn] if pawn < 0 else int(layout.SQUARE[size, pawn])
        )
        layout.set_hand(row, player, layout.NO_LIMIT if hand is None else hand)
    for wall in position.walls:
        kernel.put_wall(row, number_of(position, wall))
    layout.set_mover(row, position.mover)
    if position.rules.repetition_allowed:
        layout.set_round(row)
    kernel.refresh_result(row)


def to_position(row: Row) -> Position:
    """Return the position in a row, with turn number 1 and without owners of walls."""
    size, players = layout.size_of(row), range(layout.players_of(row))
    pawns = (layout.pawn_of(row, player) for player in players)
    hands = (layout.hand_of(row, player) for player in players)
    walls = [
        rules.Wall(place % size, place // size, name)
        for axis, name in enumerate(AXES)
        for place in range(size * size)
        if kernel.has_wall(row, axis, int(layout.SQUARE[size, place]))
    ]
    sets = rules.ENDLESS if row[layout.TURN] & layout.GOES_ROUND else rules.RULE_SETS
    return Position(
        sets[_NAMES[layout.rules_of(row)]],
        size,
        tuple(
            _NO_SQUARE_HERE[p] if p in _NO_SQUARE_HERE else int(layout.NUMBER[size, p])
            for p in pawns
        ),
        tuple(None if hand == layout.NO_LIMIT else hand for hand in hands),
        tuple(sorted(walls)),
        layout.mover(row),
    )


KERNEL = Kernel.of(
    observation,
    layout,
    kernel,
    actions=lambda position: actions_of(position.size),
    number_of=number_of,
    action_of=action_of,
    to_row=to_row,
    to_position=to_position,
    repetition=Repetition(
        rule=lambda position: UNRESTRICTED if position.rules.repetition_allowed else DRAWS
    ),
)
