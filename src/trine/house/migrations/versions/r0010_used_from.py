"""Marks of the network addresses from which accounts were used within a day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "used from"
down_revision = "ranges"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "used_from",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("mark", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", "mark", name="pk_used_from"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_used_from_person"),
    )
    op.create_index("ix_used_from_mark", "used_from", ["mark"])
    op.create_index("ix_used_from_at", "used_from", ["at"])
