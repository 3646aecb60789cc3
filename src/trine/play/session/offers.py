"""Offers: requests of a player to all others, and how long they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
PAUSE: Final = "pause"
"""The requests of every game; others are lines of a game, such as ``fill``."""


@dataclass(frozen=True)
class Offer:
    """A request that all others must accept."""

    what: str
    """``draw``, ``takeback``, ``pause``, or a line of the game."""
    seat: int
    """The player who asks."""
    waiting: tuple[int, ...]
    """The players who have not answered yet, in turn order; empty when all have accepted."""
    turns: int = 1
    """The number of turns that a takeback takes back."""

    @classmethod
    def to_all(cls, what: str, seat: int, playing: Sequence[int], turns: int = 1) -> Self:
        """Return an offer to all other players, the next in turn order first."""
        place = playing.index(seat)
        return cls(what, seat, (*playing[place + 1 :], *playing[:place]), turns)

    def accepted_by(self, seat: int) -> Offer:
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def outlasts_turn_of(self, seat: int) -> bool:
        """Return whether the offer, of a draw or a pause, still stands after a player's turn."""
        return self.what in (DRAW, PAUSE) and seat == self.seat
