"""The insight for a person: where each side could complete a row; and what a turn brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trine.core.contract import Effect, Threat
from trine.core.text.sentence import Text, text
from trine_games.three.board import EMPTY, LETTERS, LINES, NAMES, SEATS
from trine_games.three.position import Position
from trine_games.three.rules import Mark


def completing(position: Position, player: int) -> list[int]:
    """The squares that would make three in a row for a player.

    >>> completing(Position("xx.oo...."), 0)
    [2]
    """
    found = set()
    for line in LINES:
        letters = [position.board[square] for square in line]
        if letters.count(LETTERS[player]) == 2 and EMPTY in letters:
            found.add(line[letters.index(EMPTY)])
    return sorted(found)


@dataclass(frozen=True)
class Insight:
    """All there is to see in a position."""

    position: Position

    def marks(self) -> dict[str, frozenset[str]]:
        """The squares where somebody could win."""
        squares = {square for player in (0, 1) for square in completing(self.position, player)}
        return {NAMES[square]: frozenset({"goal"}) for square in squares}

    def sentences(self) -> list[Text]:
        """The threats in words."""
        return [threat.told for threat in self.threats_told()]

    def threats_told(self) -> list[Threat]:
        """The squares that would win, for each side."""
        return [
            Threat(
                player,
                "line",
                NAMES[square],
                text(
                    "{player} could win with {cell}", player=SEATS[player].name, cell=NAMES[square]
                ),
            )
            for player in (0, 1)
            for square in completing(self.position, player)
        ]

    def as_data(self) -> dict[str, Any]:
        """Everything as data."""
        return {
            seat.tag.lower(): [NAMES[square] for square in completing(self.position, player)]
            for player, seat in enumerate(SEATS)
        }


def effects(position: Position, actions: Sequence[Mark]) -> list[Effect]:
    """Whether a mark keeps the other side from a row."""
    return [
        Effect("lines", text("keeps {player} from a row", player=SEATS[1 - position.mover].name))
        for action in actions
        if action.square in completing(position, 1 - position.mover)
    ]
