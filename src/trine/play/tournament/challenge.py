"""The Challenge format: a program plays against people who defend their game.

The first participant is the challenger, the others are defenders. Each defender plays the same
number of games against the challenger, with seats swapped from game to game, and may leave out
pieces in some. The challenger must win a given number against *each* defender: since the third
Arimaa Challenge, two games of three against each of three people.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from trine.core.text.sentence import Text, join, text, typed, verbatim
from trine.play.tournament.tournament import WIN, Pairing, Plan, Tournament

CHALLENGER: Final = 1
HANDICAP: Final = "Handicap"
"""The option of a game for leaving out pieces at the start; only some games have it."""


class PrizeVerdict(StrEnum):
    """Whether the condition of the prize is met."""

    OPEN = "open"
    MET = "met"
    FAILED = "failed"


def wins(tournament: Tournament, defender: int) -> int:
    games = tournament.between(CHALLENGER, defender)
    return sum(game.score(CHALLENGER) == WIN for game in games)


def left(tournament: Tournament, defender: int) -> int:
    running = sum(game.open for game in tournament.between(CHALLENGER, defender))
    if any(tournament.participant(number).withdrawn for number in (CHALLENGER, defender)):
        return running
    finished = sum(not game.open for game in tournament.between(CHALLENGER, defender))
    return tournament.plan.games - finished


def verdict(tournament: Tournament) -> PrizeVerdict:
    """Return whether the prize condition is met, can no longer be met, or is undecided."""
    plan = tournament.plan
    results = [
        (wins(tournament, defender.number), left(tournament, defender.number))
        for defender in tournament.participants[1:]
    ]
    if any(won + games < plan.wins for won, games in results):
        return PrizeVerdict.FAILED
    return PrizeVerdict.MET if all(won >= plan.wins for won, _ in results) else PrizeVerdict.OPEN


def handicap(tournament: Tournament, pairing: Pairing) -> str:
    """Return the pieces that the defender leaves out in a game; empty if none."""
    return handicap_in_game(tournament.plan, max(pairing.seats) - 2, pairing.round - 1)


def handicap_in_game(plan: Plan, defender: int, game: int) -> str:
    """Return the pieces a defender leaves out in a game, empty if none; both count from 0.

    >>> from trine.play.tournament.tournament import TournamentFormat as Format
    >>> plan = Plan(Format.CHALLENGE, games=3, handicaps=(("dog", "horse", "camel"), ("", "cat")))
    >>> handicap_in_game(plan, 0, 2), handicap_in_game(plan, 1, 1), handicap_in_game(plan, 2, 0)
    ('camel', 'cat', '')
    """
    lists = plan.handicaps if len(plan.handicaps) != 1 else plan.handicaps * (defender + 1)
    handicaps = lists[defender] if defender < len(lists) else ()
    return handicaps[game] if game < len(handicaps) else ""


def handicaps_text(name: str, pieces_by_game: Sequence[str]) -> Text:
    """Return a sentence on the pieces that a defender leaves out in each game.

    >>> str(handicaps_text("Anna", ["dog", "", "camel,cat"]))
    'Anna leaves out, game by game: dog; –; camel, cat'
    """
    games = [pieces_text(pieces) for pieces in pieces_by_game]
    return text("{name} leaves out, game by game: {games}", name=name, games=join(games, "; "))


def pieces_text(pieces: str) -> Text:
    """Return the pieces of a handicap as a list in words; a dash for none."""
    return join([typed(piece) for piece in pieces.split(",")]) if pieces else verbatim("–")


def handicap_options(pieces: str, side: str) -> dict[str, str]:
    """Return the game options for leaving out the pieces of a handicap, at the seat ``side``.

    >>> handicap_options("camel,dog", "Gold"), handicap_options("", "Gold")
    ({'Handicap': 'gold:camel,dog'}, {})
    """
    return {HANDICAP: f"{side.lower()}:{pieces}"} if pieces else {}


def waits_for_substitute(tournament: Tournament, number: int) -> bool:
    """Return whether a substitute can play the remaining games of a defender who withdraws."""
    begun = tournament.between(CHALLENGER, number)
    challenged = number != CHALLENGER and not tournament.participant(CHALLENGER).withdrawn
    return challenged and len(begun) < tournament.plan.games


def begins(defender: int, game: int) -> bool:
    """Return whether the challenger moves first in a game, counted from 0.

    The first move alternates, and every second defender begins with the other seat.
    """
    return (game + defender) % 2 == 0


def pair(tournament: Tournament) -> list[Pairing]:
    """Return the games that can begin now, at most one against each defender."""
    pairings = []
    for defender in tournament.participants[1:]:
        games = tournament.between(CHALLENGER, defender.number)
        if len(games) == tournament.plan.games or any(game.open for game in games):
            continue
        if defender.withdrawn or tournament.participant(CHALLENGER).withdrawn:
            continue
        first = begins(defender.number, len(games))
        seats = (CHALLENGER, defender.number) if first else (defender.number, CHALLENGER)
        pairings.append(Pairing(len(games) + 1, seats))
    return pairings


def over(tournament: Tournament) -> bool:
    return not tournament.running and not pair(tournament)
