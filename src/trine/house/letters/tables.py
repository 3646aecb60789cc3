"""The tables of addresses and devices, and of the notices for them.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import JSON, Column, Double, ForeignKey, Index, Integer, String, Table

from trine.house.store.schema import METADATA

EMAIL_ADDRESS: Final = Table(
    "email_address",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("email", String, nullable=False),
    Column("folded", String, nullable=False),
    Column("language", String, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("leave", String, nullable=False),
    Column("written_at", Double, nullable=False),
    Column("rests_since", Double),
    Index(None, "folded"),
    Index(None, "leave", unique=True),
)
"""The e-mail address of a person, who has confirmed it; ``leave`` is the secret in the link by
which notices are stopped, and good for nothing else. One that rests is written no notices: its mail
server has said that there is no such mailbox."""

LETTER_LINK: Final = Table(
    "letter_link",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("about", JSON, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "person", "kind"),
    Index(None, "expires_at"),
)
"""The hash of the token in a link of a letter, which does one thing once."""

DEVICE: Final = Table(
    "device",
    METADATA,
    Column("id", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("session", ForeignKey("session.hash", ondelete="CASCADE"), nullable=False),
    Column("endpoint", String, nullable=False),
    Column("key", String, nullable=False),
    Column("secret", String, nullable=False),
    Column("language", String, nullable=False),
    Column("made_at", Double, nullable=False),
    Column("written_at", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Index(None, "person"),
    Index(None, "session", unique=True),
)
"""A browser for a person's notifications, by the hash of its endpoint, the address at which a push
service takes messages for it. It is deleted with its session."""

NOTICE: Final = Table(
    "notice",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("device", String, primary_key=True),
    Column("about", String, primary_key=True),
    Column("kind", String, primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "device"),
)
"""A notice for a person about a game or a challenge: for the next message to a device, or for the
next letter where ``device`` is empty."""
