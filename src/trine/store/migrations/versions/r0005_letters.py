"""E-mail addresses, the links in letters, and what is to be told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables of letters."""
    op.create_table(
        "address",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("wanted", sa.Integer, nullable=False),
        sa.Column("leave", sa.String, nullable=False),
        sa.Column("written_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_address"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_address_person"),
    )
    op.create_index("ix_address_folded", "address", ["folded"])
    op.create_index("ix_address_leave", "address", ["leave"], unique=True)
    op.create_table(
        "key",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_key"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_key_person"),
    )
    op.create_index("ix_key_person_kind", "key", ["person", "kind"])
    op.create_index("ix_key_expires_at", "key", ["expires_at"])
    op.create_table(
        "notice",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "kind", name="pk_notice"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_notice_person"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_notice_game"),
    )
