"""A board as lines of text, each stretch with a role; colours belong to the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from trine.core.text import Text


class Span(NamedTuple):
    """A stretch of text and what it is: names of roles, parted by spaces, such as ``gold trap``."""

    text: str
    roles: str = ""


Row = tuple[Span, ...]


@dataclass(frozen=True)
class Look:
    """How a board is to be shown."""

    pieces: str = "letters"
    """The piece set, one of the room's `piece_sets`."""
    flipped: bool = False
    """Whether it is seen from the side of the second player."""
    last: frozenset[str] = frozenset()
    """The names of the cells that the last turn changed."""
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Further marks, by the name of the cell, as insight gives them."""
    targets: frozenset[str] = frozenset()
    """Actions in notation whose place on the board is to be shown, where a board can show it."""


class Sign(NamedTuple):
    """A sign on the board, and what it means."""

    sign: str
    roles: str
    meaning: Text


@dataclass(frozen=True)
class TextBoard:
    """The rows of a board, and a legend of the signs that stand on it."""

    rows: tuple[Row, ...]
    legend: tuple[Sign, ...] = ()

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in row).rstrip() for row in self.rows)
