"""The consequences of a change of a game, written in the same transaction.

Each consequence is a function of the game before and after; it stands with its own subject, and the
list of them all in `trine.house.app`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from trine.core.contract.outcome import Outcome
from trine.house.games.live_game import LiveGame

Write = Callable[[Connection], None]


@dataclass(frozen=True)
class Context:
    """The circumstances of a change, on which its consequences may depend."""

    person: str | None = None
    """The person who has asked for the change; None for the house, and for bots."""
    here: Collection[str | None] = ()
    """Other people who see it happen, and need not be told."""

    def sees(self, person: str | None) -> bool:
        """Return whether a person sees the change happen."""
        return person == self.person or person in self.here


Follow = Callable[[LiveGame, LiveGame, Context], Write | None]
Listener = Callable[[LiveGame, LiveGame], None]
"""Hears of a change once it is safe, with the game before and after; this must take no time."""


def consequences(
    follows: Sequence[Follow], before: LiveGame, after: LiveGame, context: Context
) -> Write | None:
    """All that follows from a change, as one write; None if nothing does."""
    return together(*(follow(before, after, context) for follow in follows))


def together(*writes: Write | None) -> Write | None:
    """One write of several, of which some may be none."""
    given = [write for write in writes if write]
    if len(given) < 2:
        return next(iter(given), None)

    def write(connection: Connection) -> None:
        for one in given:
            one(connection)

    return write


def begins(before: LiveGame, after: LiveGame) -> bool:
    """Whether a change is the beginning of a game."""
    return before.state is None and after.state is not None


def ends(before: LiveGame, after: LiveGame) -> Outcome | None:
    """The result of a game that has ended with a change."""
    return after.state.outcome if after.state and not before.over else None
