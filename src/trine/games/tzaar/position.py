"""A position of TZAAR: the referee, plus reasons in words."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.position import NO_HISTORY, Checked, History
from trine.core.text.sentence import Text, text
from trine.games.tzaar import reasons
from trine.games.tzaar.board import piece_name
from trine.games.tzaar.referee import Referee
from trine.games.tzaar.rules import Action, Stacking


@dataclass(frozen=True, slots=True)
class Position(Referee, Checked):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.tzaar.rules import PASS, RULE_SETS
    >>> start = Position.before_placement(RULE_SETS["official"])
    >>> print(start.why_not(PASS))
    the board is filled first; place a piece, such as Zc3
    """

    def why_not(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        return reasons.why_not(self, action)

    def warning(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        """Return a warning if a legal stacking would hide the last piece of a kind, and so lose."""
        if not isinstance(action, Stacking):
            return None
        covered = self.tops[action.target]
        if self.tops.count(covered) > 1:
            return None
        return text(
            "{action} covers your last {piece} in sight: you would lose at once",
            action=str(action),
            piece=piece_name(covered),
        )
