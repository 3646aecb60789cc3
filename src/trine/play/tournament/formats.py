"""The next games of a tournament in every format, and whether it is over.

The round robin and the Swiss format are here; the others have modules of their own.
"""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from trine.core.errors import IllegalError
from trine.play.tournament import arena, challenge, knockout
from trine.play.tournament.tournament import (
    LOSS,
    MAX_PARTICIPANTS,
    WIN,
    Pairing,
    Participant,
    Tournament,
    TournamentFormat,
    bye,
)


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
    return _FORMATS[tournament.plan.format][0](tournament)


def over(tournament: Tournament, minutes: float = 0.0) -> bool:
    """Return whether a tournament has ended; an arena ends after its minutes and its last game."""
    if tournament.plan.format is TournamentFormat.ARENA:
        return minutes >= tournament.plan.minutes and not tournament.running
    return _FORMATS[tournament.plan.format][1](tournament)


def _round_robin_length(tournament: Tournament) -> int:
    return len(berger(len(tournament.participants))) * tournament.plan.games


def pair_round_robin(tournament: Tournament) -> list[Pairing]:
    """Return the games that can begin now, by Berger tables (FIDE Handbook, C.05 Annex 1)."""
    last, so_far = _round_robin_length(tournament), tournament.round
    if tournament.plan.at_once and not so_far:
        return [pairing for number in range(1, last + 1) for pairing in _round(tournament, number)]
    return [] if tournament.running or so_far == last else _round(tournament, so_far + 1)


def is_round_robin_over(tournament: Tournament) -> bool:
    return tournament.round == _round_robin_length(tournament) and not tournament.running


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


def pair_swiss(tournament: Tournament) -> list[Pairing]:
    """Return the games of the next round if the previous one is over; raises `IllegalError`.

    Pairings follow the Dutch system (FIDE Handbook, C.04.3), by a library that is tested against a
    program endorsed by FIDE: participants with equal points meet, no pair twice, and colours are
    balanced.
    """
    if tournament.running or is_swiss_over(tournament):
        return []
    from caissify_pairings import (
        generate_pairings,  # importing it and networkx takes a third of a second
    )

    number = tournament.round + 1
    met = {
        (min(one.seats), max(one.seats))
        for one in tournament.pairings
        if not one.bye and one.played
    }
    tables = generate_pairings(
        system="dutch",
        players=[_history(tournament, one) for one in tournament.staying],
        previous_pairings=met,
        round_number=number,
        total_rounds=tournament.plan.rounds,
    )
    resting = sum(table["black_id"] is None for table in tables)
    if resting > len(tournament.staying) % 2:
        raise IllegalError("round {number} cannot be paired: everybody has met", number=number)
    return [
        bye(number, table["white_id"])
        if table["black_id"] is None
        else Pairing(number, (table["white_id"], table["black_id"]))
        for table in tables
    ]


def is_swiss_over(tournament: Tournament) -> bool:
    if tournament.running:
        return False
    return tournament.round >= tournament.plan.rounds or len(tournament.staying) < 2


def _history(tournament: Tournament, participant: Participant) -> dict[str, Any]:
    number = participant.number
    rounds = {pairing.round: pairing for pairing in tournament.of(number)}
    colours, floats, byes, forfeits = [], [], 0, 0
    for turn in range(1, tournament.round + 1):
        pairing = rounds.get(turn)
        opponent = pairing.opponent(number) if pairing else None
        if pairing and opponent and pairing.played:
            colours.append("white" if pairing.seats[0] == number else "black")
        else:
            colours.append("none")
            byes += bool(pairing and pairing.bye)
            forfeits += bool(pairing and opponent and pairing.score(number))
        floats.append(_float(tournament, turn, number, opponent))
    return {
        "id": number,
        "name": participant.name,
        "score": tournament.score(number),
        "rating": round(participant.rating),
        "starting_number": number,
        "color_hist": colours,
        "float_history": floats,
        "bye_count": byes,
        "forfeit_win_count": forfeits,
    }


def _float(tournament: Tournament, turn: int, number: int, opponent: int | None) -> str:
    """Return ``up`` if a round's opponent had more points before the round, ``down`` if fewer."""
    if opponent is None:
        return "none"
    own, other = (_before(tournament, turn, player) for player in (number, opponent))
    return "none" if own == other else "down" if own > other else "up"


def _before(tournament: Tournament, turn: int, number: int) -> float:
    return sum(pairing.score(number) for pairing in tournament.of(number) if pairing.round < turn)


_FORMATS: Final[
    Mapping[
        TournamentFormat, tuple[Callable[[Tournament], list[Pairing]], Callable[[Tournament], bool]]
    ]
] = {
    TournamentFormat.ROUND_ROBIN: (pair_round_robin, is_round_robin_over),
    TournamentFormat.SWISS: (pair_swiss, is_swiss_over),
    TournamentFormat.KNOCKOUT: (knockout.pair, knockout.over),
    TournamentFormat.CHALLENGE: (challenge.pair, challenge.over),
}
"""By format, the functions for the next games, and for whether the tournament is over."""
