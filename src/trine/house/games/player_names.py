"""The names and ratings of players, for pages and the API."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.seat import Seat
from trine.core.text.sentence import Text, text
from trine.house.games.tables import SeatKind, SeatRow
from trine.house.people.names import is_chosen, name_told
from trine.play.session.seats import BOT, bot_called


@dataclass(frozen=True)
class RatedPlayer:
    """The account of a player, and the rating for the game that is played."""

    name: str
    rating: float
    provisional: bool
    bot: bool = False
    """Whether a program plays under the name."""

    def __str__(self) -> str:
        return shown(self.rating, provisional=self.provisional)


def shown(rating: float, *, provisional: bool) -> str:
    """A rating as it is shown.

    >>> shown(1512.4, provisional=True)
    '1512?'
    """
    return f"{round(rating)}{'?' if provisional else ''}"


def called(row: SeatRow, seat: Seat) -> Text:
    if row.kind is SeatKind.FREE:
        return text("waiting for a player")
    if row.kind is SeatKind.BOT:
        return bot_called(row.name)
    return name_told(row.name) if row.name else seat.name


def written_name(name: str) -> Text:
    """Return the name of a player as a page says what stands in a record.

    >>> str(written_name("bot:3")), str(written_name("Anna"))
    ('computer, level 3', 'Anna')
    """
    return bot_called(name) if name.startswith(BOT) else name_told(name)


def is_named_guest(row: SeatRow, *, known: bool) -> bool:
    """Return whether a guest plays under a name of their own, which anybody could have chosen.

    Args: ``known`` is whether the person has an account.
    """
    return row.kind is SeatKind.PERSON and not known and is_chosen(row.name)


def of_guest(name: str) -> Text:
    """Return the name that a guest has chosen, beside those of accounts."""
    return text("{name} (guest)", name=name)


def of_program(name: str) -> Text:
    """Return the name of an account that a program uses."""
    return text("{name} (bot)", name=name)
