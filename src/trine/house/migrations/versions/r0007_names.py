"""Tables and columns get the names that the code and the guides use for them."""

from typing import Any, Final

from alembic import op
from sqlalchemy import inspect

revision = "names"
down_revision = "credentials"

TABLES: Final = {
    "appearance": "game_search",
    "ceremony": "ticket",
    "due": "scheduled_task",
    "duty": "leader",
    "left_game": "abandoned_game",
    "letter_link": "email_link",
    "loss": "costly_turn",
    "press": "idempotency_key",
    "puzzle": "puzzle_rating",
    "used_from": "account_address",
}
COLUMNS: Final = {
    ("email_address", "rests_since"): "suspended_at",
    ("game", "epoch"): "fencing_token",
    ("session", "alarm"): "login_alert_at",
    ("used_from", "mark"): "keyed_hash",
}


def upgrade() -> None:
    """Rename tables and columns, with their indexes and constraints."""
    # Without a batch: copying a table would drop it, and so delete the rows that refer to its rows.
    for (table, column), name in COLUMNS.items():
        op.alter_column(table, column, new_column_name=name)
    for table, name in TABLES.items():
        op.rename_table(table, name)
        _rename_indexes(name)
        if op.get_context().dialect.name == "postgresql":  # SQLite cannot rename a constraint
            _rename_constraints(table, name)


def _rename_indexes(table: str) -> None:
    for index in inspect(op.get_bind()).get_indexes(table):
        op.drop_index(str(index["name"]), table)
        columns: list[Any] = index["column_names"]
        name = "_".join(["ix", table, *columns])
        op.create_index(op.f(name), table, columns, unique=bool(index["unique"]))


def _rename_constraints(old: str, table: str) -> None:
    found = inspect(op.get_bind())
    for one in [found.get_pk_constraint(table), *found.get_foreign_keys(table)]:
        name = str(one["name"])
        op.execute(
            f"ALTER TABLE {table} RENAME CONSTRAINT {name}"
            f" TO {name.replace(f'_{old}', f'_{table}', 1)}"
        )
