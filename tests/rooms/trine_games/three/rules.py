"""The one rule set of three in a row, its one kind of action, and its laws."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from trine.core.contract.position import RuleSet
from trine.core.text.sentence import text
from trine_games.three.board import LINES, NAMES

PLAIN: Final = RuleSet(
    name="plain", source=text("as everybody plays it"), differs=text("three in a row win")
)
RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType({PLAIN.name: PLAIN})


@dataclass(frozen=True)
class Mark:
    """The player to move marks an empty square."""

    square: int

    def __str__(self) -> str:
        return NAMES[self.square]


def has_line(board: str, letter: str) -> bool:
    """Return whether three squares in a row have the same letter.

    >>> has_line("xxxoo....", "x"), has_line("xoxoo....", "x")
    (True, False)
    """
    return any(all(board[square] == letter for square in line) for line in LINES)
