"""The turns of reviewed games that lost most."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "losses"
down_revision = "presses"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "loss",
        sa.Column("game", sa.String, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("lost", sa.Double, nullable=False),
        *(
            sa.Column(name, sa.String, nullable=False)
            for name in ("tag", "played", "better", "themes")
        ),
    )
