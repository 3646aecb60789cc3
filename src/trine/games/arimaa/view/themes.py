"""The ideas that turns of Arimaa use, as the referee sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.outcome import Reason
from trine.core.contract.position import position_after
from trine.core.contract.theme import Theme
from trine.core.text.sentence import ctext, text
from trine.games.arimaa.board import EMPTY, RABBITS, SIDE
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Action
from trine.games.arimaa.view.insight import frozen, threats_of


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
    """Whether an enemy is held that can be captured later, and was not before."""
    after, player = position_after(before, actions), before.mover
    if after.outcome() or not (held := _held(after, player)):
        return False
    return bool(held & set(threats_of(after, player).capture) - _held(before, player))


def _rescue(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the other side could reach its goal before the turn, and cannot after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome() or not threats_of(before, enemy).goal:
        return False
    return not threats_of(after, enemy).goal


def _saved(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the other side could capture more before the turn than it can after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome():
        return False
    lost = len(_enemies(before.board, enemy)) - len(_enemies(after.board, enemy))
    then, now = (len(threats_of(position, enemy).capture) for position in (before, after))
    return now + lost < then


def _threat(before: Position, actions: Sequence[Action]) -> bool:
    """Whether a goal can be reached by a turn more."""
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
