"""Tokens of programs, and challenges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables of tokens and of challenges."""
    op.create_table(
        "api_token",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_api_token"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_api_token_person"),
    )
    op.create_index("ix_api_token_person", "api_token", ["person"])
    op.create_table(
        "challenge",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("challenger", sa.String, nullable=False),
        sa.Column("challenged", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("side", sa.Integer),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_challenge"),
        sa.ForeignKeyConstraint(["challenger"], ["person.id"], name="fk_challenge_challenger"),
        sa.ForeignKeyConstraint(["challenged"], ["person.id"], name="fk_challenge_challenged"),
    )
    for column in ("challenger", "challenged", "expires_at"):
        op.create_index(f"ix_challenge_{column}", "challenge", [column])
