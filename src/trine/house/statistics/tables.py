"""The results of games, for counting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, func, insert, select

from trine.core.contract.outcome import Outcome, Reason
from trine.house.games.game_rows import Stage
from trine.house.games.tables import GAME
from trine.record.statistics import Games
from trine.store.schema import METADATA

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


def count_results(connection: Connection) -> Mapping[tuple[str, str], Games]:
    """Return the figures of all games that were played to an end, by game and rule set."""
    c = RESULT.c
    alike = (c.room, c.rules, c.reason, c.winner, c.turns)
    found: defaultdict[tuple[str, str], Games] = defaultdict(Games)
    for row in connection.execute(
        select(*alike, func.count().label("games")).where(c.reason.is_not(None)).group_by(*alike)
    ):
        outcome = Outcome(row.winner, Reason(row.reason))
        found[row.room, row.rules].add(outcome, row.turns, row.games)
    return dict(sorted(found.items()))
