"""Participants, and the games between them."""

from __future__ import annotations

from dataclasses import dataclass

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Participant:
    """A participant; numbers begin at 1, in the order of strength at the start."""

    number: int
    name: str
    rating: float = 1500.0
    withdrawn: bool = False
    """Whether the participant gets no further games."""


@dataclass(frozen=True)
class Pairing:
    """A game between two participants, or a bye.

    >>> Pairing(1, (1, 2), (1.0, 0.0)).score(2)
    0.0
    >>> Pairing(1, (3,), (1.0,), played=False).bye
    True
    """

    round: int
    seats: tuple[int, ...]
    """The numbers of the participants in turn order; only one for a bye."""
    points: tuple[float, ...] | None = None
    """The points of each participant; None while the game is being played."""
    played: bool = True
    """Whether the points were won in a game, not by a bye or a forfeit."""

    @property
    def bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def open(self) -> bool:
        return self.points is None

    def score(self, number: int) -> float:
        """Return the points of a participant; 0 while the game is being played."""
        return self.points[self.seats.index(number)] if self.points else 0.0

    def opponent(self, number: int) -> int | None:
        return next((seat for seat in self.seats if seat != number), None)


def bye(round_number: int, number: int, points: float = WIN) -> Pairing:
    return Pairing(round_number, (number,), (points,), played=False)
