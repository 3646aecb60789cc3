"""The effects of a turn in words, for a recommendation; and the themes of turns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from trine.core.contract import Effect
from trine.core.contract.insight import Theme
from trine.core.contract.position import Reason, position_after
from trine.core.text.sentence import Text, ctext, join, text
from trine.games.arimaa.board import EMPTY, OFF_BOARD, RABBITS, SIDE, SQUARE_NAMES, STRENGTH
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Action, Step
from trine.games.arimaa.view.insight import frozen, owned, threats_of, trap_holds


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn; pieces are named by their squares before it.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> before = parse_position("2g 7r/8/8/8/3E4/3d4/8/7R")
    >>> turn = [Step("d", 19, "w"), Step("E", 27, "s")]
    >>> [str(effect.text) for effect in effects(before, turn)]
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
    """Return the position after a turn, and the original square of each remaining piece."""
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
    """Yield the captures of the turn, and its losses of own pieces."""
    board = before.board
    gone = [square for square in range(64) if board[square] != EMPTY and square not in left]
    if taken := [square for square in gone if SIDE[board[square]] != before.mover]:
        yield Effect("material", text("captures {pieces}", pieces=_named(board, taken)))
    if lost := [square for square in gone if SIDE[board[square]] == before.mover]:
        yield Effect("material", text("loses {pieces}", pieces=_named(board, lost)))


def _traps_held(before: Position, after: Position) -> Iterator[Effect]:
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


# --- themes of puzzles ----------------------------------------------------------------------------


def _enemies(board: str, player: int) -> list[int]:
    return [at for at, piece in enumerate(board) if piece != EMPTY and SIDE[piece] != player]


def _held(position: Position, player: int) -> set[int]:
    """Return the squares of the enemies of a player that are frozen, except rabbits."""
    return {
        square
        for square in frozen(position)
        if SIDE[position.board[square]] != player and position.board[square] not in RABBITS
    }


def _goal(before: Position, actions: Sequence[Action]) -> bool:
    outcome = position_after(before, actions).outcome()
    return outcome is not None and (outcome.winner, outcome.reason) == (before.mover, Reason.GOAL)


def _trap(before: Position, actions: Sequence[Action]) -> bool:
    after = position_after(before, actions)
    return len(_enemies(after.board, before.mover)) < len(_enemies(before.board, before.mover))


def _freeze(before: Position, actions: Sequence[Action]) -> bool:
    after = position_after(before, actions)
    return len(_held(after, before.mover)) > len(_held(before, before.mover))


def _hostage(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn freezes an enemy that can be captured later."""
    after, player = position_after(before, actions), before.mover
    if after.outcome() or not (held := _held(after, player)):
        return False
    return bool(held & set(threats_of(after, player).capture) - _held(before, player))


def _rescue(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the other side could reach its goal before the turn, and cannot after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome() or not threats_of(before, enemy).goal:
        return False
    return not threats_of(after, enemy).goal


def _saved(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn prevents captures by the other side."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome():
        return False
    lost = len(_enemies(before.board, enemy)) - len(_enemies(after.board, enemy))
    then, now = (len(threats_of(position, enemy).capture) for position in (before, after))
    return now + lost < then


def _threat(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the mover could reach the goal with one more turn."""
    after = position_after(before, actions)
    return after.outcome() is None and bool(threats_of(after, before.mover).goal)


THEMES: Final = {
    "goal": Theme(
        ctext("theme", "goal in one turn"), text("A rabbit can reach its goal this turn."), _goal
    ),
    "trap": Theme(ctext("theme", "capture"), text("Something can fall into a trap."), _trap),
    "freeze": Theme(
        ctext("theme", "freezing"),
        text("A stronger piece beside it takes away its steps."),
        _freeze,
    ),
    "hostage": Theme(
        ctext("theme", "hostage"),
        text("Holding a piece near a trap can be worth more than taking another."),
        _hostage,
    ),
    "rescue": Theme(
        ctext("theme", "stopping a goal"),
        text("Look first at what the other side's rabbits threaten."),
        _rescue,
    ),
    "save": Theme(
        ctext("theme", "saving a piece"),
        text("Look first at what the other side can capture."),
        _saved,
    ),
    "threat": Theme(
        ctext("theme", "goal in two turns"),
        text("A goal in the next turn that cannot be stopped is as good as one now."),
        _threat,
    ),
}
