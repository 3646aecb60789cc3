"""The round robin, by the tables of Berger (FIDE Handbook, C.05 Annex 1)."""

from __future__ import annotations

from functools import lru_cache

from trine.tournament.pairing import LOSS, WIN, Pairing, rest
from trine.tournament.tournament import Tournament


def length(tournament: Tournament) -> int:
    """Return the number of rounds."""
    return len(berger(len(tournament.participants))) * tournament.plan.games


def pair(tournament: Tournament) -> list[Pairing]:
    """Return the games that can begin now."""
    last, so_far = length(tournament), tournament.round
    if tournament.plan.at_once and not so_far:
        return [one for number in range(1, last + 1) for one in _round(tournament, number)]
    return [] if tournament.running or so_far == last else _round(tournament, so_far + 1)


def over(tournament: Tournament) -> bool:
    """Return whether all games have been played."""
    return tournament.round == length(tournament) and not tournament.running


def _round(tournament: Tournament, number: int) -> list[Pairing]:
    rounds = berger(len(tournament.participants))
    cycle, index = divmod(number - 1, len(rounds))
    pairings = []
    for seats in rounds[index]:
        gone = [tournament.participant(seat).withdrawn for seat in seats]
        if len(seats) == 1:
            pairings.append(rest(number, seats[0], LOSS))  # everybody rests once, so for nothing
        elif any(gone):
            points = tuple(LOSS if away else WIN for away in gone)
            pairings.append(Pairing(number, seats, points, played=False))
        else:
            pairings.append(Pairing(number, seats if cycle % 2 == 0 else seats[::-1]))
    return pairings


@lru_cache(maxsize=64)
def berger(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the rounds of a round robin: numbers in turn order; a single number has a bye.

    >>> berger(3)
    (((2, 3), (1,)), ((1, 2), (3,)), ((3, 1), (2,)))
    """
    from caissify_pairings import generate_pairings  # with networkx, a third of a second

    numbers = range(1, count + 1)
    players = [{"id": number, "starting_number": number} for number in numbers]
    rounds = []
    for number in range(1, count + count % 2):
        tables = generate_pairings(
            system="round_robin",
            players=players,
            previous_pairings=set(),
            round_number=number,
            total_rounds=count + count % 2 - 1,
        )
        seats = [(table["white_id"], table["black_id"]) for table in tables]
        rounds.append(tuple(tuple(seat for seat in pair if seat) for pair in seats))
    return tuple(rounds)
