"""The part of the interface of the store that is about tournaments.

Methods that write return futures, those that read return at once, as those of `Store` do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final

from trine.store import deadlines, tournament_rows
from trine.store.access import Access
from trine.store.downtimes import closed_since
from trine.store.people import read_person
from trine.store.seat_rows import SeatRow
from trine.store.tournament_rows import (
    TOURNAMENT_DUE,
    EntrantRow,
    PairingRow,
    TournamentRow,
    TournamentStage,
)
from trine.tournament.pairing import Pairing

MOST_DUE: Final = 1000


class TournamentStore(Access):
    """The tournaments of a store."""

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self, row: TournamentRow, first: Sequence[tuple[str | None, str]] = ()
    ) -> Future[None]:
        """Create a tournament, with those who take part from the beginning."""
        return self.write(tournament_rows.create, row, first)

    def join(self, tournament: str, person: str | None, bot: str = "") -> Future[None]:
        """Have somebody take part; the future raises a `NoRoomError` if that cannot be."""
        return self.write(tournament_rows.join, tournament, person, bot)

    def leave(self, tournament: str, entry: int) -> Future[bool]:
        """Have somebody leave before it has begun; the result is whether that was possible."""
        return self.write(tournament_rows.leave, tournament, entry)

    def begin(
        self,
        tournament: str,
        numbers: Sequence[tuple[int, float]],
        now: float,
        until: float | None = None,
    ) -> Future[bool]:
        """Begin a tournament; the result is whether it was begun now."""
        return self.write(tournament_rows.begin, tournament, numbers, now, until)

    def withdraw(self, tournament: str, entry: int) -> Future[bool]:
        """Have somebody withdraw; the result is whether that is new."""
        return self.write(tournament_rows.withdraw, tournament, entry)

    def pair(self, tournament: str, after: int, pairings: Sequence[Pairing]) -> Future[bool]:
        """Add pairings behind those that there are; the result is whether they were added now."""
        return self.write(tournament_rows.pair, tournament, after, pairings)

    def play(
        self,
        tournament: str,
        number: int,
        room: str,
        rules: str,
        terms: Mapping[str, Any],
        seats: Sequence[SeatRow],
    ) -> Future[str]:
        """Create the game of a pairing, once; the result is the id of the game."""
        return self.write(
            tournament_rows.play, tournament, number, room, rules, terms, seats, self._now()
        )

    def result(
        self, tournament: str, number: int, points: Sequence[float], *, played: bool
    ) -> Future[bool]:
        """Note what a game was worth, once; the result is whether it is new."""
        return self.write(tournament_rows.result, tournament, number, points, played)

    def end(self, tournament: str, stage: TournamentStage, now: float) -> Future[bool]:
        """End a tournament; the result is whether it was ended now."""
        return self.write(tournament_rows.end, tournament, stage, now)

    # --- reading ---------------------------------------------------------------------------------

    def get(
        self, tournament: str
    ) -> tuple[TournamentRow, list[EntrantRow], list[PairingRow], str, float] | None:
        """Return a tournament, those who take part, its pairings, and the name of its owner.

        Last are the seconds for which the house was closed since it began.
        """
        with self._database.reader() as connection:
            row = tournament_rows.read(connection, tournament)
            if not row:
                return None
            entrants = tournament_rows.entrants(connection, tournament)
            owner = read_person(connection, row.owner)
            pairings = tournament_rows.pairings(connection, tournament)
            closed = closed_since(connection, row.began_at) if row.began_at else 0.0
            return row, entrants, pairings, owner.name if owner else "", closed

    def in_stages(
        self, stages: Sequence[TournamentStage], limit: int = 1000, *, listed: bool = False
    ) -> list[TournamentRow]:
        """Return the newest tournaments of some stages, the last first."""
        return self.read(tournament_rows.in_stages, stages, limit, listed=listed)

    def of_person(self, person: str, limit: int = 20) -> list[TournamentRow]:
        """Return the newest tournaments that somebody has created or takes part in."""
        return self.read(tournament_rows.of_person, person, limit)

    def counts(self, tournaments: Sequence[str]) -> dict[str, int]:
        """Return how many take part in tournaments, for those that anybody has joined."""
        return self.read(tournament_rows.counts, tournaments)

    def of_game(self, game: str) -> tuple[str, int] | None:
        """Return the tournament and the round that a game belongs to, or None."""
        return self.read(tournament_rows.of_game, game)

    def to_see_to(self, now: float) -> set[str]:
        """Return the tournaments in which something is to be done by now."""
        with self._database.reader() as connection:
            due = deadlines.due_of(connection, TOURNAMENT_DUE, now, MOST_DUE)
            return {*(one.ref for one in due), *tournament_rows.with_games_over(connection)}
