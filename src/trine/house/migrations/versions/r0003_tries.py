"""A device no longer counts failed attempts: its messages are tried again as letters are."""

from __future__ import annotations

from alembic import op

revision = "tries"
down_revision = "results"


def upgrade() -> None:
    """Remove the count."""
    op.drop_column("device", "tries")
