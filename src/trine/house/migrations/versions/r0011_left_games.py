"""Rated games that people have left at their beginning."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "left games"
down_revision = "used from"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "left_game",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_left_game"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_left_game_game"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_left_game_person"),
    )
    op.create_index("ix_left_game_person_at", "left_game", ["person", "at"])
    op.create_index("ix_left_game_at", "left_game", ["at"])
