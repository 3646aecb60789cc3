"""A maze: a board of two pawns and walls as plain numbers, all that solving it needs.

A room that has one says so in its module ``solvable`` (`trine.games.open_mazes`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a board is shown without NumPy
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Maze:
    """The board of a rule set: squares, the places for walls, and how both lie upon each other.

    A *set* of squares or of places is a number with a bit for each.
    """

    name: str
    """The rule set and the size, as a file can be named: ``great-wall-4``."""
    hands: int
    """The walls of each player at the start; -1 for no limit."""
    steps: NDArray[Any]
    """``int64[squares, 4]``: the neighbour towards each side, clockwise; -1 beyond the border."""
    shuts: NDArray[Any]
    """``uint64[squares, 4]``: the places at which a wall shuts that side of the square."""
    conflicts: NDArray[Any]
    """``uint64[places]``: the places that a wall there excludes, its own among them."""
    points: NDArray[Any]
    """``int64[places, 2]``: the grid points at the ends of a wall."""
    border: NDArray[Any]
    """``int64[points]``: the sides of the board on which a grid point lies, a bit each."""
    goals: tuple[int, int]
    """The sets of squares at which the first and the second player want to be."""
    square_images: NDArray[Any]
    """``int64[4, squares]``: the image of each square; the third and fourth swap the players."""
    place_images: NDArray[Any]
    """``int64[4, places]``: the image of each place for a wall."""
    diagonal: bool
    """Whether a jump that is shut straight on may go to a side."""
    may_shut: bool
    """Whether walls may shut a pawn off; the play is then drawn when both are."""
    joins: bool
    """Whether walls may join two sides of the board."""


@dataclass(frozen=True)
class MazeState:
    """A position on the board of a maze, both pawns placed."""

    walls: int
    """The set of places that have walls."""
    pawns: tuple[int, int]
    hands: tuple[int, int]
    """-1 for no limit."""
    mover: int


@dataclass(frozen=True)
class Mazes:
    """The knowledge of a room about the boards that can be solved."""

    maze: Callable[[Any], Maze | None]
    """The board of a position; None where there are more players, or too many squares."""
    state: Callable[[Any], MazeState | None]
    """The position on it; None while a start square is to be chosen."""
