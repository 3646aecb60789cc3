"""Rated games that somebody has left at their beginning, and the pause that follows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from trine.house.people.takeout import Takeout
from trine.house.ratings.tables import LEFT

WITHIN: Final = 86_400.0
"""Units: seconds; the time in which they are counted."""
FREE: Final = 3
"""The number of games that may be left in that time. Guess."""
PAUSE: Final = 900.0
"""Units: seconds; the pause after the next one, and twice as long after each further one. Guess."""


def add_leave(connection: Connection, game: str, person: str, at: float) -> None:
    """Add a game that somebody has left; those that no longer count are forgotten."""
    connection.execute(delete(LEFT).where(LEFT.c.at < at - WITHIN))
    connection.execute(insert(LEFT).values(game=game, person=person, at=at))


def pause_of(connection: Connection, people: Collection[str], now: float) -> float:
    """Return how long some people wait before their next rated game.

    Units: seconds; 0 or less if they need not.
    """
    c = LEFT.c
    left = select(func.count(), func.max(c.at)).where(c.person.in_(people), c.at >= now - WITHIN)
    waits = [
        last + min(WITHIN, PAUSE * 2 ** (count - FREE - 1)) - now
        for count, last in connection.execute(left.group_by(c.person))
        if count > FREE
    ]
    return max(waits, default=0.0)


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the rated games that a person has left lately."""
    mine = select(LEFT.c.game, LEFT.c.at).where(LEFT.c.person == person).order_by(LEFT.c.at)
    takeout.about["left games"] = [
        {"game": row.game, "at": row.at} for row in connection.execute(mine)
    ]


def forget_person(connection: Connection, person: str) -> None:
    """Forget the games that somebody has left."""
    connection.execute(delete(LEFT).where(LEFT.c.person == person))
