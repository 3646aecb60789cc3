"""The commands of players and of the house in a running game.

A ``seat`` is the number of a player's seat. The caller has checked who may use it.
"""

import msgspec

from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import Outcome


class Command(msgspec.Struct, frozen=True):
    """The base class of commands."""


class Act(Command, frozen=True):
    """Play a line that was checked against the current position."""

    line: CheckedLine
    seat: int | None = None
    """The seat that acts, which must be to move; None is any seat, as at a shared board."""


class Undo(Command, frozen=True):
    """Take back the last actions of the open turn."""

    count: int = 1
    seat: int | None = None


class TakeBack(Command, frozen=True):
    """Take back the last turns; without consent only turns that placed a single piece."""

    turns: int = 1
    agreed: bool = False  # whether all players agree without an offer, as at a shared board
    seat: int | None = None
    """The seat that acts, and that must have played these turns; None is any seat."""


class Ask(Command, frozen=True):
    """Make a request to all other players; if one of them has made it already, accept it."""

    seat: int
    what: str  # the request, as in `trine.play.session.state.Offer`
    turns: int = 1  # number of turns that a takeback takes back


class Accept(Command, frozen=True):
    """Accept a request; it takes effect when the last player accepts."""

    seat: int
    what: str = ""  # the request; empty for the latest


class Decline(Command, frozen=True):
    """Decline a request, or withdraw one of the player's own."""

    seat: int
    what: str = ""  # the request; empty for the latest


class AgreeDraw(Command, frozen=True):
    """Record a draw that all players agreed on without an offer, as at a shared board."""


class Resign(Command, frozen=True):
    """Resign: with two players the other wins, with more players the others play on."""

    seat: int


class Forfeit(Command, frozen=True):
    """Remove a player that cannot go on, such as a failed program.

    Of two players the other wins. Of more the others play on, and records name only the loser.
    """

    seat: int
    why: str


class Flag(Command, frozen=True):
    """Declare the time to be up: the player to move loses, or the board is scored."""

    overstepped: bool = False
    """Whether a limit of the house was exceeded that is not part of the clock."""


class Pause(Command, frozen=True):
    """Stop the clock because the house closes, or prepares something."""


class Resume(Command, frozen=True):
    """Start the clock again."""

    spent: float | None = None
    """Units: seconds; the time of the open turn so far; None to take it from the pause."""


class Remark(Command, frozen=True):
    """Record a remark, which changes nothing."""

    words: str
    seat: int | None = None


class End(Command, frozen=True):
    """End the game with an outcome that the board does not decide, such as a claimed draw."""

    outcome: Outcome
