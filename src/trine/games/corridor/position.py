"""A position of Corridor: the referee, and the reasons that it gives in words."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.position import NO_HISTORY, Checked, History
from trine.core.text.sentence import Text, text
from trine.games.corridor import reasons
from trine.games.corridor.board import MAX_SEARCHED_SIZE
from trine.games.corridor.referee import Referee
from trine.games.corridor.rules import Action, Wall


@dataclass(frozen=True)
class Position(Referee, Checked):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.corridor.rules import PASS, RULE_SETS
    >>> start = Position.first(RULE_SETS["quoridor"])
    >>> print(start.why_not(PASS))
    you can pass only if nothing else is legal; d1 is
    """

    def why_not(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        return reasons.why_not(self, action, history)

    def wall_refusal(self, wall: Wall) -> Text | None:
        """Return why the player to move cannot place a wall, or None, even if the play is over."""
        return reasons.wall_refusal(self, wall)

    def warning(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        """Return a warning if a legal action is a wall that traps the own pawn, or all pawns."""
        if self.rules.walls_may_trap and isinstance(action, Wall):
            return reasons.warning(self, action)
        return None


def unsearched(position: Position) -> Text | None:
    """Return why compiled code cannot search a position, or None.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> print(unsearched(Position.first(RULE_SETS["quoridor"], 12)))
    the engine plays and analyses on boards up to 11 squares wide; this one has 12
    """
    if position.size <= MAX_SEARCHED_SIZE:
        return None
    return text(
        "the engine plays and analyses on boards up to {most} squares wide; this one has {size}",
        most=MAX_SEARCHED_SIZE,
        size=position.size,
    )
