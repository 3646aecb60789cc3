"""Knock-out: the winner of each match advances, the loser is out.

The stronger half of a bracket meets the weaker half, so that the first two can meet in the last
match only; where participants are missing for a full bracket, the strongest rest in the first
round. A match that stands even after its games goes on, a game at a time with the seats swapped;
when that has not decided it either, the one with the lower number goes on.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from trine.play.tournament.pairing import Pairing
from trine.play.tournament.tournament import Tournament

MAX_EXTRA_GAMES: Final = 4
"""The games that a match may have beyond its usual number."""
TO_COME: Final = 0
"""A placeholder for a participant who is not known yet."""
Side: TypeAlias = int | None
"""A participant of a match: a number, `TO_COME`, or None for an empty place."""


def seeds(size: int) -> list[int]:
    """Return the participants of a bracket from top to bottom; neighbours meet.

    >>> seeds(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [number for one in order for number in (one, total - one)]
    return order


def bracket(tournament: Tournament) -> list[list[tuple[Side, Side]]]:
    """Return the matches of each round, from top to bottom."""
    count = len(tournament.participants)
    size = 1 << (count - 1).bit_length()
    line: list[Side] = [number if number <= count else None for number in seeds(size)]
    rounds = []
    while len(line) > 1:
        matches = list(zip(line[::2], line[1::2], strict=True))
        rounds.append(matches)
        line = [_winner(tournament, *match) for match in matches]
    return rounds


def winner(tournament: Tournament) -> int:
    return _winner(tournament, *bracket(tournament)[-1][0]) or TO_COME


def pair(tournament: Tournament) -> list[Pairing]:
    """Return the games that can begin now; matches of a round do not wait for each other."""
    pairings = []
    for number, matches in enumerate(bracket(tournament), start=1):
        for one, other in matches:
            if not one or not other or _winner(tournament, one, other):
                continue
            games = tournament.between(one, other)
            if not any(game.open for game in games):
                seats = (one, other) if len(games) % 2 == 0 else (other, one)
                pairings.append(Pairing(number, seats))
    return pairings


def over(tournament: Tournament) -> bool:
    return winner(tournament) != TO_COME


def _winner(tournament: Tournament, one: Side, other: Side) -> Side:
    if one is None or other is None:
        return other if one is None else one
    if TO_COME in (one, other):
        return TO_COME
    games = tournament.between(one, other)
    if any(game.open for game in games):
        return TO_COME
    lead = sum(game.score(one) - game.score(other) for game in games)
    missing = tournament.plan.games - len(games)
    if abs(lead) > max(missing, 0):
        return one if lead > 0 else other
    gone, other_gone = (tournament.participant(number).withdrawn for number in (one, other))
    if gone or other_gone:
        return other if gone and not other_gone else one
    return min(one, other) if missing <= -MAX_EXTRA_GAMES else TO_COME
