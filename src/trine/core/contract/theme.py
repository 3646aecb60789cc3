"""Themes, by which puzzles are sorted: ideas that turns use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trine.core.text.sentence import Text

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
