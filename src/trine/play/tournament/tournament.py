"""A tournament as an immutable value: its plan, its participants, and the games between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, text

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Participant:
    """A participant; numbers begin at 1, in the order of strength at the start."""

    number: int
    name: str
    rating: float = 1500.0
    withdrawn: bool = False  # whether the participant gets no further games


@dataclass(frozen=True)
class Pairing:
    """A game between two participants, or a bye.

    >>> Pairing(1, (1, 2), (1.0, 0.0)).score(2)
    0.0
    >>> Pairing(1, (3,), (1.0,), played=False).bye
    True
    """

    round: int
    seats: tuple[int, ...]  # the numbers of the participants in turn order; only one for a bye
    points: tuple[float, ...] | None = None
    """The points of each participant; None while the game is being played."""
    played: bool = True  # whether the points were won in a game, not by a bye or a forfeit

    @property
    def bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def open(self) -> bool:
        return self.points is None

    def score(self, number: int) -> float:
        """Return the points of a participant; 0 while the game is being played."""
        return self.points[self.seats.index(number)] if self.points else 0.0

    def opponent(self, number: int) -> int | None:
        return next((seat for seat in self.seats if seat != number), None)


def bye(round_number: int, number: int, points: float = WIN) -> Pairing:
    return Pairing(round_number, (number,), (points,), played=False)


MAX_PARTICIPANTS: Final = 512
MAX_ROUNDS: Final = 30
MAX_GAMES: Final = 20  # games between two participants
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
    rounds: int = 5  # swiss: the number of rounds
    games: int = 1
    """The games between two participants: exactly this number in a round robin or a Challenge; in a
    knock-out match more, if it is tied."""
    minutes: int = 60  # arena: the duration in minutes
    wins: int = 2  # challenge: the games that the challenger must win against each defender
    at_once: bool = False  # round robin: whether all games begin at once, as suits correspondence
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


@dataclass(frozen=True)
class Tournament:
    """The plan, the participants and the pairings so far of a tournament."""

    plan: Plan
    participants: tuple[Participant, ...]
    """The participants in the order of their numbers, the strongest first."""
    pairings: tuple[Pairing, ...] = ()

    @cached_property
    def round(self) -> int:
        """The number of the newest round; 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @cached_property
    def running(self) -> tuple[Pairing, ...]:
        return tuple(pairing for pairing in self.pairings if pairing.open)

    @cached_property
    def staying(self) -> tuple[Participant, ...]:
        return tuple(participant for participant in self.participants if not participant.withdrawn)

    def participant(self, number: int) -> Participant:
        return self.participants[number - 1]

    def of(self, number: int) -> Iterator[Pairing]:
        return (pairing for pairing in self.pairings if number in pairing.seats)

    def between(self, first: int, second: int) -> list[Pairing]:
        return [pairing for pairing in self.of(first) if second in pairing.seats]

    def score(self, number: int) -> float:
        return sum(pairing.score(number) for pairing in self.of(number))
