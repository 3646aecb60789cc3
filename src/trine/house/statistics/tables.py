"""The results of games, for counting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    Select,
    String,
    Table,
    case,
    func,
    insert,
    select,
)

from trine.core.contract.outcome import Outcome, Reason
from trine.house.games.tables import GAME, Stage
from trine.house.ratings.tables import RATING
from trine.house.search.tables import APPEARANCE
from trine.house.store.schema import METADATA
from trine.play.record.statistics import BAND, By, Games, rating_band

RESULT: Final = Table(
    "result",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("room", String, nullable=False),
    Column("rules", String, nullable=False),
    Column("reason", String),
    Column("winner", Integer),
    Column("turns", Integer, nullable=False),
)
"""How a game ended: without a reason it was broken off, without a winner it is drawn."""


def note_result(
    connection: Connection, game: str, room: str, rules: str, outcome: Outcome | None, turns: int
) -> None:
    """Store how a game ended; None if it was broken off."""
    about: dict[str, Any] = {"game": game, "room": room, "rules": rules, "turns": turns}
    if outcome:
        about |= {"reason": outcome.reason.value, "winner": outcome.winner}
    connection.execute(insert(RESULT), [about])


def games_without_result(connection: Connection, limit: int) -> Sequence[str]:
    """Return games that are over, but of which it is not noted how they ended."""
    missing = (
        select(GAME.c.id)
        .outerjoin(RESULT, RESULT.c.game == GAME.c.id)
        .where(GAME.c.stage == Stage.OVER.value, RESULT.c.game.is_(None))
        .limit(limit)
    )
    return list(connection.scalars(missing))


Steps = Sequence[tuple[float, str]]
"""The names of stretches of a number, each with where it begins."""
BANDS: Final[Steps] = [(float(least), rating_band(least)) for least in range(0, 4000, BAND)]


def count_results(
    connection: Connection, by: By = By.RULES, months: Steps = ()
) -> Mapping[tuple[str, str], Games]:
    """Return the figures of all games that were played to an end, by game and group.

    Args: games are grouped by ``months`` alone; those of others are left out then.
    """
    ended = _ended(by, months).where(RESULT.c.reason.is_not(None)).subquery()
    found: defaultdict[tuple[str, str], Games] = defaultdict(Games)
    for row in connection.execute(select(*ended.c, func.count().label("games")).group_by(*ended.c)):
        outcome = Outcome(row.winner, Reason(row.reason))
        found[row.room, row.kind or ""].add(outcome, row.turns, row.games)
    return dict(sorted(found.items()))


def _ended(by: By, months: Steps) -> Select[Any]:
    """Return all results, each with its group as ``kind``."""
    c = RESULT.c
    match by:
        case By.MONTH:
            begun = APPEARANCE.c.at
            return (
                _with(_step(begun, months))
                .join(APPEARANCE, (APPEARANCE.c.game == c.game) & (APPEARANCE.c.seat == 0))
                .where(begun >= min(months)[0])
            )
        case By.CLOCK:
            return _with(GAME.c.terms["clock"].as_string()).join(GAME, GAME.c.id == c.game)
        case By.RATING:
            means = select(RATING.c.game, func.avg(RATING.c.rating).label("rating"))
            mean = means.group_by(RATING.c.game).subquery()
            return _with(_step(mean.c.rating, BANDS)).join(mean, mean.c.game == c.game)
        case _:
            return _with(c.rules)


def _with(kind: ColumnElement[Any]) -> Select[Any]:
    c = RESULT.c
    columns = (c.room, kind.label("kind"), c.reason, c.winner, c.turns)
    return select(*columns).select_from(RESULT)


def _step(column: ColumnElement[Any], steps: Steps) -> ColumnElement[Any]:
    return case(*((column >= least, name) for least, name in sorted(steps, reverse=True)))
