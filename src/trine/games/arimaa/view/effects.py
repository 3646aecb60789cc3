"""The effects of a turn, in words for a recommendation: captures, traps, freezing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trine.core.contract import Effect
from trine.core.text.sentence import Text, join, text
from trine.games.arimaa.board import EMPTY, OFF_BOARD, RABBITS, SIDE, SQUARE_NAMES, STRENGTH
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Action, Step
from trine.games.arimaa.view.insight import frozen, owned, trap_holds


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn; pieces are named by the squares on which they stand before it.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> before = parse_position("2g 7r/8/8/8/3E4/3d4/8/7R")
    >>> turn = [Step("d", 19, "w"), Step("E", 27, "s")]
    >>> [str(effect.told) for effect in effects(before, turn)]
    ["captures Silver's dog on d3", 'takes hold of trap c3']
    """
    if position.in_setup:
        return []
    after, origins = _followed(position, actions)
    return [
        *_removals(position, set(origins.values())),
        *_traps_held(position, after),
        *_freezing(position, after, origins),
    ]


def _followed(position: Position, actions: Sequence[Action]) -> tuple[Position, dict[int, int]]:
    """The position after a turn, and for each remaining piece the square where it began."""
    origins = {square: square for square, piece in enumerate(position.board) if piece != EMPTY}
    for action in actions:
        if isinstance(action, Step):
            removed = position.removal(action)
            origin = origins.pop(action.origin)
            if action.target != OFF_BOARD:
                origins[action.target] = origin
            if removed != OFF_BOARD:
                del origins[removed]
        position = position.play_unchecked(action)
    return position, origins


def _removals(before: Position, left: Collection[int]) -> Iterator[Effect]:
    """Yield the removals by the turn, of pieces of the other side and of its own."""
    board = before.board
    gone = [square for square in range(64) if board[square] != EMPTY and square not in left]
    if taken := [square for square in gone if SIDE[board[square]] != before.mover]:
        yield Effect("material", text("captures {pieces}", pieces=_named(board, taken)))
    if lost := [square for square in gone if SIDE[board[square]] == before.mover]:
        yield Effect("material", text("loses {pieces}", pieces=_named(board, lost)))


def _traps_held(before: Position, after: Position) -> Iterator[Effect]:
    """Yield the traps that the turn takes hold of."""
    player = before.mover
    taken = [
        SQUARE_NAMES[now.trap]
        for then, now in zip(trap_holds(before), trap_holds(after), strict=True)
        if now.holder == player != then.holder
    ]
    if taken:
        yield Effect("traps", text("takes hold of trap {cells}", cells=" ".join(taken)))


def _freezing(before: Position, after: Position, origins: dict[int, int]) -> Iterator[Effect]:
    """Yield the enemies that the turn freezes and the own pieces that it frees, except rabbits."""
    board, player = before.board, before.mover
    then, now = set(frozen(before)), {origins[square] for square in frozen(after)}
    left = set(origins.values())
    caught = [square for square in now - then if SIDE[board[square]] != player]
    freed = [square for square in (then - now) & left if SIDE[board[square]] == player]
    if officers := _officers(board, caught):
        yield Effect("frozen", text("freezes {pieces}", pieces=_named(board, officers)))
    if officers := _officers(board, freed):
        yield Effect("frozen", text("frees {pieces}", pieces=_named(board, officers)))


def _officers(board: str, squares: Sequence[int]) -> list[int]:
    return [square for square in squares if board[square] not in RABBITS]


def _named(board: str, squares: Sequence[int]) -> Text:
    """Pieces with their side and square, the strongest first."""
    ordered = sorted(squares, key=lambda square: (-STRENGTH[board[square]], square))
    return join([owned(board, square) for square in ordered])
