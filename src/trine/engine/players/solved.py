"""Solved boards: values and best lines without a search."""

from collections.abc import Callable
from dataclasses import dataclass

from trine.core.contract.position import Action, Position
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.engine.search.info import Info

Value = Callable[[Position], int | None]
"""A function for the value of a position after the setup, like `Rules.solved`."""


@dataclass(frozen=True)
class SolvedValue:
    """The value of a position at best play, for the player to move."""

    wins: bool | None  # whether the player to move wins; None for a draw
    actions: int  # number of actions of both players until the end; 0 for a draw
    line: tuple[Action, ...] = ()
    """The best play: the shortest win, the longest loss, or one turn that keeps a draw."""


def solved_lines(play: Play, lines: int) -> list[Info]:
    """Return the best lines on a solved board; empty on other boards.

    >>> from trine.games import new_play
    >>> (best,) = solved_lines(new_play("corridor/quoridor", size=3), 1)
    >>> best.score.decided_in, best.solved, solved_lines(new_play("corridor"), 1)
    (12, True, [])
    """
    found = (
        best_lines(play.room.rules.solved, play.position, lines) if play.room.rules.solved else []
    )
    return [
        Info(0, _score(best.wins, best.actions), best.line, 0, 0.0, rank, solved=True)
        for rank, best in enumerate(found, start=1)
    ]


def _score(wins: bool | None, actions: int) -> Score:
    if wins is None:
        return Score(0)
    return Score(WIN - actions if wins else actions - WIN)


def solve(value: Value, position: Position) -> SolvedValue | None:
    """Return the value of a position, and its best play; None if the value is unknown."""
    found = _value(value, position)
    if found is None:
        return None
    line: list[Action] = []
    while not position.outcome():
        action, position, known = _judge_actions(value, position)[0]
        line.append(action)
        if not known:
            break
    return SolvedValue(found % 2 == 0 if found else None, max(0, found - 1), tuple(line))


def best_lines(value: Value, position: Position, most: int) -> list[SolvedValue]:
    found = []
    for action, after, known in _judge_actions(value, position)[:most]:
        follow_up = solve(value, after)
        line = follow_up.line if follow_up else ()
        found.append(SolvedValue(known % 2 == 1 if known else None, known, (action, *line)))
    return found


def _value(value: Value, position: Position) -> int | None:
    if not position.in_setup:
        return value(position)
    if not (judged := _judge_actions(value, position)):
        return None
    return judged[0][2] + 1 if judged[0][2] else 0


def _judge_actions(value: Value, position: Position) -> list[tuple[Action, Position, int]]:
    """Return all actions, positions and values, best first; empty if a value is unknown."""
    found: list[tuple[Action, Position, int]] = []
    if not position.in_setup and value(position) is None:
        return found
    for action in position.legal_actions():
        after = position.play_unchecked(action)
        if (known := _value(value, after)) is None:
            return []
        found.append((action, after, known))
    return sorted(found, key=lambda judged: _goodness(judged[2]), reverse=True)


def _goodness(value: int) -> int:
    """Return a sort key for the player who has just moved: prefers early wins and late losses."""
    if value == 0:
        return 0
    return 1000 - value if value % 2 else value - 1000
