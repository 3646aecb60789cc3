"""The tables of tournaments.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Index, Integer, String, Table

from trine.house.store.schema import METADATA

TOURNAMENT: Final = Table(
    "tournament",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner", ForeignKey("person.id"), nullable=False),
    Column("plan", JSON, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("most", Integer, nullable=False),
    Column("stage", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("starts_at", Double),
    Column("began_at", Double),
    Column("ended_at", Double),
    Index(None, "stage", "created_at"),
    Index(None, "owner"),
)
"""A tournament: its plan, and the terms of its games."""

ENTRANT: Final = Table(
    "entrant",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer),
    Column("person", ForeignKey("person.id")),
    Column("bot", String, nullable=False),
    Column("rating", Double, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Index(None, "person", "tournament", unique=True),
)
"""A person or a bot in a tournament, in the order of coming; numbers are given when it begins."""

PAIRING: Final = Table(
    "pairing",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer),
    Column("game", ForeignKey("game.id")),
    Column("first_points", Double),
    Column("second_points", Double),
    Column("played", Boolean, nullable=False),
    Index(None, "game", unique=True),
)
"""A game of a tournament between two numbers, or a round without an opponent. They count from 1."""
