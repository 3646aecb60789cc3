"""Positions of boards so small that they are solved when somebody asks: no search is needed."""

from __future__ import annotations

from typing import Final

from trine.core.contract.position import Position
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.games import open_mazes
from trine.search.info import Info

SQUARES: Final = 16
"""Of larger boards none is small enough, and no solver need be loaded."""


def solved_lines(play: Play, lines: int) -> list[Info]:
    """Return the best lines of a solved board; none where the board is not one.

    >>> from trine.games import new_play
    >>> (best,) = solved_lines(new_play("corridor/quoridor", size=3), 1)
    >>> best.score.decided_in, best.solved, solved_lines(new_play("corridor"), 1)
    (12, True, [])
    """
    game, position = play.room.name, play.position
    if not _may_be_small(game, position):
        return []
    from trine.solve.boards import best_lines, small_table  # they bring Numba along

    table = small_table(game, position)
    if table is None:
        return []
    return [
        Info(0, _score(one.wins, one.actions), one.line, 0, 0.0, rank, solved=True)
        for rank, one in enumerate(best_lines(game, table, position, lines), start=1)
    ]


def _may_be_small(game: str, position: Position) -> bool:
    mazes = open_mazes(game)
    maze = mazes.maze(position) if mazes else None
    return maze is not None and len(maze.steps) <= SQUARES


def _score(wins: bool | None, actions: int) -> Score:
    if wins is None:
        return Score(0)
    return Score(WIN - actions if wins else actions - WIN)
