"""A game's row gets the result of the game, which had a table of its own."""

from alembic import op
from sqlalchemy import Column, Integer, String

revision = "results"
down_revision = "resting addresses"


def upgrade() -> None:
    """Write each game's known result into its row."""
    op.add_column("game", Column("reason", String))
    op.add_column("game", Column("winner", Integer))
    op.add_column("game", Column("turns", Integer))
    ended = "FROM result WHERE result.game = game.id"
    op.execute(
        f"UPDATE game SET reason = (SELECT reason {ended}), winner = (SELECT winner {ended}),"
        f" turns = (SELECT turns {ended})"
    )
    op.drop_table("result")
