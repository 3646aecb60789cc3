"""Second factors: the secret of a device that makes codes, and codes for when it is lost."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.house.people.seal import is_sealed
from trine.house.people.tables import RECOVERY_CODE, SECOND_FACTOR


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor of an account."""

    person: str
    secret: str
    """Sealed; in base32 where a version before has kept it and there is no key yet."""
    step: int
    """The last step of time of which a code was used."""
    made_at: float
    """Units: seconds since 1970."""


def factor_of(connection: Connection, person: str) -> Factor | None:
    """Return the second factor of a person, or None."""
    found = select(SECOND_FACTOR).where(SECOND_FACTOR.c.person == person)
    row = connection.execute(found).first()
    return Factor(*row) if row else None


def keep_factor(connection: Connection, factor: Factor, codes: Collection[str]) -> None:
    """Keep a second factor in place of any other, with the hashes of its recovery codes."""
    drop_factor(connection, factor.person)
    connection.execute(
        insert(SECOND_FACTOR).values(
            person=factor.person, secret=factor.secret, step=factor.step, made_at=factor.made_at
        )
    )
    rows = [{"person": factor.person, "hash": code} for code in codes]
    connection.execute(insert(RECOVERY_CODE), rows)


def seal_all(connection: Connection, close: Callable[[str, str], str]) -> None:
    """Seal all secrets that are not sealed.

    Args: ``close`` seals a secret for a person.
    """
    c = SECOND_FACTOR.c
    for person, secret in connection.execute(select(c.person, c.secret)).all():
        if not is_sealed(secret):
            values = {"secret": close(secret, person)}
            here = (c.person == person) & (c.secret == secret)
            connection.execute(update(SECOND_FACTOR).where(here).values(values))


def has_sealed(connection: Connection) -> bool:
    """Return whether a secret is sealed, which only the key that sealed it opens."""
    return any(map(is_sealed, connection.execute(select(SECOND_FACTOR.c.secret)).scalars()))


def use_step(connection: Connection, person: str, step: int) -> bool:
    """Use the code of a step of time; return False if one of it, or of a later one, was used."""
    c = SECOND_FACTOR.c
    mine = (c.person == person) & (c.step < step)
    return connection.execute(update(SECOND_FACTOR).where(mine).values(step=step)).rowcount > 0


def use_recovery_code(connection: Connection, person: str, code: str) -> bool:
    """Use up a recovery code, given its hash; return whether it was good."""
    c = RECOVERY_CODE.c
    mine = (c.person == person) & (c.hash == code)
    return connection.execute(delete(RECOVERY_CODE).where(mine)).rowcount > 0


def recovery_codes_left(connection: Connection, person: str) -> int:
    """Return the number of recovery codes that a person has left."""
    mine = RECOVERY_CODE.c.person == person
    return connection.execute(
        select(func.count()).select_from(RECOVERY_CODE).where(mine)
    ).scalar_one()


def drop_factor(connection: Connection, person: str) -> None:
    """Remove the second factor of a person."""
    for table in (RECOVERY_CODE, SECOND_FACTOR):
        connection.execute(delete(table).where(table.c.person == person))
