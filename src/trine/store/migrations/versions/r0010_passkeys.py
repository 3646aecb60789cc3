"""Passkeys, and what is asked to be signed by them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables of passkeys."""
    op.create_table(
        "passkey",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("public_key", sa.String, nullable=False),
        sa.Column("counter", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("made_at", sa.Double, nullable=False),
        sa.Column("used_at", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_passkey"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_passkey_person"),
    )
    op.create_index("ix_passkey_person", "passkey", ["person"])
    op.create_table(
        "ceremony",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("challenge", sa.String, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_ceremony"),
    )
    op.create_index("ix_ceremony_expires_at", "ceremony", ["expires_at"])
    op.create_table(
        "seek",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("players", sa.JSON, nullable=False),
        sa.Column("side", sa.Integer),
        sa.Column("opened_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seek"),
    )
