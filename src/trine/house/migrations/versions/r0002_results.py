"""How games ended, for statistics; those of before are noted by the house when it opens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "results"
down_revision = "first"


def upgrade() -> None:
    """Make the table of results."""
    op.create_table(
        "result",
        sa.Column("game", sa.String, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("rules", sa.String, nullable=False),
        sa.Column("reason", sa.String),
        sa.Column("winner", sa.Integer),
        sa.Column("turns", sa.Integer, nullable=False),
    )
