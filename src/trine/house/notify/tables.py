"""The tables of e-mail addresses, e-mailed links, devices and notices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from sqlalchemy import ColumnElement, Connection, ForeignKey, Index, delete, select, update

from trine.core.text.sentence import text
from trine.house.people.credentials import check_epoch, epoch_of
from trine.house.people.tables import SESSION
from trine.house.store.scheduled_tasks import SCHEDULED_TASK
from trine.house.store.schema import Key, add_row, all_of, first_of, table_of
from trine.house.store.secrets import new_token, token_hash
from trine.house.store.store_errors import MissingRowError, TooManyError

PUSH: Final = "push"  # the kind of task that sends a message to a device
MAX_DEVICES: Final = 20  # per person; guess


@dataclass(frozen=True, slots=True)
class EmailAddress:
    """The confirmed e-mail address of a person; a suspended one gets no notices."""

    person: Annotated[Key[str], "person.id"]
    email: str
    folded: str
    language: str
    wanted: int  # 1 if the person wants notices about games
    leave: str  # the secret in the link that stops the notices, its only use
    written_at: float = 0.0  # seconds since 1970; the time of the last notice
    suspended_at: float | None = None
    """Units: seconds since 1970; when the mail server reported that the mailbox does not exist."""

    @property
    def tells(self) -> bool:
        return bool(self.wanted) and self.suspended_at is None


EMAIL_ADDRESS: Final = table_of(
    "email_address", EmailAddress, Index(None, "folded"), Index(None, "leave", unique=True)
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link in an e-mail, valid once, for one purpose."""

    hash: Key[str]  # the hash of the link's token
    person: Annotated[str, "person.id"]
    kind: str
    about: Mapping[str, Any]
    expires_at: float
    credentials_epoch: int  # the epoch of the person's credentials when the link was made


EMAIL_LINK: Final = table_of(
    "email_link", Link, Index(None, "person", "kind"), Index(None, "expires_at")
)


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice for a person, to be sent with the next message to a device or the next e-mail."""

    person: Annotated[Key[str], "person.id"]
    device: Key[str]  # id of a device; empty for e-mails
    about: Key[str]  # id of the game or challenge
    kind: Key[str]
    at: float


NOTICE: Final = table_of("notice", Notice, Index(None, "device"))


def fold_email(email: str) -> str:
    return email.casefold()


def address_of(connection: Connection, person_id: str) -> EmailAddress | None:
    mine = select(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person_id)
    return first_of(connection, EmailAddress, mine)


def people_at(connection: Connection, email: str) -> list[str]:
    found = connection.execute(
        select(EMAIL_ADDRESS.c.person).where(EMAIL_ADDRESS.c.folded == fold_email(email)).limit(5)
    )
    return list(found.scalars())


def set_address(connection: Connection, person_id: str, email: str, language: str) -> None:
    drop_address(connection, person_id)
    address = EmailAddress(
        person=person_id,
        email=email,
        folded=fold_email(email),
        language=language,
        wanted=1,
        leave=new_token(),
    )
    add_row(connection, EMAIL_ADDRESS, address)


def drop_address(connection: Connection, person_id: str) -> None:
    connection.execute(delete(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person_id))


def set_wanted(connection: Connection, person_id: str, *, wanted: bool) -> None:
    connection.execute(
        update(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person_id).values(wanted=int(wanted))
    )


def set_suspended(connection: Connection, address: EmailAddress, since: float | None) -> None:
    """Suspend or resume an address, unless the person has changed it meanwhile."""
    this = (EMAIL_ADDRESS.c.person == address.person) & (EMAIL_ADDRESS.c.leave == address.leave)
    connection.execute(update(EMAIL_ADDRESS).where(this).values(suspended_at=since))


def stop_by(connection: Connection, leave: str) -> bool:
    """Stop the notices of the address with a secret; return whether there is such an address."""
    mine = EMAIL_ADDRESS.c.leave == leave
    return connection.execute(update(EMAIL_ADDRESS).where(mine).values(wanted=0)).rowcount > 0


def make_key(
    connection: Connection,
    person_id: str,
    kind: str,
    about: Mapping[str, Any],
    expires_at: float,
    epoch: int | None = None,
) -> str:
    """Create a link of a kind and return its token; the person's earlier ones become invalid.

    ``epoch`` is the epoch of the checked credentials; None if none were checked.
    """
    epoch = check_epoch(connection, person_id, epoch)
    drop_keys(connection, person_id, kind)
    token = new_token()
    link = Link(
        hash=token_hash(token),
        person=person_id,
        kind=kind,
        about=about,
        expires_at=expires_at,
        credentials_epoch=epoch,
    )
    add_row(connection, EMAIL_LINK, link)
    return token


def read_key(
    connection: Connection, token: str, kind: str, now: float, *, lock: bool = False
) -> Link | None:
    """Return a valid link; with ``lock``, lock its person's epoch until the transaction ends."""
    c = EMAIL_LINK.c
    here = (c.hash == token_hash(token)) & (c.kind == kind) & (c.expires_at > now)
    link = first_of(connection, Link, select(EMAIL_LINK).where(here))
    if link and link.credentials_epoch == epoch_of(connection, link.person, lock=lock):
        return link
    return None


def use_key(connection: Connection, token: str, kind: str, now: float) -> Link | None:
    link = read_key(connection, token, kind, now, lock=True)
    connection.execute(delete(EMAIL_LINK).where(EMAIL_LINK.c.hash == token_hash(token)))
    return link


def drop_keys(connection: Connection, person_id: str, kind: str = "") -> None:
    """Delete a person's links of one kind, or of all kinds."""
    mine = EMAIL_LINK.c.person == person_id
    if kind:
        mine &= EMAIL_LINK.c.kind == kind
    connection.execute(delete(EMAIL_LINK).where(mine))


def drop_expired_keys(connection: Connection, now: float) -> None:
    connection.execute(delete(EMAIL_LINK).where(EMAIL_LINK.c.expires_at <= now))


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that shows a person's notifications; its row is deleted with its session."""

    id: Key[str]  # the hash of the endpoint
    person: Annotated[str, "person.id"]
    session: Annotated[str, ForeignKey("session.hash", ondelete="CASCADE")]
    """The hash of the session's token."""
    endpoint: str  # the URL of the push service for messages to the device
    key: str  # the browser's public key for encrypting messages, in base64url
    secret: str  # the secret that authenticates messages, in base64url
    language: str
    made_at: float
    written_at: float = 0.0  # seconds since 1970; the time of the last message


DEVICE: Final = table_of(
    "device", Device, Index(None, "person"), Index(None, "session", unique=True)
)


def device_id(endpoint: str) -> str:
    return token_hash(endpoint)


def read_device(connection: Connection, device: str) -> Device | None:
    return first_of(connection, Device, select(DEVICE).where(DEVICE.c.id == device))


def devices_of(connection: Connection, person_id: str) -> list[Device]:
    mine = select(DEVICE).where(DEVICE.c.person == person_id)
    return all_of(connection, Device, mine.order_by(DEVICE.c.made_at))


def has_devices(connection: Connection) -> bool:
    """Return whether a device is subscribed, so that the house needs its present push key."""
    return connection.execute(select(DEVICE.c.id).limit(1)).first() is not None


def keep_device(connection: Connection, device: Device) -> None:
    """Store a device, in place of any former one of this browser.

    Raises `TooManyError`, or a `MissingRowError` if the device's session has ended.
    """
    session = (SESSION.c.hash == device.session) & (SESSION.c.person == device.person)
    held = select(SESSION.c.hash).where(session).with_for_update(read=True)
    if not connection.execute(held).first():
        raise MissingRowError(text("log in first"))
    drop_devices(connection, (DEVICE.c.id == device.id) | (DEVICE.c.session == device.session))
    if len(devices_of(connection, device.person)) >= MAX_DEVICES:
        raise TooManyError(
            text("you have {count} devices already, the most allowed", count=MAX_DEVICES)
        )
    add_row(connection, DEVICE, device)


def drop_device(connection: Connection, device: str, person_id: str) -> bool:
    return drop_devices(connection, (DEVICE.c.id == device) & (DEVICE.c.person == person_id)) > 0


def forget_news(connection: Connection, device: str) -> None:
    """Delete the notices for a device, which may no longer exist."""
    connection.execute(delete(NOTICE).where(NOTICE.c.device == device))
    connection.execute(
        delete(SCHEDULED_TASK).where(SCHEDULED_TASK.c.kind == PUSH, SCHEDULED_TASK.c.ref == device)
    )


def drop_devices(connection: Connection, which: ColumnElement[bool]) -> int:
    names = select(DEVICE.c.id).where(which)
    connection.execute(delete(NOTICE).where(NOTICE.c.device.in_(names)))
    connection.execute(
        delete(SCHEDULED_TASK).where(SCHEDULED_TASK.c.kind == PUSH, SCHEDULED_TASK.c.ref.in_(names))
    )
    return connection.execute(delete(DEVICE).where(which)).rowcount
