"""The analysis for people: the squares where each player could complete a row."""

from dataclasses import dataclass

from trine.core.contract.insight import Threat
from trine.core.text.sentence import Text, text
from trine_games.three.board import EMPTY, LETTERS, LINES, NAMES, SEATS
from trine_games.three.position import Position


def completing(position: Position, player: int) -> list[str]:
    """Return the squares that would make three in a row for a player.

    >>> completing(Position("xx.oo...."), 0)
    ['c1']
    """
    found = set()
    for line in LINES:
        letters = [position.board[square] for square in line]
        if letters.count(LETTERS[player]) == 2 and EMPTY in letters:
            found.add(NAMES[line[letters.index(EMPTY)]])
    return sorted(found)


@dataclass(frozen=True)
class Insight:
    position: Position

    def marks(self) -> dict[str, frozenset[str]]:
        """Return the squares where a player could win."""
        return {threat.what: frozenset({"goal"}) for threat in self.list_threats()}

    def sentences(self) -> list[Text]:
        return [threat.text for threat in self.list_threats()]

    def list_threats(self) -> list[Threat]:
        """Return the winning squares of each player."""
        told = "{player} could win with {cell}"
        return [
            Threat(player, "line", cell, text(told, player=seat.name, cell=cell))
            for player, seat in enumerate(SEATS)
            for cell in completing(self.position, player)
        ]
