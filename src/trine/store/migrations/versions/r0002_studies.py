"""Studies: records that a person analyses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table of studies."""
    op.create_table(
        "study",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("changed_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_study"),
        sa.ForeignKeyConstraint(["owner"], ["person.id"], name="fk_study_person"),
    )
    op.create_index("ix_study_owner_changed_at", "study", ["owner", "changed_at"])
