"""A board as lines of text whose spans have roles; colours are chosen by the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from trine.core.text.sentence import Text


class Span(NamedTuple):
    """A piece of text and its roles: names separated by spaces, such as ``gold trap``."""

    text: str
    roles: str = ""


Row = tuple[Span, ...]


@dataclass(frozen=True)
class Look:
    """The options of showing a board."""

    pieces: str = "letters"
    """The piece set, one of the game's `piece_sets`."""
    flipped: bool = False
    """Whether the board is seen from the second player's side."""
    last: frozenset[str] = frozenset()
    """The cells that the last turn changed."""
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Further marks by cell, as in `Insight.marks`."""
    targets: frozenset[str] = frozenset()
    """Actions in notation; the board shows their places if it can."""


class Sign(NamedTuple):
    """A sign on the board, and its meaning."""

    sign: str
    roles: str
    meaning: Text


@dataclass(frozen=True)
class TextBoard:
    """The rows of a board, and a legend of its signs."""

    rows: tuple[Row, ...]
    legend: tuple[Sign, ...] = ()

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in row).rstrip() for row in self.rows)
