"""The commands of a running game, by which players and the house act.

A ``seat`` is the number of a player's seat. Who gives a command in the name of a seat has made
sure of it before.
"""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.checked import CheckedLine
from trine.core.contract.outcome import Outcome


class Command:
    """Something that a player or the house does."""


@dataclass(frozen=True)
class Act(Command):
    """Play a line that was judged from the play as it stands."""

    line: CheckedLine
    seat: int | None = None
    """The player, who can play only in turns of that seat; None stands for the player to move, as
    at one shared board."""


@dataclass(frozen=True)
class Undo(Command):
    """Take back the last actions of the open turn."""

    count: int = 1
    seat: int | None = None
    """The player, as in `Act`."""


@dataclass(frozen=True)
class TakeBack(Command):
    """Take back whole turns, the last first; without consent only turns that placed one piece."""

    turns: int = 1
    agreed: bool = False
    """Whether all players agree without an offer, as at one shared board."""
    seat: int | None = None
    """The player, who can take back only placements of that seat; None as in `Act`."""


@dataclass(frozen=True)
class Ask(Command):
    """Ask all other players for something; asking for what somebody has asked for accepts it."""

    seat: int
    what: str
    """The request, as in `trine.play.session.offers.Offer`."""
    turns: int = 1
    """The number of turns that a takeback takes back."""


@dataclass(frozen=True)
class Accept(Command):
    """Accept an offer; it takes effect when the last player accepts."""

    seat: int
    what: str = ""
    """Which offer, if there are several; else the latest."""


@dataclass(frozen=True)
class Decline(Command):
    """Refuse what was asked for."""

    seat: int
    what: str = ""
    """Which offer, if there are several; else the latest."""


@dataclass(frozen=True)
class AgreeDraw(Command):
    """Record a draw that all agreed on without an offer, as at one shared board."""


@dataclass(frozen=True)
class Resign(Command):
    """Resign: with two players the other wins; with more the others play on."""

    seat: int


@dataclass(frozen=True)
class Forfeit(Command):
    """Remove a player that cannot go on, such as a failed program: with two players the other wins.

    Of several players who play on, records know only that one has lost.
    """

    seat: int
    why: str


@dataclass(frozen=True)
class Flag(Command):
    """Declare the time up: the player to move has lost, or the board is scored."""

    overstepped: bool = False
    """Whether the house says that a limit outside the clock is exceeded."""


@dataclass(frozen=True)
class Pause(Command):
    """Stop the clock for the house, which closes or prepares something."""


@dataclass(frozen=True)
class Resume(Command):
    """Start the clock again."""

    spent: float | None = None
    """Units: seconds; the time of the open turn so far, where that is known better than from the
    beginning of the pause."""


@dataclass(frozen=True)
class Remark(Command):
    """Record words that change nothing."""

    words: str
    seat: int | None = None


@dataclass(frozen=True)
class End(Command):
    """End the game for the house, as after an agreed time."""

    outcome: Outcome
