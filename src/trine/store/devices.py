"""Devices on which people are told news: browsers that a push service reaches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from trine.core.text import text
from trine.store.deadlines import change
from trine.store.refusals import TooManyError, UnknownError
from trine.store.schema import DEVICE, DUE, NOTICE, TOKEN
from trine.store.tokens import token_hash

PUSH: Final = "push"
"""The kind of deadline at which a message is sent to a device."""
MOST: Final = 20
"""The devices of one person. Guess."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser on which a person is told news."""

    id: str
    """The hash of the endpoint."""
    person: str
    session: str
    """The hash of the token by which the person is recognised there."""
    endpoint: str
    """The address at which a push service takes messages for it."""
    key: str
    """Its public key, in base64url: whoever has the other half reads the messages."""
    secret: str
    """The secret that authenticates messages, in base64url."""
    language: str
    made_at: float
    """Units: seconds since 1970."""
    written_at: float = 0.0
    """Units: seconds since 1970; when the last message was sent."""
    tries: int = 0
    """The times that the next message could not be sent."""


_DEVICE = select(*(DEVICE.c[field.name] for field in fields(Device)))


def device_id(endpoint: str) -> str:
    """Return the id of the device that is reached at an endpoint."""
    return token_hash(endpoint)


def read_device(connection: Connection, device: str) -> Device | None:
    """Return the device of an id, or None."""
    row = connection.execute(_DEVICE.where(DEVICE.c.id == device)).first()
    return Device(*row) if row else None


def devices_of(connection: Connection, person: str) -> list[Device]:
    """Return the devices of a person, the oldest first."""
    found = connection.execute(_DEVICE.where(DEVICE.c.person == person).order_by(DEVICE.c.made_at))
    return [Device(*row) for row in found]


def keep_device(connection: Connection, device: Device) -> None:
    """Keep a device, in the place of what was known of this browser.

    Raises:
        TooManyError: the person has too many.
        UnknownError: its session has ended.
    """
    session = (TOKEN.c.hash == device.session) & (TOKEN.c.person == device.person)
    if not connection.execute(select(TOKEN.c.hash).where(session)).first():
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
    """Forget a device of a person, and what was to be told there; whether there was one."""
    return _drop(connection, (DEVICE.c.id == device) & (DEVICE.c.person == person)) > 0


def drop_devices(connection: Connection, person: str) -> None:
    """Forget all devices of a person."""
    _drop(connection, DEVICE.c.person == person)


def forget_news(connection: Connection, device: str) -> None:
    """Forget what was to be told on a device, which may be gone."""
    connection.execute(delete(NOTICE).where(NOTICE.c.device == device))
    connection.execute(delete(DUE).where(DUE.c.kind == PUSH, DUE.c.ref == device))


def put_off(connection: Connection, device: Device, tries: int, due: float | None) -> None:
    """Note that a message could not be sent so far: when it is tried again, or None to forget it.

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
