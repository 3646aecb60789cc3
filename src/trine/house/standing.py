"""A tournament as it is stored, and as the formats want it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from trine.house.agreement import Agreement
from trine.store.parts.tournaments import TournamentStore
from trine.store.tournament_rows import EntrantRow, PairingRow, TournamentRow
from trine.tournament import challenge
from trine.tournament.pairing import Participant
from trine.tournament.plan import Format, Plan
from trine.tournament.tournament import Tournament


@dataclass(frozen=True)
class TournamentState:
    """A tournament as it is stored."""

    row: TournamentRow
    entrants: Sequence[EntrantRow]
    """In the order of coming."""
    pairings: Sequence[PairingRow]
    owner: str = ""
    """The name of whoever has created it."""
    closed: float = 0.0
    """For how many seconds the house was closed since it began."""

    @cached_property
    def plan(self) -> Plan:
        """The plan."""
        return plan_from(self.row.plan)

    @cached_property
    def agreement(self) -> Agreement:
        """The terms of all games; what is left to chance is chosen for each."""
        return Agreement.from_data(self.row.terms)

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament as a value, once it has begun."""
        people = (_participant(one, n) for n, one in sorted(self._by_number.items()))
        return Tournament(self.plan, tuple(people), tuple(one.pairing for one in self.pairings))

    @property
    def arena_ends_at(self) -> float | None:
        """When an arena that has begun pairs nobody any more; no time passes in a closed house."""
        if self.row.began_at is None or self.plan.format is not Format.ARENA:
            return None
        return self.row.began_at + 60 * self.plan.minutes + self.closed

    @cached_property
    def _by_number(self) -> Mapping[int, EntrantRow]:
        return {one.number: one for one in self.entrants if one.number is not None}

    def entrant(self, number: int) -> EntrantRow:
        """The participant of a number."""
        return self._by_number[number]

    def of_person(self, person: str | None) -> EntrantRow | None:
        """The participant who is a person, if that person takes part."""
        found = (one for one in self.entrants if person and one.person == person)
        return next(found, None)

    def numbered(self, entries: Sequence[int]) -> Tournament:
        """The tournament as it would be with its participants in some order."""
        known = {one.entry: one for one in self.entrants}
        people = (_participant(known[entry], n) for n, entry in enumerate(entries, 1))
        return Tournament(self.plan, tuple(people))

    def free(self, waiting: Collection[str]) -> set[int]:
        """The numbers of those who wait in an arena, with a bot for the one who would be alone."""
        busy = {seat for one in self.tournament.running for seat in one.seats}
        staying = {
            number: one
            for number, one in self._by_number.items()
            if number not in busy and not one.withdrawn
        }
        people = {number for number, one in staying.items() if one.person in waiting}
        bots = [number for number, one in staying.items() if one.bot]
        return people | set(bots[: len(people) % 2])

    def game_of(self, person: str | None) -> str | None:
        """The game that somebody is to play now; the first, if there are several."""
        own = self.of_person(person)
        if not own or own.number is None:
            return None
        mine = (one for one in self.pairings if own.number in one.pairing.seats)
        return next((one.game for one in mine if one.game and one.pairing.open), None)

    def agreement_of(self, number: int) -> Agreement:
        """The agreement for the game of a pairing."""
        pairing = self.pairings[number - 1].pairing
        usual, options = self.agreement, dict[str, str]()
        if self.plan.format is Format.CHALLENGE:
            given = challenge.handicap(self.tournament, pairing)
            seat = next(n for n, who in enumerate(pairing.seats) if who != challenge.CHALLENGER)
            options = challenge.handicap_options(given, usual.terms().start.seats[seat].tag)
        return replace(
            Agreement.make(
                usual.game,
                usual.rules,
                {**usual.options, **options},
                clock=usual.clock,
                takebacks=False,
                draws=usual.draws,
                casual=False,
                listed=usual.listed,
                rated=usual.rated,
            ),
            tournament=self.row.id,
            event={"Event": self.row.name, "Round": str(pairing.round)},
        )


def read_state(store: TournamentStore, name: str) -> TournamentState | None:
    """Read a tournament, if there is one."""
    found = store.get(name)
    return TournamentState(*found) if found else None


def plan_as_data(plan: Plan) -> dict[str, Any]:
    """A plan as JSON has it."""
    return {**asdict(plan), "handicaps": list(plan.handicaps)}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """A plan as `plan_as_data` gives it."""
    values = {**data, "format": Format(data["format"]), "handicaps": tuple(data["handicaps"])}
    return Plan(**values)


def _participant(one: EntrantRow, number: int) -> Participant:
    return Participant(number, one.name, one.rating, one.withdrawn)
