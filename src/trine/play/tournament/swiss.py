"""The Swiss format: participants with equal points meet, no pair twice, and colours are balanced.

Pairings follow the Dutch system (FIDE Handbook, C.04.3), by a library that is tested against a
program endorsed by FIDE.
"""

from __future__ import annotations

from typing import Any

from trine.core.errors import IllegalError
from trine.play.tournament.pairing import Pairing, Participant, bye
from trine.play.tournament.tournament import Tournament


def pair(tournament: Tournament) -> list[Pairing]:
    """Return the games of the next round if the previous one is over; raises `IllegalError`."""
    if tournament.running or over(tournament):
        return []
    from caissify_pairings import generate_pairings  # with networkx, it takes a third of a second

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


def over(tournament: Tournament) -> bool:
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
