"""Indices for finding links by their seat, and the ratings of a person by day."""

from alembic import op

revision = "indices"
down_revision = "figures"


def upgrade() -> None:
    op.create_index(op.f("ix_invitation_game_seat"), "invitation", ["game", "seat"])
    op.create_index(op.f("ix_rating_person_at"), "rating", ["person", "at"])
