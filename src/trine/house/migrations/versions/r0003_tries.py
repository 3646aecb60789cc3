"""Devices lose the count of failed attempts: their messages are retried as e-mails are."""

from alembic import op

revision = "tries"
down_revision = "results"


def upgrade() -> None:
    op.drop_column("device", "tries")
