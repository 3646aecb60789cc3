"""The end of a play: its winner, if any, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trine.core.text.sentence import Text, ctext


class Reason(StrEnum):
    """The reason why a play is over; records contain the values."""

    GOAL = "goal"
    ELIMINATION = "elimination"
    EXTINCTION = "extinction"
    NO_CAPTURE = "no capture"
    TRAPPED = "trapped"
    IMMOBILIZATION = "immobilization"
    REPETITION = "repetition"
    RESIGNATION = "resignation"
    TIME = "time"
    SCORE = "score"
    """The clock stopped the whole game, and the score of the board decided."""
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"

    @property
    def text(self) -> Text:
        return _WORDS[self]


_WORDS = {
    Reason.GOAL: ctext("reason", "goal"),
    Reason.ELIMINATION: ctext("reason", "elimination"),
    Reason.EXTINCTION: ctext("reason", "extinction"),
    Reason.NO_CAPTURE: ctext("reason", "no capture"),
    Reason.TRAPPED: ctext("reason", "trapped"),
    Reason.IMMOBILIZATION: ctext("reason", "immobilization"),
    Reason.REPETITION: ctext("reason", "repetition"),
    Reason.RESIGNATION: ctext("reason", "resignation"),
    Reason.TIME: ctext("reason", "time"),
    Reason.SCORE: ctext("reason", "score"),
    Reason.AGREEMENT: ctext("reason", "agreement"),
    Reason.FORFEIT: ctext("reason", "forfeit"),
}


@dataclass(frozen=True)
class Cause:
    """The cause of the end of a play on the board."""

    text: Text
    """Follows a colon: "a rabbit has reached h8"."""
    cells: tuple[str, ...] = ()
    """The cells that show the cause."""


@dataclass(frozen=True)
class Outcome:
    """The end of a play: the winner, or a draw, and the reason.

    >>> Outcome(0, Reason.GOAL)
    Outcome(winner=0, reason=<Reason.GOAL: 'goal'>)
    """

    winner: int | None
    """The winner's index in turn order; None for a draw."""
    reason: Reason

    def points(self, players: int) -> tuple[float, ...]:
        """The score of each player: a point for the winner; a draw divides it.

        >>> Outcome(None, Reason.REPETITION).points(2), Outcome(1, Reason.GOAL).points(3)
        ((0.5, 0.5), (0.0, 1.0, 0.0))
        """
        if self.winner is None:
            return (1 / players,) * players
        return tuple(float(player == self.winner) for player in range(players))
