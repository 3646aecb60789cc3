"""The former names of accounts; of those that were given up before, nothing is known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "former names"
down_revision = "ratings"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "former_name",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("person", sa.String),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_former_name"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_former_name_person"),
    )
    op.create_index("ix_former_name_person_at", "former_name", ["person", "at"])
