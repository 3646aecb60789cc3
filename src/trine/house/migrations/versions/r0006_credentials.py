"""Sessions, tokens and links get the epoch of the credentials they were made from."""

from typing import Final

from alembic import op
from sqlalchemy import Column, Integer, TableClause, column, select, table, update

revision = "credentials"
down_revision = "indices"

EPOCH: Final = "credentials_epoch"
FIRST: Final = 1  # the first epoch of an account. Guests have epoch 0, the default of the column


def upgrade() -> None:
    """Add the columns; everything valid today gets the first epoch of its account."""
    # Without a batch: copying a table would drop it, and so delete the devices of all sessions.
    for name in ("account", "session", "ceremony", "letter_link", "api_token"):
        op.add_column(name, Column(EPOCH, Integer, nullable=False, server_default="0"))
    account = _table("account")
    op.execute(update(account).values({EPOCH: FIRST}))
    for name in ("session", "letter_link", "api_token"):
        made = _table(name)
        owned = made.c.person.in_(select(account.c.person))
        op.execute(update(made).where(owned).values({EPOCH: FIRST}))


def _table(name: str) -> TableClause:
    return table(name, column("person"), column(EPOCH))
