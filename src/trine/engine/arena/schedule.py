"""The schedule of a match: seats and opening of each game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from trine.core.errors import MalformedError

Lineup = tuple[int, ...]
"""The numbers of the players of a game, one for each seat."""


@dataclass(frozen=True)
class Fixture:
    """A game of a schedule."""

    number: int
    """The game's number in reports and records, from 1."""
    lineup: Lineup
    opening: int
    """The number of the opening, from 0."""
    group: int
    """The number of the game's group: games of one lineup and opening; with two players, a pair."""
    options: tuple[tuple[str, str], ...] = ()
    """Start options in addition to those of the match."""


def everyone_against_everyone(players: int, seats: int) -> list[Lineup]:
    """Return all lineups of a round robin.

    Raises:
        MalformedError: there are too few players for the seats.

    >>> everyone_against_everyone(3, 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    check_lineup(range(min(players, seats)), seats)
    return list(combinations(range(players), seats))


def check_lineup(lineup: Sequence[int], seats: int) -> None:
    """Raise `MalformedError` if a lineup does not match the seats of a game."""
    if len(lineup) != seats:
        raise MalformedError(
            "this game has {seats} seats, and {given} play", seats=seats, given=len(lineup)
        )


def schedule(lineups: Sequence[Lineup], games: int) -> list[Fixture]:
    """Return the games of a match, ``games`` for each lineup.

    Each opening is played once with each player at each seat.

    Raises:
        MalformedError: the number of games is not a multiple of the number of seats.

    >>> [(game.number, game.lineup, game.opening) for game in schedule([(0, 1)], 4)]
    [(1, (0, 1), 0), (2, (1, 0), 0), (3, (0, 1), 1), (4, (1, 0), 1)]
    """
    seats = len(lineups[0])
    if games < seats or games % seats:
        raise MalformedError(
            "{given} games: each opening is played {seats} times, from all seats; the number "
            "of games must be a multiple of that",
            given=games,
            seats=seats,
        )
    rotations = [
        (opening, opening * len(lineups) + index, lineup[turn:] + lineup[:turn])
        for opening in range(games // seats)
        for index, lineup in enumerate(lineups)
        for turn in range(seats)
    ]
    return [
        Fixture(number, lineup, opening, group)
        for number, (opening, group, lineup) in enumerate(rotations, start=1)
    ]
