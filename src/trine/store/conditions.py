"""Conditional turns, as trees; whose they are is said by the seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from trine.store.schema import CONDITION


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """The conditional turns of a seat."""

    seat: int
    turns: int
    """The number of turns that have been played where the tree begins."""
    tree: Any
    """As JSON has it."""


def set_conditions(connection: Connection, game: str, seat: int, row: ConditionRow | None) -> None:
    """Keep the conditional turns of a seat; None removes them."""
    mine = (CONDITION.c.game == game) & (CONDITION.c.seat == seat)
    connection.execute(delete(CONDITION).where(mine))
    if row:
        connection.execute(
            insert(CONDITION).values(game=game, seat=seat, turns=row.turns, tree=row.tree)
        )


def clear_conditions(connection: Connection, game: str) -> None:
    """Remove all conditional turns of a game."""
    connection.execute(delete(CONDITION).where(CONDITION.c.game == game))


def conditions_of(connection: Connection, game: str) -> list[ConditionRow]:
    """Return the conditional turns in a game, of all seats."""
    found = connection.execute(
        select(CONDITION.c.seat, CONDITION.c.turns, CONDITION.c.tree)
        .where(CONDITION.c.game == game)
        .order_by(CONDITION.c.seat)
    )
    return [ConditionRow(*row) for row in found]
