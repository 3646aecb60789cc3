"""Offers: requests of a player to all other players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from trine.core.text.sentence import Text, text

DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
PAUSE: Final = "pause"
WISHES: Final[dict[str, Text]] = {
    DRAW: text("{name} offers a draw."),
    TAKEBACK: text("{name} wants to take a turn back."),
    PAUSE: text("{name} asks for a pause."),
}
"""The requests of every game, each with its sentence about the player who asks; other requests are
lines of a particular game, such as ``fill``."""


@dataclass(frozen=True)
class Offer:
    """A request of a player that all others must accept."""

    what: str
    """One of `WISHES`, or a line of the game."""
    seat: int
    """The player who asks."""
    waiting: tuple[int, ...]
    """The players who have not accepted yet, in turn order."""
    turns: int = 1
    """The number of turns that a takeback takes back."""

    @classmethod
    def to_all(cls, what: str, seat: int, playing: Sequence[int], turns: int = 1) -> Self:
        """Return an offer to all other players, in turn order."""
        place = playing.index(seat)
        return cls(what, seat, (*playing[place + 1 :], *playing[:place]), turns)

    def accepted_by(self, seat: int) -> Offer:
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def outlasts_turn_of(self, seat: int) -> bool:
        """Return whether the offer is still open after a turn of the player at ``seat``."""
        return self.what in WISHES and self.what != TAKEBACK and seat == self.seat
