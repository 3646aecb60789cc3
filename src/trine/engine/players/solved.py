"""Positions of boards so small that they are solved: no search is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trine.core.contract.position import Action, Position
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.engine.search.info import Info

Value = Callable[[Position], int | None]
"""The value of a position whose start squares are chosen, as `trine.core.contract.Rules.solved` has
it."""


@dataclass(frozen=True)
class SolvedValue:
    """The value of a position at best play of both, for the player to move."""

    wins: bool | None
    """None for a draw."""
    actions: int
    """The actions, of both players, until the end; 0 for a draw."""
    line: tuple[Action, ...] = ()
    """The best play: the shortest way to win, the longest to lose; for a draw one turn that keeps
    it."""


def solved_lines(play: Play, lines: int) -> list[Info]:
    """Return the best lines of a solved board; none where the board is not one.

    >>> from trine.games import new_play
    >>> (best,) = solved_lines(new_play("corridor/quoridor", size=3), 1)
    >>> best.score.decided_in, best.solved, solved_lines(new_play("corridor"), 1)
    (12, True, [])
    """
    found = (
        best_lines(play.room.rules.solved, play.position, lines) if play.room.rules.solved else []
    )
    return [
        Info(0, _score(one.wins, one.actions), one.line, 0, 0.0, rank, solved=True)
        for rank, one in enumerate(found, start=1)
    ]


def _score(wins: bool | None, actions: int) -> Score:
    if wins is None:
        return Score(0)
    return Score(WIN - actions if wins else actions - WIN)


def worth(value: Value, position: Position) -> SolvedValue | None:
    """Return the value of a position, and its best play; None where it is not known."""
    found = _value(value, position)
    if found is None:
        return None
    line: list[Action] = []
    while not position.outcome():
        action, position, known = _judged(value, position)[0]
        line.append(action)
        if not known:
            break
    return SolvedValue(found % 2 == 0 if found else None, max(0, found - 1), tuple(line))


def best_lines(value: Value, position: Position, most: int) -> list[SolvedValue]:
    found = []
    for action, after, known in _judged(value, position)[:most]:
        behind = worth(value, after)
        line = behind.line if behind else ()
        found.append(SolvedValue(known % 2 == 1 if known else None, known, (action, *line)))
    return found


def _value(value: Value, position: Position) -> int | None:
    if not position.in_setup:
        return value(position)
    if not (judged := _judged(value, position)):
        return None
    return judged[0][2] + 1 if judged[0][2] else 0


def _judged(value: Value, position: Position) -> list[tuple[Action, Position, int]]:
    """Return all actions with positions and values, the best first; none if one is not known."""
    found: list[tuple[Action, Position, int]] = []
    if not position.in_setup and value(position) is None:
        return found
    for action in position.legal_actions():
        after = position.play_unchecked(action)
        if (known := _value(value, after)) is None:
            return []
        found.append((action, after, known))
    return sorted(found, key=lambda one: _goodness(one[2]), reverse=True)


def _goodness(value: int) -> int:
    """Return how good a value is for the player who has just moved: a win soon, a loss late."""
    if value == 0:
        return 0
    return 1000 - value if value % 2 else value - 1000
