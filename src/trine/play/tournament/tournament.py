"""A tournament as an immutable value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from trine.play.tournament.pairing import Pairing, Participant
from trine.play.tournament.plan import Plan


@dataclass(frozen=True)
class Tournament:
    """The plan, the participants and the pairings so far of a tournament."""

    plan: Plan
    participants: tuple[Participant, ...]
    """The participants in the order of their numbers, the strongest first."""
    pairings: tuple[Pairing, ...] = ()

    @cached_property
    def round(self) -> int:
        """The number of the newest round; 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @cached_property
    def running(self) -> tuple[Pairing, ...]:
        return tuple(pairing for pairing in self.pairings if pairing.open)

    @cached_property
    def staying(self) -> tuple[Participant, ...]:
        return tuple(participant for participant in self.participants if not participant.withdrawn)

    def participant(self, number: int) -> Participant:
        return self.participants[number - 1]

    def of(self, number: int) -> Iterator[Pairing]:
        return (pairing for pairing in self.pairings if number in pairing.seats)

    def between(self, first: int, second: int) -> list[Pairing]:
        return [pairing for pairing in self.of(first) if second in pairing.seats]

    def score(self, number: int) -> float:
        return sum(pairing.score(number) for pairing in self.of(number))
