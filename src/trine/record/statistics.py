"""Figures about many games: how they end, who wins, how long they take, how much can be chosen."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from trine.core.contract import Room
from trine.core.contract.outcome import Outcome, Reason
from trine.core.contract.position import Position
from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.record.replay import replay
from trine.record.time_notes import read_time_mark

TOLD: Final[Mapping[tuple[str, str], Mapping[Reason, int]]] = {
    ("arimaa", "classic"): {Reason.GOAL: 1653, Reason.IMMOBILIZATION: 38, Reason.REPETITION: 4},
}
"""How rated games of people had ended until December 2006, none of them drawn, by game and rule
set. Source: the French document."""

CountChoices = Callable[[Room, Position], int]
"""A function of a room that counts the legal turns of a position."""


class By(StrEnum):
    """The key by which games are grouped."""

    RULES = "rules"
    PLAYERS = "players"
    YEAR = "year"


@dataclass
class Games:
    """The figures of a group of games."""

    unfinished: int = 0
    reasons: Counter[Reason] = field(default_factory=Counter)
    first: list[float] = field(default_factory=list)
    """The scores of those who moved first: 1 a win, 0.5 a draw, 0 a loss."""
    turns: list[int] = field(default_factory=list)
    """The numbers of turns of the games that were played to an end, by all players together."""
    seconds: list[float] = field(default_factory=list)
    """Units: seconds; the times of the turns whose records tell them."""
    choices: list[int] = field(default_factory=list)
    """The numbers of legal turns of the positions in which a turn was played, if counted."""

    @property
    def over(self) -> int:
        """The number of games with a result."""
        return len(self.turns)

    def add(self, outcome: Outcome | None, turns: int, games: int = 1) -> None:
        """Count some games that ended alike after as many turns; None is no end."""
        if outcome is None:
            self.unfinished += games
            return
        self.reasons[outcome.reason] += games
        self.first += [0.5 if outcome.winner is None else float(outcome.winner == 0)] * games
        self.turns += [turns] * games


def mean(values: list[float]) -> tuple[float, float]:
    """Return the mean of some values, and its error, two standard deviations.

    >>> mean([1.0, 0.0, 1.0, 0.0])
    (0.5, 0.5)
    """
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / len(values)
    return middle, 2 * math.sqrt(variance / len(values))


def count(
    records: Iterable[Record],
    by: By,
    refused: Callable[[TrineError], None],
    choices: CountChoices | None = None,
) -> Mapping[tuple[str, str], Games]:
    """Return the figures of games by game and group, in alphabetical order.

    Args: ``refused`` is called for a record that is not legal, which is not counted; ``choices``
    counts the legal turns before each turn but those that set up a whole side.
    """
    found: defaultdict[tuple[str, str], Games] = defaultdict(Games)
    for record in records:
        seconds: list[float] = []
        before: list[Position] = []

        def note(
            turn: WrittenTurn,
            position: Position,
            after: Position,
            seconds: list[float] = seconds,
            before: list[Position] = before,
        ) -> None:
            if after is not position:  # else somebody resigned
                before.append(position)
            marks = map(read_time_mark, turn.comments)
            seconds += [mark.spent for mark in marks if mark and mark.kind == "used"]

        try:
            play = replay(record, on_turn=note)
        except TrineError as error:
            refused(error)
            continue
        room = play.room
        many = [choices(room, one) for one in before if choices and not room.sets_up_whole(one)]
        for group in _groups(record, play, by):
            games = found[room.name, group]
            games.add(play.outcome, len(play.turns))
            games.seconds += seconds
            games.choices += many
    return dict(sorted(found.items()))


def _groups(record: Record, play: Play, by: By) -> Iterable[str]:
    if by is By.RULES:
        return [play.position.rules.name]
    if by is By.YEAR:
        return [record.tags.get("Date", "")[:4]]
    return {name for seat in play.position.seats if (name := record.tags.get(seat.tag, ""))}
