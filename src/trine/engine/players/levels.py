"""The levels of bots, from 1, for beginners, to 10, full strength.

Weaker bots err as people do: they search less deeply, and overlook some actions of all players.
They evaluate positions as well as strong bots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from trine.core.contract import Heuristics
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted


@dataclass(frozen=True)
class Level:
    """The strength of a bot: the nodes of its search, and the actions that it overlooks."""

    nodes: int | None
    """Units: positions searched for a turn; None: the limits decide."""
    overlook_rate: int
    """Units: 1/1024; the share of actions that the bot overlooks, its own and its opponents'."""


# In each game each level beats the one below by 100 Elo or more, as docs/why/measuring.md shows.
LEVELS: Final = {
    1: Level(10, 830),
    2: Level(30, 680),
    3: Level(100, 540),
    4: Level(400, 400),
    5: Level(1_600, 300),
    6: Level(7_000, 180),
    7: Level(25_000, 80),
    8: Level(90_000, 20),
    9: Level(350_000, 0),
    10: Level(None, 0),
}
FULL: Final = 10


def level_of(heuristics: Heuristics, number: int) -> Level:
    """Return a level in a game, which can set its own overlook rate."""
    level = LEVELS[number]
    return replace(level, overlook_rate=heuristics.overlook_rates.get(number, level.overlook_rate))


def parse_level(words: str) -> int:
    """Read the number of a level.

    Raises:
        MalformedError: there is no such level.

    >>> parse_level("7")
    7
    """
    if words not in map(str, LEVELS):
        raise MalformedError(
            "no level {given}; the levels are 1 to {most}", given=quoted(words), most=FULL
        )
    return int(words)
