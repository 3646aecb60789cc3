"""The turns that lost most in reviewed games, a few of each seat, kept when a review ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Integer,
    String,
    Table,
    delete,
    insert,
    select,
)

from trine.house.search.tables import APPEARANCE
from trine.house.store.schema import METADATA

LOSS: Final = Table(
    "loss",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("lost", Double, nullable=False),
    Column("tag", String, nullable=False),
    Column("played", String, nullable=False),
    Column("better", String, nullable=False),
    Column("themes", String, nullable=False),
)
"""A turn of a reviewed game that lost much. It belongs to the game: whose it was, and who may see
it, the game knows."""


@dataclass(frozen=True)
class Loss:
    """A turn that lost much."""

    turn: int
    """The number of turns before it."""
    seat: int
    lost: float
    """Units: chance to win."""
    tag: str
    """Its number as people read it, such as ``12g``."""
    played: str
    better: str
    themes: str
    """The names of the themes of the better turn, with blanks between them."""


@dataclass(frozen=True)
class LossFound:
    """A turn of a person that lost much, in its game."""

    game: str
    room: str
    rules: str
    loss: Loss


def keep_losses(connection: Connection, game: str, losses: Sequence[Loss]) -> None:
    """Keep what lost most in a game, in place of what was known of it."""
    connection.execute(delete(LOSS).where(LOSS.c.game == game))
    if losses:
        names = [column.name for column in LOSS.c]
        rows = [dict(zip(names, (game, *astuple(one)), strict=True)) for one in losses]
        connection.execute(insert(LOSS), rows)


def worst_losses(connection: Connection, person: str, *, own: bool, most: int) -> list[LossFound]:
    """Return the turns of a person that lost most, the worst first.

    Args: ``own`` is whether the person asks; others see games that everybody may watch.
    """
    c = APPEARANCE.c
    seen = [c.person == person, c.score.is_not(None)]
    if not own:
        seen.append(c.listed.is_(True))
    rows = connection.execute(
        select(c.room, c.rules, LOSS)
        .join(LOSS, (LOSS.c.game == c.game) & (LOSS.c.seat == c.seat))
        .where(*seen)
        .order_by(LOSS.c.lost.desc(), LOSS.c.game, LOSS.c.turn)
        .limit(most)
    )
    return [LossFound(game, room, rules, Loss(*about)) for room, rules, game, *about in rows]
