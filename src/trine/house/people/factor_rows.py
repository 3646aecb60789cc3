"""The tables of second factors and recovery codes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Final

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from trine.house.store.schema import METADATA, Key, add_row, first_of, table_of


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor of an account: the secret of a device that shows codes (TOTP)."""

    person: Annotated[Key[str], "person.id"]
    secret: str
    """The TOTP secret, encrypted."""
    step: int
    """The last time step whose code was used; codes up to this step are no longer valid."""
    made_at: float
    """Units: seconds since 1970."""


SECOND_FACTOR: Final = table_of("second_factor", Factor)

RECOVERY_CODE: Final = Table(
    "recovery_code",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("hash", String, primary_key=True),
)
"""The hash of a code that is valid once, in place of a lost device."""


def factor_of(connection: Connection, person_id: str) -> Factor | None:
    mine = select(SECOND_FACTOR).where(SECOND_FACTOR.c.person == person_id)
    return first_of(connection, Factor, mine)


def keep_factor(connection: Connection, factor: Factor, codes: Collection[str]) -> None:
    """Store a second factor and the hashes of its recovery codes, in place of older ones."""
    drop_factor(connection, factor.person)
    add_row(connection, SECOND_FACTOR, factor)
    rows = [{"person": factor.person, "hash": code} for code in codes]
    connection.execute(insert(RECOVERY_CODE), rows)


def has_encrypted(connection: Connection) -> bool:
    """Return whether a stored secret depends on the encryption key."""
    return connection.execute(select(SECOND_FACTOR.c.person).limit(1)).first() is not None


def use_step(connection: Connection, person_id: str, step: int) -> bool:
    """Use up the code of a time step; return False if it, or a later one, was used before."""
    c = SECOND_FACTOR.c
    mine = (c.person == person_id) & (c.step < step)
    return connection.execute(update(SECOND_FACTOR).where(mine).values(step=step)).rowcount > 0


def use_recovery_code(connection: Connection, person_id: str, code: str) -> bool:
    c = RECOVERY_CODE.c
    mine = (c.person == person_id) & (c.hash == code)
    return connection.execute(delete(RECOVERY_CODE).where(mine)).rowcount > 0


def recovery_codes_left(connection: Connection, person_id: str) -> int:
    mine = RECOVERY_CODE.c.person == person_id
    return connection.execute(
        select(func.count()).select_from(RECOVERY_CODE).where(mine)
    ).scalar_one()


def drop_factor(connection: Connection, person_id: str) -> None:
    for table in (RECOVERY_CODE, SECOND_FACTOR):
        connection.execute(delete(table).where(table.c.person == person_id))
