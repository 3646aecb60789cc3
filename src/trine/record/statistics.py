"""Figures about many games: how they end, who wins, and how long they take."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trine.core.contract.outcome import Outcome, Reason
from trine.core.contract.record import Record
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.record.replay import replay


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

    @property
    def over(self) -> int:
        """The number of games with a result."""
        return len(self.turns)

    def add(self, outcome: Outcome | None, turns: int) -> None:
        """Count a game."""
        if outcome is None:
            self.unfinished += 1
            return
        self.reasons[outcome.reason] += 1
        self.first.append(0.5 if outcome.winner is None else float(outcome.winner == 0))
        self.turns.append(turns)


def mean(values: list[float]) -> tuple[float, float]:
    """Return the mean of some values, and its error, two standard deviations.

    >>> mean([1.0, 0.0, 1.0, 0.0])
    (0.5, 0.5)
    """
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / len(values)
    return middle, 2 * math.sqrt(variance / len(values))


def count(
    records: Iterable[Record], by: By, refused: Callable[[TrineError], None]
) -> Mapping[tuple[str, str], Games]:
    """Return the figures of games by game and group, in alphabetical order.

    Args: ``refused`` is called for a record that is not legal, which is not counted.
    """
    found: defaultdict[tuple[str, str], Games] = defaultdict(Games)
    for record in records:
        try:
            play = replay(record)
        except TrineError as error:
            refused(error)
            continue
        for group in _groups(record, play, by):
            found[play.room.name, group].add(play.outcome, len(play.turns))
    return dict(sorted(found.items()))


def _groups(record: Record, play: Play, by: By) -> Iterable[str]:
    if by is By.RULES:
        return [play.position.rules.name]
    if by is By.YEAR:
        return [record.tags.get("Date", "")[:4]]
    return {name for seat in play.position.seats if (name := record.tags.get(seat.tag, ""))}
