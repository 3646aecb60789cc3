"""Themes, by which puzzles are sorted: ideas that turns use, and what whole turns achieve of them.

A room in which many turns differ in idle actions alone has `Ideas` in its module ``ideas``
(`trine.games.open_ideas`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trine.core.text.sentence import Text

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.compiled.arrays import Buffers, Row, Rows

Used = Callable[[Any, Sequence[Any]], bool]
"""``used(position, actions)``: whether a whole turn uses an idea."""


@dataclass(frozen=True)
class Theme:
    """An idea of a game, as the referee sees it."""

    title: Text
    """A word or two."""
    hint: Text
    """A sentence to somebody who looks for a turn that uses it."""
    used: Used


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
