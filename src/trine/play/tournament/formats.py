"""The common interface of tournament formats: the next games, and whether a tournament is over."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Protocol

from trine.core.errors import IllegalError
from trine.play.tournament import arena, challenge, knockout, round_robin, swiss
from trine.play.tournament.pairing import Pairing
from trine.play.tournament.plan import MAX_PARTICIPANTS, TournamentFormat
from trine.play.tournament.tournament import Tournament


class _Format(Protocol):
    def pair(self, tournament: Tournament) -> list[Pairing]: ...

    def over(self, tournament: Tournament) -> bool: ...


_FORMATS: Final[Mapping[TournamentFormat, _Format]] = {
    TournamentFormat.ROUND_ROBIN: round_robin,
    TournamentFormat.SWISS: swiss,
    TournamentFormat.KNOCKOUT: knockout,
    TournamentFormat.CHALLENGE: challenge,
}


def check_begins(tournament: Tournament) -> None:
    """Raise `IllegalError` if there are too few or too many participants."""
    count = len(tournament.participants)
    if not 2 <= count <= MAX_PARTICIPANTS:
        raise IllegalError(
            "{given} participants; a tournament has from 2 to {most}",
            given=count,
            most=MAX_PARTICIPANTS,
        )
    tournament.plan.check_defenders(count - 1)


def next_games(
    tournament: Tournament,
    waiting: Collection[int] = (),
    separated: Collection[frozenset[int]] = (),
) -> list[Pairing]:
    """Return the games that can begin now, and the byes of their round.

    Only arenas use ``waiting`` and ``separated``: the participants present and free, and pairs who
    must not meet.

    Raises:
        IllegalError: the next round of a Swiss tournament cannot be paired.
    """
    if tournament.plan.format is TournamentFormat.ARENA:
        free = set(waiting) - {seat for game in tournament.running for seat in game.seats}
        return arena.pair(
            tournament, free & {participant.number for participant in tournament.staying}, separated
        )
    return _FORMATS[tournament.plan.format].pair(tournament)


def over(tournament: Tournament, minutes: float = 0.0) -> bool:
    """Return whether a tournament has ended; an arena ends after its minutes and its last game."""
    if tournament.plan.format is TournamentFormat.ARENA:
        return minutes >= tournament.plan.minutes and not tournament.running
    return _FORMATS[tournament.plan.format].over(tournament)
