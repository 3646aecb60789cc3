"""Commands: what players and the house may want in a running game.

A ``seat`` is the number of a player's seat. Who gives a command in the name of a seat has made
sure of it before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from trine.core.checked import CheckedLine
from trine.core.outcome import Outcome


@dataclass(frozen=True)
class Act:
    """Play a line that was judged from the play as it stands."""

    line: CheckedLine
    seat: int | None = None
    """The player, who can play only in turns of that seat; None plays for whoever is to move, as
    people at one board do."""


@dataclass(frozen=True)
class Undo:
    """Take back the last actions of the open turn."""

    count: int = 1
    seat: int | None = None
    """The player, as in `Act`."""


@dataclass(frozen=True)
class TakeBack:
    """Take back whole turns, the last first; without consent only such as placed one piece."""

    turns: int = 1
    agreed: bool = False
    """Whether all have agreed on it without an offer, as people at one board can."""
    seat: int | None = None
    """The player, who can take back only placements of that seat; None is as in `Act`."""


@dataclass(frozen=True)
class Ask:
    """Ask all others for something; whoever has been asked for just the same accepts by asking."""

    seat: int
    what: str
    """See `trine.session.offers.Offer`."""
    turns: int = 1
    """The number of turns that a takeback takes back."""


@dataclass(frozen=True)
class Accept:
    """Agree to what was asked for; the last to agree makes it so."""

    seat: int
    what: str = ""
    """Which offer, if there are several; else the latest."""


@dataclass(frozen=True)
class Decline:
    """Refuse what was asked for."""

    seat: int
    what: str = ""
    """Which offer, if there are several; else the latest."""


@dataclass(frozen=True)
class AgreeDraw:
    """All have agreed on a draw without an offer, as people at one board can."""


@dataclass(frozen=True)
class Resign:
    """Give up: of two the other wins; of more the others play on."""

    seat: int


@dataclass(frozen=True)
class Forfeit:
    """A player cannot go on, as a program that has failed: of two the other wins.

    Of several players who play on, records know only that one has lost.
    """

    seat: int
    why: str


@dataclass(frozen=True)
class Flag:
    """The time is up: the player to move has lost, or the board is scored."""

    overstepped: bool = False
    """Whether a limit that is not the clock's own is overstepped, by the word of the house."""


@dataclass(frozen=True)
class Pause:
    """Let no more time pass, by the house: it closes, or prepares something."""


@dataclass(frozen=True)
class Resume:
    """Let time pass again."""

    spent: float | None = None
    """Units: seconds; what the open turn has taken so far, if that is known better than from when
    the pause began."""


@dataclass(frozen=True)
class Remark:
    """Write something down that changes nothing."""

    words: str
    seat: int | None = None


@dataclass(frozen=True)
class End:
    """The house ends the game, as after a time that was agreed on."""

    outcome: Outcome


Command: TypeAlias = (
    Act
    | Undo
    | TakeBack
    | Ask
    | Accept
    | Decline
    | AgreeDraw
    | Resign
    | Forfeit
    | Flag
    | Pause
    | Resume
    | Remark
    | End
)
