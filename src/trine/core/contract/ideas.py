"""Ideas: what whole turns achieve, for games in which many turns differ in idle actions alone.

A room that has some says so in its module ``ideas`` (`trine.games.open_ideas`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.compiled.arrays import Buffers, Row, Rows


@dataclass(frozen=True)
class Ideas:
    """The achievements of whole turns of a game, by the names of themes (`Book.themes`).

    An achievement is some numbers: a turn shares the idea of another one if none of its is less.
    """

    names: tuple[str, ...]
    every_turn: Callable[[Row], Rows]
    """``every_turn(row)``: the rows after all different whole turns from the beginning of one."""
    achieved: Callable[[Row, Rows, str], Buffers]
    """``achieved(before, after, name)``: how much turns achieve of one. Shapes: turn, number."""
