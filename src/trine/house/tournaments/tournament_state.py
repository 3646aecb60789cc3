"""The state of a tournament: as stored, and as a value for the formats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from trine.house.games.live.agreement import Agreement
from trine.house.store.store import Store
from trine.house.tournaments import tables
from trine.house.tournaments.tables import EntrantRow, PairingRow, TournamentRow, TournamentStage
from trine.play.tournament import challenge
from trine.play.tournament.pairing import Participant
from trine.play.tournament.plan import Plan, TournamentFormat
from trine.play.tournament.tournament import Tournament


@dataclass(frozen=True)
class TournamentState:
    """A tournament as it is stored."""

    row: TournamentRow
    entrants: Sequence[EntrantRow]
    """The entrants, in the order of joining."""
    pairings: Sequence[PairingRow]
    owner: str = ""
    """The name of the person who created it."""
    closed: float = 0.0
    """Units: seconds; how long the house was closed since the tournament began."""
    made: dict[tuple[str, bool], str | bytes] = field(default_factory=dict, compare=False)
    """A cache of page messages, by language and whether the viewer may join."""

    @cached_property
    def plan(self) -> Plan:
        return plan_from(self.row.plan)

    @cached_property
    def agreement(self) -> Agreement:
        return self.row.agreement

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament as a value, once it has begun."""
        people = (_participant(one, n) for n, one in sorted(self._by_number.items()))
        return Tournament(self.plan, tuple(people), tuple(one.pairing for one in self.pairings))

    @property
    def arena_ends_at(self) -> float | None:
        """The end of a running arena's pairing; its time pauses while the house is closed."""
        if self.row.began_at is None or self.plan.format is not TournamentFormat.ARENA:
            return None
        return self.row.began_at + 60 * self.plan.minutes + self.closed

    @cached_property
    def _by_number(self) -> Mapping[int, EntrantRow]:
        # A substitute's later row has the number of the replaced entrant, and overrides that row.
        return {one.number: one for one in self.entrants if one.number is not None}

    @cached_property
    def vacant(self) -> Sequence[EntrantRow]:
        """The withdrawn defenders of a running Challenge who have games left to play."""
        if (
            self.plan.format is not TournamentFormat.CHALLENGE
            or self.row.stage is not TournamentStage.RUNNING
        ):
            return ()
        return [
            one
            for number, one in self._by_number.items()
            if one.withdrawn and challenge.waits_for_substitute(self.tournament, number)
        ]

    def replaced(self, one: EntrantRow) -> EntrantRow | None:
        """Return the entrant whom this one has replaced as a substitute, if any."""
        former = [
            other
            for other in self.entrants
            if other.number == one.number is not None and other.entry < one.entry
        ]
        return former[-1] if former else None

    def entrant(self, number: int) -> EntrantRow:
        return self._by_number[number]

    def of_person(self, person_id: str | None) -> EntrantRow | None:
        """Return the entrant who is this person, if any."""
        found = (one for one in self.entrants if person_id and one.person == person_id)
        return next(found, None)

    def numbered(self, entries: Sequence[int]) -> Tournament:
        """Return the tournament with its entrants numbered in the order of ``entries``."""
        known = {one.entry: one for one in self.entrants}
        people = (_participant(known[entry], n) for n, entry in enumerate(entries, 1))
        return Tournament(self.plan, tuple(people))

    def free(self, waiting: Collection[str]) -> set[int]:
        """Return the numbers of waiting arena players, and of a bot if they are odd in number."""
        busy = {seat for one in self.tournament.running for seat in one.seats}
        staying = {
            number: one
            for number, one in self._by_number.items()
            if number not in busy and not one.withdrawn
        }
        people = {number for number, one in staying.items() if one.person in waiting}
        bots = [number for number, one in staying.items() if one.bot]
        return people | set(bots[: len(people) % 2])

    def game_of(self, person_id: str | None) -> str | None:
        """Return the id of a person's first unfinished game, if any."""
        own = self.of_person(person_id)
        if not own or own.number is None or self.entrant(own.number) is not own:
            return None
        mine = (one for one in self.pairings if own.number in one.pairing.seats)
        return next((one.game for one in mine if one.game and one.pairing.open), None)

    def agreement_of(self, number: int) -> Agreement:
        """Return the agreement for the game of a pairing."""
        pairing = self.pairings[number - 1].pairing
        usual, options = self.agreement, dict[str, str]()
        if self.plan.format is TournamentFormat.CHALLENGE:
            given = challenge.handicap(self.tournament, pairing)
            seat = next(n for n, who in enumerate(pairing.seats) if who != challenge.CHALLENGER)
            options = challenge.handicap_options(given, usual.terms().start.seats[seat].tag)
        event = {"Event": self.row.name, "Round": str(pairing.round)}
        again = replace(usual.again(options), takebacks=False, casual=False)
        return replace(again, tournament=self.row.id, event=event)


def read_state(store: Store, tournament_id: str) -> TournamentState | None:
    found = store.read(tables.read_whole, tournament_id)
    return TournamentState(*found) if found else None


def plan_as_data(plan: Plan) -> dict[str, Any]:
    return {**asdict(plan), "handicaps": list(map(list, plan.handicaps))}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """Read a plan from the result of `plan_as_data`."""
    lists = data["handicaps"]
    if lists and isinstance(lists[0], str):  # the former format: one list for all defenders
        lists = [lists]
    # Former versions stored lists longer than the number of games; the surplus was never used.
    handicaps = tuple(tuple(own[: data["games"]]) for own in lists)
    return Plan(**{**data, "format": TournamentFormat(data["format"]), "handicaps": handicaps})


def _participant(one: EntrantRow, number: int) -> Participant:
    return Participant(number, one.name, one.rating, one.withdrawn)
