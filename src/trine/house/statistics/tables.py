"""The counting of games by how they ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from trine.core.contract.outcome import Outcome, Reason
from trine.house.games.tables import GAME
from trine.house.ratings.tables import RATING
from trine.house.search.tables import APPEARANCE
from trine.play.record.statistics import BAND, By, GroupFigures, rating_band

Steps = Sequence[tuple[float, str]]
"""The names of stretches of a number, each with where it begins."""
BANDS: Final[Steps] = [(float(least), rating_band(least)) for least in range(0, 4000, BAND)]


def count_results(
    connection: Connection, by: By = By.RULES, months: Steps = ()
) -> Mapping[tuple[str, str], GroupFigures]:
    """Return the figures of all games that were played to an end, by game and group.

    Args: games are grouped by ``months`` alone; those of others are left out then.
    """
    ended = _ended(by, months).subquery()
    found: defaultdict[tuple[str, str], GroupFigures] = defaultdict(GroupFigures)
    for row in connection.execute(select(*ended.c, func.count().label("games")).group_by(*ended.c)):
        outcome = Outcome(row.winner, Reason(row.reason))
        found[row.room, row.kind or ""].add(outcome, row.turns, row.games)
    return dict(sorted(found.items()))


def _ended(by: By, months: Steps) -> Select[Any]:
    """Return all games that were played to an end, each with its group as ``kind``."""
    match by:
        case By.MONTH:
            begun = APPEARANCE.c.at
            first = (APPEARANCE.c.game == GAME.c.id) & (APPEARANCE.c.seat == 0)
            found = _with(_step(begun, months)).join(APPEARANCE, first)
            found = found.where(begun >= min(months)[0])
        case By.CLOCK:
            found = _with(GAME.c.terms["clock"].as_string())
        case By.RATING:
            means = select(RATING.c.game, func.avg(RATING.c.rating).label("rating"))
            mean = means.group_by(RATING.c.game).subquery()
            found = _with(_step(mean.c.rating, BANDS)).join(mean, mean.c.game == GAME.c.id)
        case _:
            found = _with(GAME.c.rules)
    return found.where(GAME.c.reason.is_not(None))


def _with(kind: ColumnElement[Any]) -> Select[Any]:
    c = GAME.c
    columns = (c.room, kind.label("kind"), c.reason, c.winner, c.turns)
    return select(*columns).select_from(GAME)


def _step(column: ColumnElement[Any], steps: Steps) -> ColumnElement[Any]:
    return case(*((column >= least, name) for least, name in sorted(steps, reverse=True)))
