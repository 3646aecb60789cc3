"""Foreign keys, and a column of the audit log, get the names that new houses give them."""

from alembic import op
from sqlalchemy import inspect

revision = "constraints"
down_revision = "names"


def upgrade() -> None:
    """Name each key after its first column; in SQLite these names do not matter."""
    op.alter_column("audit", "told", new_column_name="detail")
    if op.get_context().dialect.name != "postgresql":
        return
    found = inspect(op.get_bind())
    for table in found.get_table_names():
        for one in found.get_foreign_keys(table):
            name = f"fk_{table}_{one['constrained_columns'][0]}"
            if one["name"] != name:
                op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {one['name']} TO {name}")
