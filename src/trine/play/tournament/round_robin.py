"""The round-robin format, by Berger tables (FIDE Handbook, C.05 Annex 1)."""

from __future__ import annotations

from functools import lru_cache

from trine.play.tournament.pairing import LOSS, WIN, Pairing, bye
from trine.play.tournament.tournament import Tournament


def length(tournament: Tournament) -> int:
    return len(berger(len(tournament.participants))) * tournament.plan.games


def pair(tournament: Tournament) -> list[Pairing]:
    last, so_far = length(tournament), tournament.round
    if tournament.plan.at_once and not so_far:
        return [pairing for number in range(1, last + 1) for pairing in _round(tournament, number)]
    return [] if tournament.running or so_far == last else _round(tournament, so_far + 1)


def over(tournament: Tournament) -> bool:
    return tournament.round == length(tournament) and not tournament.running


def _round(tournament: Tournament, number: int) -> list[Pairing]:
    rounds = berger(len(tournament.participants))
    cycle, index = divmod(number - 1, len(rounds))
    pairings = []
    for seats in rounds[index]:
        withdrawn = [tournament.participant(seat).withdrawn for seat in seats]
        if len(seats) == 1:
            pairings.append(bye(number, seats[0], LOSS))  # all have one bye, so it gives no points
        elif any(withdrawn):
            points = tuple(LOSS if away else WIN for away in withdrawn)
            pairings.append(Pairing(number, seats, points, played=False))
        else:
            pairings.append(Pairing(number, seats if cycle % 2 == 0 else seats[::-1]))
    return pairings


@lru_cache(maxsize=64)
def berger(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the rounds of a round robin: pairs in turn order, and a single number for a bye.

    >>> berger(3)
    (((2, 3), (1,)), ((1, 2), (3,)), ((3, 1), (2,)))
    """
    last = count + count % 2  # the fixed place of the circle method; the bye, if the count is odd
    turning = last - 1
    rounds = []
    for number in range(turning):
        # Each round begins half the circle further on; the other pairs lie across it.
        first = number * (last // 2) % turning
        top = (first + 1, last) if number % 2 == 0 else (last, first + 1)
        across = [
            ((first + step) % turning + 1, (first - step) % turning + 1)
            for step in range(1, last // 2)
        ]
        met = (tuple(seat for seat in two if seat <= count) for two in [top, *across])
        rounds.append(tuple(sorted(met, key=lambda seats: (len(seats) == 1, min(seats)))))
    return tuple(rounds)
