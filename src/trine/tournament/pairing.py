"""Participants, and the games between them."""

from __future__ import annotations

from dataclasses import dataclass

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Participant:
    """A participant, whose number is also the order of strength at the start, from 1."""

    number: int
    name: str
    rating: float = 1500.0
    withdrawn: bool = False
    """Whether there are no further games for this participant."""


@dataclass(frozen=True)
class Pairing:
    """A game between two participants, or a round in which one has no opponent.

    >>> Pairing(1, (1, 2), (1.0, 0.0)).score(2)
    0.0
    >>> Pairing(1, (3,), (1.0,), played=False).bye
    True
    """

    round: int
    seats: tuple[int, ...]
    """The numbers of the participants in turn order; of one alone, who rests."""
    points: tuple[float, ...] | None = None
    """The points of each; None while it is being played."""
    played: bool = True
    """Whether the points were won at the board: neither by a bye nor by a forfeit."""

    @property
    def bye(self) -> bool:
        """Whether there is no opponent."""
        return len(self.seats) == 1

    @property
    def open(self) -> bool:
        """Whether it is still being played."""
        return self.points is None

    def score(self, number: int) -> float:
        """The points of a participant; none as long as it is being played."""
        return self.points[self.seats.index(number)] if self.points else 0.0

    def opponent(self, number: int) -> int | None:
        """The participant at the other seat."""
        return next((seat for seat in self.seats if seat != number), None)


def rest(round_number: int, number: int, points: float = WIN) -> Pairing:
    """A round without an opponent, and what it is worth."""
    return Pairing(round_number, (number,), (points,), played=False)
