"""The tries of people at puzzles, and the ratings of puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "puzzles"
down_revision = "left games"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "puzzle_try",
        sa.Column("person", sa.String, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("puzzle", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        *_rating(),
    )
    op.create_index("ix_puzzle_try_person_game_at", "puzzle_try", ["person", "game", "at"])
    op.create_table(
        "puzzle",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("tries", sa.Integer, nullable=False),
        *_rating(),
    )


def _rating() -> list[sa.Column[float]]:
    return [
        sa.Column(name, sa.Double, nullable=False) for name in ("rating", "deviation", "volatility")
    ]
