"""Forms that were sent within a minute."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "presses"
down_revision = "puzzles"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "press",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("path", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_press"),
    )
    op.create_index("ix_press_at", "press", ["at"])
