"""A tournament as a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trine.play.tournament.pairing import Pairing, Participant
from trine.play.tournament.plan import Plan


@dataclass(frozen=True)
class Tournament:
    """A tournament: its plan, participants and pairings, in order."""

    plan: Plan
    participants: tuple[Participant, ...]
    """The participants by their numbers from 1, the strongest first."""
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
        return tuple(one for one in self.participants if not one.withdrawn)

    def participant(self, number: int) -> Participant:
        return self.participants[number - 1]

    def of(self, number: int) -> Iterator[Pairing]:
        return (pairing for pairing in self.pairings if number in pairing.seats)

    def between(self, one: int, other: int) -> list[Pairing]:
        return [pairing for pairing in self.of(one) if other in pairing.seats]

    def score(self, number: int) -> float:
        return sum(pairing.score(number) for pairing in self.of(number))

    def with_pairings(self, pairings: Sequence[Pairing]) -> Tournament:
        return replace(self, pairings=(*self.pairings, *pairings))

    def with_result(
        self, index: int, points: Sequence[float], *, played: bool = True
    ) -> Tournament:
        """Return the tournament after the end of a game, given by its index among the pairings."""
        changed = list(self.pairings)
        changed[index] = replace(changed[index], points=tuple(points), played=played)
        return replace(self, pairings=tuple(changed))

    def without(self, number: int) -> Tournament:
        """Return the tournament after a participant has withdrawn; running games go on."""
        changed = list(self.participants)
        changed[number - 1] = replace(changed[number - 1], withdrawn=True)
        return replace(self, participants=tuple(changed))
