"""The arena: for a limited time, free participants are paired again at once.

A win is worth 2 points, a draw 1; after two wins in a row every further game counts twice, until
one is not won.
"""

from __future__ import annotations

from collections.abc import Collection

from trine.play.tournament.pairing import WIN, Pairing
from trine.play.tournament.tournament import Tournament

STREAK = 2
"""The number of wins in a row after which games count twice."""


def points(tournament: Tournament, number: int) -> list[int]:
    """Return the points of each finished game of a participant, in order."""
    counted, row = [], 0
    for pairing in tournament.of(number):
        if pairing.open:
            continue
        score = pairing.score(number)
        counted.append(round(2 * score) * (2 if row >= STREAK else 1))
        row = row + 1 if score == WIN else 0
    return counted


def pair(
    tournament: Tournament, waiting: Collection[int], apart: Collection[frozenset[int]] = ()
) -> list[Pairing]:
    """Return the games of the waiting, neighbours in the table first.

    Nobody meets the opponent of the game before, unless only those two wait; ``apart`` never meet.
    """
    strength = {number: sum(points(tournament, number)) for number in waiting}
    line = sorted(waiting, key=lambda number: (-strength[number], number))
    pairings, number = [], tournament.round + 1
    while len(line) > 1:
        one = line.pop(0)
        last = _last_opponent(tournament, one)
        may = [n for n in line if frozenset((one, n)) not in apart]
        fresh = (n for n in may if n != last and _last_opponent(tournament, n) != one)
        other = next(fresh, may[0] if may and len(waiting) == 2 else None)
        if other is not None:
            line.remove(other)
            pairings.append(Pairing(number, _seats(tournament, one, other)))
    return pairings


def _last_opponent(tournament: Tournament, number: int) -> int | None:
    games = list(tournament.of(number))
    return games[-1].opponent(number) if games else None


def _seats(tournament: Tournament, one: int, other: int) -> tuple[int, int]:
    """Give the first turn to the one who has begun less often, or else did not begin last."""
    firsts = {
        number: [game.seats[0] == number for game in tournament.of(number)]
        for number in (one, other)
    }
    keys = {
        number: (2 * sum(begun) - len(begun), begun[-1:] == [True])
        for number, begun in firsts.items()
    }
    return (one, other) if keys[one] <= keys[other] else (other, one)
