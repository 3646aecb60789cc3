"""Devices for notifications: browsers that a push service reaches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from trine.core.text.sentence import text
from trine.house.letters.tables import DEVICE, NOTICE
from trine.house.people.tables import SESSION
from trine.house.store.deadlines import DUE, change
from trine.house.store.refusals import TooManyError, UnknownError
from trine.house.store.secrets import token_hash

PUSH: Final = "push"
"""The kind of deadline at which a message is sent to a device."""
MOST: Final = 20
"""The largest number of devices of a person. Guess."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that shows a person's notifications."""

    id: str
    """The hash of the endpoint."""
    person: str
    session: str
    """The hash of the token by which the person is recognised there."""
    endpoint: str
    """The address at which a push service takes messages for it."""
    key: str
    """The public key of the browser, in base64url, with which messages are sealed."""
    secret: str
    """The secret that authenticates messages, in base64url."""
    language: str
    made_at: float
    """Units: seconds since 1970."""
    written_at: float = 0.0
    """Units: seconds since 1970; the time of the last message."""
    tries: int = 0
    """The number of failed attempts at the next message."""


_DEVICE = select(*(DEVICE.c[field.name] for field in fields(Device)))


def device_id(endpoint: str) -> str:
    """Return the id of the device at an endpoint."""
    return token_hash(endpoint)


def read_device(connection: Connection, device: str) -> Device | None:
    """Return the device of an id, or None."""
    row = connection.execute(_DEVICE.where(DEVICE.c.id == device)).first()
    return Device(*row) if row else None


def devices_of(connection: Connection, person: str) -> list[Device]:
    """Return the devices of a person, the oldest first."""
    found = connection.execute(_DEVICE.where(DEVICE.c.person == person).order_by(DEVICE.c.made_at))
    return [Device(*row) for row in found]


def has_devices(connection: Connection) -> bool:
    """Return whether there is a device, which only the key that it has been told of can reach."""
    return connection.execute(select(DEVICE.c.id).limit(1)).first() is not None


def keep_device(connection: Connection, device: Device) -> None:
    """Store a device, in place of what was known of this browser.

    Raises:
        TooManyError: the person has too many.
        UnknownError: its session has ended.
    """
    session = (SESSION.c.hash == device.session) & (SESSION.c.person == device.person)
    if not connection.execute(select(SESSION.c.hash).where(session)).first():
        raise UnknownError(text("log in first"))
    _drop(connection, (DEVICE.c.id == device.id) | (DEVICE.c.session == device.session))
    if len(devices_of(connection, device.person)) >= MOST:
        raise TooManyError(
            text("you are told news on {count} devices, and no more fit", count=MOST)
        )
    connection.execute(
        insert(DEVICE).values({one.name: getattr(device, one.name) for one in fields(Device)})
    )


def drop_device(connection: Connection, device: str, person: str) -> bool:
    """Remove a device of a person and its notices; return whether there was one."""
    return _drop(connection, (DEVICE.c.id == device) & (DEVICE.c.person == person)) > 0


def drop_devices(connection: Connection, person: str) -> None:
    """Remove all devices of a person."""
    _drop(connection, DEVICE.c.person == person)


def forget_news(connection: Connection, device: str) -> None:
    """Remove the notices for a device, which may be gone."""
    connection.execute(delete(NOTICE).where(NOTICE.c.device == device))
    connection.execute(delete(DUE).where(DUE.c.kind == PUSH, DUE.c.ref == device))


def put_off(connection: Connection, device: Device, tries: int, due: float | None) -> None:
    """Record a failed message, and when it is tried again; None gives it up.

    Args: ``tries`` count what has failed.
    """
    mine = DEVICE.c.id == device.id
    connection.execute(update(DEVICE).where(mine).values(tries=tries))
    if due is None:
        forget_news(connection, device.id)
    else:
        change(connection, {(PUSH, device.id): due})


def _drop(connection: Connection, which: ColumnElement[bool]) -> int:
    names = select(DEVICE.c.id).where(which)
    connection.execute(delete(NOTICE).where(NOTICE.c.device.in_(names)))
    connection.execute(delete(DUE).where(DUE.c.kind == PUSH, DUE.c.ref.in_(names)))
    return connection.execute(delete(DEVICE).where(which)).rowcount
