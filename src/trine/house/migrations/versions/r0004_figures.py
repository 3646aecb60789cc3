"""Processes store metrics for the host, and an index finds unused browsers."""

from alembic import op
from sqlalchemy import JSON, Column

revision = "figures"
down_revision = "tries"


def upgrade() -> None:
    """Add the column and the index."""
    op.add_column("home", Column("figures", JSON))
    op.create_index(op.f("ix_browser_last_at"), "browser", ["last_at"])
