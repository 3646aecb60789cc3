"""The names of players and computers, for pages and the API."""

from __future__ import annotations

from trine.core.contract.seat import Seat
from trine.core.text.sentence import Text, text, verbatim
from trine.house.games.seat_rows import SeatKind, SeatRow
from trine.session.seats import BOT


def called(row: SeatRow, seat: Seat) -> Text:
    """Return the name of a player on the page."""
    if row.kind is SeatKind.FREE:
        return text("waiting for a player")
    if row.kind is SeatKind.BOT:
        return bot_called(row.name)
    return verbatim(row.name) if row.name else seat.name


def of_program(name: str) -> Text:
    """Return the name of an account that a program uses."""
    return text("{name} (bot)", name=name)


def bot_called(bot: str) -> Text:
    """Return the name of a bot, such as ``bot:3``, on the page."""
    name = bot.removeprefix(BOT)
    if name.isdecimal():
        return text("computer, level {level}", level=name)
    return text("computer, {name}", name=name)
