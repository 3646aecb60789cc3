"""The tables of people, and of what a browser is recognised by.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from trine.house.store.schema import FOLDED, METADATA

PERSON: Final = Table(
    "person",
    METADATA,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("created_at", Double, nullable=False),
)
"""A person who plays."""

ACCOUNT: Final = Table(
    "account",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("folded", FOLDED, nullable=False),
    Column("password", String, nullable=False),
    Column("role", String),
    Column("since", Double, nullable=False),
    Index(None, "folded", unique=True),
)
"""A person who is known by a name and a password, of which a hash is stored; it is empty where
passkeys alone let the person in. Two names that are folded to the same text look alike."""

FORMER_NAME: Final = Table(
    "former_name",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id", name="fk_former_name_person")),
    Column("at", Double, nullable=False),
    Index(None, "person", "at"),
)
"""A name that was an account's, by the hash of its folded form: it leads to the account, or to
nobody any more where that was deleted. Nobody else can have it."""

SESSION: Final = Table(
    "session",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("agent", String),
    Column("alarm", Double),
    Index(None, "person"),
    Index(None, "expires_at"),
)
"""A browser that is recognised, by the hash of its token; the token itself is never stored. There
its owner is to be told of a login from a browser that was new at the time of the alarm."""

BROWSER: Final = Table(
    "browser",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_browser_person"), primary_key=True),
    Column("hash", String, primary_key=True),
    Column("first_at", Double, nullable=False),
    Column("last_at", Double, nullable=False),
    Column("known", Boolean, nullable=False),
    Index(None, "hash"),
)
"""A browser in which a person has logged in, by the hash of a secret that it keeps; one that is not
known yet came after others, and its owner has not been told."""

USED_FROM: Final = Table(
    "used_from",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_used_from_person"), primary_key=True),
    Column("mark", String, primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "mark"),
    Index(None, "at"),
)
"""A network address from which an account was used within a day, by a mark that nobody can read
without the key of the house."""

PASSKEY: Final = Table(
    "passkey",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("public_key", String, nullable=False),
    Column("counter", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("made_at", Double, nullable=False),
    Column("used_at", Double),
    Index(None, "person"),
)
"""A passkey of an account: its id and its public key, both in base64url."""

SECOND_FACTOR: Final = Table(
    "second_factor",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_second_factor_person"), primary_key=True),
    Column("secret", String, nullable=False),
    Column("step", Integer, nullable=False),
    Column("made_at", Double, nullable=False),
)
"""The secret by which a device of an account makes codes, sealed by the key of the house, and the
last step of time of which a code was used; none up to it is good again."""

RECOVERY_CODE: Final = Table(
    "recovery_code",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_recovery_code_person"), primary_key=True),
    Column("hash", String, primary_key=True),
)
"""The hash of a code that is good once where the device is lost."""

CEREMONY: Final = Table(
    "ceremony",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("purpose", String, nullable=False),
    Column("challenge", String, nullable=False),
    Column("about", JSON, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "expires_at"),
)
"""A challenge for a passkey, by the hashes of a secret of the browser and of its session; valid
once."""

PRESS: Final = Table(
    "press",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("path", String, nullable=False),
    Column("at", Double, nullable=False),
    Index(None, "at"),
)
"""A form that was sent within a minute, by the hash of its name and its sender, and where it led,
veiled by its name; that is empty until it is done."""

BLOCK: Final = Table(
    "block",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_block_person"), primary_key=True),
    Column("blocked", ForeignKey("person.id", name="fk_block_blocked"), primary_key=True),
    Column("at", Double, nullable=False),
)
"""A person of whom another wants to hear nothing."""

FOLLOW: Final = Table(
    "follow",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_follow_person"), primary_key=True),
    Column("followed", ForeignKey("person.id", name="fk_follow_followed"), primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "followed"),
)
"""A person whom another follows; nobody but the follower is told."""

SANCTION: Final = Table(
    "sanction",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", ForeignKey("person.id", name="fk_sanction_person"), nullable=False),
    Column("kind", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("until", Double, nullable=False),
    Column("why", Text, nullable=False),
    Index(None, "until"),
)
"""Something that a person is kept from until a time: speaking, or being here at all."""
