"""The browsers in which people have logged in; those of before are noted at their next login."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "browsers"
down_revision = "following"


def upgrade() -> None:
    """Make their table, and the columns of sessions."""
    op.add_column("session", sa.Column("agent", sa.String))
    op.add_column("session", sa.Column("alarm", sa.Double))
    op.create_table(
        "browser",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("first_at", sa.Double, nullable=False),
        sa.Column("last_at", sa.Double, nullable=False),
        sa.Column("known", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("person", "hash", name="pk_browser"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_browser_person"),
    )
    op.create_index("ix_browser_hash", "browser", ["hash"])
