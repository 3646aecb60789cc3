"""The levels of bots, from 1, for beginners, to 10, the full strength.

Weaker bots err like people do: they look less far, and overlook some of what they and others can
do. What they see, they judge as well as the strong ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.core.words import quoted


@dataclass(frozen=True)
class Level:
    """How a bot of a level thinks."""

    nodes: int | None
    """Positions searched for a turn; None leaves that to the limits."""
    blind: int
    """Units: 1/1024; how many of all actions it overlooks, its own and those of others."""


LEVELS: Final = {
    1: Level(20, 640),
    2: Level(60, 500),
    3: Level(200, 380),
    4: Level(600, 280),
    5: Level(2_000, 190),
    6: Level(6_000, 120),
    7: Level(20_000, 60),
    8: Level(60_000, 20),
    9: Level(250_000, 0),
    10: Level(None, 0),
}
FULL: Final = 10


def parse_level(words: str) -> int:
    """Read the number of a level.

    Raises:
        MalformedError: there is no such level.

    >>> parse_level("7")
    7
    """
    if words not in map(str, LEVELS):
        raise MalformedError(
            text("no level {given}; the levels are 1 to {most}", given=quoted(words), most=FULL)
        )
    return int(words)
