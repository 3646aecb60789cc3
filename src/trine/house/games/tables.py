"""The tables of games.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
)

from trine.house.store.schema import METADATA

GAME: Final = Table(
    "game",
    METADATA,
    Column("id", String, primary_key=True),
    Column("room", String, nullable=False),
    Column("rules", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("stage", String, nullable=False),
    Column("home", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Index(None, "stage", "created_at"),
)
"""A game, and the process that it is at home in; each change of its home raises the epoch."""

# A table of SQLite ordered by this key itself (WITHOUT ROWID) measured 12,900 events a second in
# commits of 200 games, this one 22,900: rows that are written together are stored together.
EVENT: Final = Table(
    "event",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("actor", Integer),
    Column("kind", String, nullable=False),
    Column("data", JSON, nullable=False),
)
"""An event of a game's journal. Sequence numbers count from 1, without gaps."""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("person.id")),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Index(None, "person", "game"),
)
"""A place at the board of a game, free, or taken by a person or a bot."""

INVITATION: Final = Table(
    "invitation",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    ForeignKeyConstraint(["game", "seat"], ["seat.game", "seat.seat"]),
)
"""The hash of the token in a link that leads to a seat."""

TO_MOVE: Final = Table(
    "to_move",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("since", Double, nullable=False),
    Index(None, "person", "since"),
)
"""The person whose turn it is in a game that is not kept in memory."""

DOWNTIME: Final = Table(
    "downtime",
    METADATA,
    Column("ended", Double, primary_key=True, autoincrement=False),
    Column("began", Double, nullable=False),
)
"""A time in which the house was not running."""

CONDITION: Final = Table(
    "condition",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("turns", Integer, nullable=False),
    Column("tree", JSON, nullable=False),
)
"""The conditional turns of a player, as a tree, from the position after a number of turns."""
