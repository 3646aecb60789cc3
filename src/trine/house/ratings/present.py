"""The present ratings of several people, for lists of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, select

from trine.house.games.rated_player import RatedPlayer
from trine.house.people.tables import PERSON
from trine.house.ratings.ratings import SURE, now
from trine.house.ratings.tables import RATING, RatingRow

_COLUMNS = [RATING.c[name] for name in RatingRow.__slots__]


def present_ratings(
    connection: Connection, people: Sequence[str], moment: float
) -> dict[str, Mapping[str, RatedPlayer]]:
    """Return the ratings of people by discipline, by their ids; the newest first.

    Who has played no rated game is left out.
    """
    newest = (
        select(func.max(RATING.c.number))
        .where(RATING.c.person.in_(people))
        .group_by(RATING.c.person, RATING.c.discipline)
    )
    found = connection.execute(
        select(*_COLUMNS, PERSON.c.name)
        .join(PERSON, PERSON.c.id == RATING.c.person)
        .where(RATING.c.number.in_(newest))
        .order_by(RATING.c.number.desc())
    )
    ratings: dict[str, dict[str, RatedPlayer]] = {}
    for *values, name in found:
        row = RatingRow(*values)
        present = now(row, moment)
        ratings.setdefault(row.person, {})[row.discipline] = RatedPlayer(
            name, present.rating, present.deviation > SURE
        )
    return dict(ratings)
