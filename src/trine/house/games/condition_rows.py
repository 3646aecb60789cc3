"""Stored conditional turns: a tree for each seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from trine.house.games.conditions import Branch, Conditions
from trine.house.games.follows import Context, Write
from trine.house.games.live_game import LiveGame
from trine.house.games.tables import CONDITION


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """The conditional turns of a seat."""

    seat: int
    turns: int
    """The number of turns played before the tree begins."""
    tree: Any
    """The tree, as JSON."""


def set_conditions(connection: Connection, game: str, seat: int, row: ConditionRow | None) -> None:
    """Store the conditional turns of a seat; None removes them."""
    mine = (CONDITION.c.game == game) & (CONDITION.c.seat == seat)
    connection.execute(delete(CONDITION).where(mine))
    if row:
        connection.execute(
            insert(CONDITION).values(game=game, seat=seat, turns=row.turns, tree=row.tree)
        )


def conditions_of(connection: Connection, game: str) -> list[ConditionRow]:
    """Return the conditional turns in a game, of all seats."""
    found = connection.execute(
        select(CONDITION.c.seat, CONDITION.c.turns, CONDITION.c.tree)
        .where(CONDITION.c.game == game)
        .order_by(CONDITION.c.seat)
    )
    return [ConditionRow(*row) for row in found]


def kept_conditions(connection: Connection, game: str, turns: int) -> Mapping[int, Conditions]:
    """Return the conditional turns in a game, by seat, that begin after a number of turns."""
    return {
        row.seat: Conditions(row.turns, tuple(Branch.from_data(one) for one in row.tree))
        for row in conditions_of(connection, game)
        if row.turns == turns
    }


def keep_conditions(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Write how the conditional turns of a game have changed."""
    if before.conditions == after.conditions:
        return None
    rows = {
        seat: _row(seat, after.conditions.get(seat))
        for seat in {*before.conditions, *after.conditions}
    }

    def write(connection: Connection) -> None:
        for seat, row in rows.items():
            set_conditions(connection, after.game, seat, row)

    return write


def _row(seat: int, conditions: Conditions | None) -> ConditionRow | None:
    tree = [one.as_data() for one in conditions.branches] if conditions else []
    return ConditionRow(seat, conditions.turns, tree) if conditions and tree else None
