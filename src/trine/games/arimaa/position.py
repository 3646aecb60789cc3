"""A position of Arimaa: the referee, and the reasons that it gives in words."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.position import Checked
from trine.core.history import FIRST_STANDING, History
from trine.core.text.sentence import Text
from trine.games.arimaa import reasons
from trine.games.arimaa.referee import Referee
from trine.games.arimaa.rules import Action, End


@dataclass(frozen=True, slots=True)
class Position(Referee, Checked):
    """A position as the floors above see it: the referee, who can say why.

    >>> from trine.games.arimaa.rules import END, RULE_SETS
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> print(start.why_not(END))
    16 pieces are still to be placed: EMHHDDCCRRRRRRRR
    """

    def why_not(self, action: Action, history: History = FIRST_STANDING) -> Text | None:
        """Return the rule that forbids an action, in words; None if the action is legal."""
        return reasons.why_not(self, action, history)

    def warning(self, action: Action, history: History = FIRST_STANDING) -> Text | None:
        """Return how a legal end of the turn would end the play without a win; else None.

        All other actions give None: only the end of a turn can lose, for no step is judged before
        it.
        """
        if not isinstance(action, End) or self.hands:
            return None
        after, ahead = self._after_end(), history.copy()
        ahead.add(after.key)
        outcome = after.outcome(ahead)
        if outcome is None or outcome.winner == self.mover:
            return None
        return reasons.ending_told(self, outcome)
