"""Since when an e-mail address rests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "resting addresses"
down_revision = "losses"


def upgrade() -> None:
    """Add it to addresses; none rests yet."""
    op.add_column("email_address", sa.Column("rests_since", sa.Double))
