"""The plan of a tournament: its format and length."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, text

MAX_PARTICIPANTS: Final = 512
MAX_ROUNDS: Final = 30
MAX_GAMES: Final = 20
"""Units: games between two participants."""
MAX_MINUTES: Final = 24 * 60


class TournamentFormat(StrEnum):
    """The formats of tournaments: rules for pairing the participants."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    ARENA = "arena"
    CHALLENGE = "challenge"


@dataclass(frozen=True)
class Plan:
    """The plan of a tournament.

    >>> Plan(TournamentFormat.SWISS, rounds=5).rounds
    5
    >>> Plan(TournamentFormat.CHALLENGE, games=3, wins=4)
    Traceback (most recent call last):
        ...
    trine.core.errors.MalformedError: 4 wins of 3 games; it must be from 1 to 3
    """

    format: TournamentFormat
    rounds: int = 5
    """Swiss: the number of rounds."""
    games: int = 1
    """The games between two participants: exactly this number in a round robin or a Challenge; in a
    knock-out match more, if it is tied."""
    minutes: int = 60
    """Arena: the duration in minutes."""
    wins: int = 2
    """Challenge: the games that the challenger must win against each defender."""
    at_once: bool = False
    """Round robin: whether all games begin at once, as suits correspondence."""
    handicaps: tuple[tuple[str, ...], ...] = ()
    """Challenge: for each defender, the pieces left out in each game; a single list is for all."""

    def __post_init__(self) -> None:
        _check(self.rounds, 1, MAX_ROUNDS, text("{given} rounds", given=self.rounds))
        _check(self.games, 1, MAX_GAMES, text("{given} games", given=self.games))
        _check(self.minutes, 1, MAX_MINUTES, text("{given} minutes", given=self.minutes))
        if self.format is TournamentFormat.CHALLENGE:
            described = text("{wins} wins of {games} games", wins=self.wins, games=self.games)
            _check(self.wins, 1, self.games, described)
            for pieces in self.handicaps:
                if len(pieces) > self.games:
                    raise MalformedError(
                        "handicaps for {count} games; a defender plays {games}",
                        count=len(pieces),
                        games=self.games,
                    )

    def check_defenders(self, count: int) -> None:
        """Raise `IllegalError` if there are more lists of handicaps than defenders."""
        if len(self.handicaps) > max(1, count):
            raise IllegalError(
                "{lists} lists of handicaps; there are {count} defenders",
                lists=len(self.handicaps),
                count=count,
            )


def _check(value: int, least: int, most: int, described: Text) -> None:
    if not least <= value <= most:
        raise MalformedError(
            "{given}; it must be from {least} to {most}", given=described, least=least, most=most
        )
