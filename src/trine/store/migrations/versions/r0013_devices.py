"""Devices on which people are told news, and notices about other things than games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table of devices, and that of notices anew, with what was in it."""
    op.create_table(
        "device",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("session", sa.String, nullable=False),
        sa.Column("endpoint", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("secret", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("made_at", sa.Double, nullable=False),
        sa.Column("written_at", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_device"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_device_person"),
        sa.ForeignKeyConstraint(
            ["session"], ["token.hash"], name="fk_device_token", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_device_person", "device", ["person"])
    op.create_index("ix_device_session", "device", ["session"], unique=True)
    old = sa.table("notice", *(sa.column(name) for name in ("person", "game", "kind", "at")))
    known = op.get_bind().execute(sa.select(old)).all()
    op.drop_table("notice")
    new = op.create_table(
        "notice",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", "device", "about", "kind", name="pk_notice"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_notice_person"),
    )
    op.create_index("ix_notice_device", "notice", ["device"])
    rows = [
        {"person": one.person, "device": "", "about": one.game, "kind": one.kind, "at": one.at}
        for one in known
    ]
    if rows:
        op.bulk_insert(new, rows)
