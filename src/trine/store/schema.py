"""The tables, in types that SQLite and PostgreSQL share.

A change here needs a revision in `migrations/versions`; a test compares the two.

Units: times are seconds since 1970, as `time.time` gives them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

FOLDED: Final = String().with_variant(String(collation="C"), "postgresql")
"""A text in the order of its signs, whatever the language of the database, so that an index finds
what begins alike."""

GAME: Final = Table(
    "game",
    METADATA,
    Column("id", String, primary_key=True),
    Column("room", String, nullable=False),
    Column("rules", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("stage", String, nullable=False),
    Column("home", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Index(None, "stage", "created_at"),
)
"""A game, and the process that it is at home in; each change of its home raises the epoch."""

# A table of SQLite ordered by this key itself (WITHOUT ROWID) measured 12,900 events a second in
# commits of 200 games, this one 22,900: rows that are written together are stored together.
EVENT: Final = Table(
    "event",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("actor", Integer),
    Column("kind", String, nullable=False),
    Column("data", JSON, nullable=False),
)
"""An event of a game's journal. Sequence numbers count from 1, without gaps."""

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

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("person.id")),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Index(None, "person", "game"),
)
"""A place at the board of a game, free, or taken by a person or a bot."""

APPEARANCE: Final = Table(
    "appearance",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("person.id")),
    Column("at", Double, nullable=False),
    Column("room", String, nullable=False),
    Column("rules", String, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("by_days", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("score", Double),
    Index(None, "person", "at", "game"),
    Index(None, "listed", "seat", "at", "game"),
    Index(None, "listed", "seat", "room", "at", "game"),
    Index(None, "listed", "seat", "room", "rules", "at", "game"),
)
"""A seat of a game that has begun, with all by which games are searched; the score is 1, 0.5 or 0
once it is over. Games that are not listed are found by those alone who play in them."""

TOKEN: Final = Table(
    "token",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "person"),
    Index(None, "expires_at"),
)
"""The hash of the token by which a browser is recognised; the token itself is never stored."""

INVITATION: Final = Table(
    "invitation",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    ForeignKeyConstraint(["game", "seat"], ["seat.game", "seat.seat"]),
)
"""The hash of the token in a link that leads to a seat."""

DUE: Final = Table(
    "due",
    METADATA,
    Column("kind", String, primary_key=True),
    Column("ref", String, primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "at"),
    Index(None, "kind", "at"),
)
"""A thing that is due at a time, such as the end of a turn of several days."""

TO_MOVE: Final = Table(
    "to_move",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("since", Double, nullable=False),
    Index(None, "person", "since"),
)
"""The person whose turn it is in a game that is not kept in memory."""

DOWNTIME: Final = Table(
    "downtime",
    METADATA,
    Column("ended", Double, primary_key=True, autoincrement=False),
    Column("began", Double, nullable=False),
)
"""A time in which the house was not at work."""

CONDITION: Final = Table(
    "condition",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("turns", Integer, nullable=False),
    Column("tree", JSON, nullable=False),
)
"""The conditional turns of a player, as a tree, from the position after a number of turns."""

STUDY: Final = Table(
    "study",
    METADATA,
    Column("id", String, primary_key=True),
    Column("owner", ForeignKey("person.id"), nullable=False),
    Column("record", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("changed_at", Double, nullable=False),
    Index(None, "owner", "changed_at"),
)
"""A record that a person analyses, as text."""

RATING: Final = Table(
    "rating",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("discipline", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("score", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Index(None, "game", "person", unique=True),
    Index(None, "person", "discipline", "number"),
)
"""The ratings of players after each of their rated games, in the order of the ends."""

ADDRESS: Final = Table(
    "address",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("email", String, nullable=False),
    Column("folded", String, nullable=False),
    Column("language", String, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("leave", String, nullable=False),
    Column("written_at", Double, nullable=False),
    Index(None, "folded"),
    Index(None, "leave", unique=True),
)
"""The e-mail address of a person, who has confirmed it; ``leave`` is the secret in the link by
which notices are stopped, and good for nothing else."""

KEY: Final = Table(
    "key",
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
    Column("session", ForeignKey("token.hash", ondelete="CASCADE"), nullable=False),
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
"""A browser on which a person is told news, by the hash of its endpoint: the address at which a
push service takes messages for it. It goes with its session, whichever way that ends."""

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
"""Something that a person is to be told, about a game or a challenge: in the next message to a
device, or in the next letter where ``device`` is empty."""

API_TOKEN: Final = Table(
    "api_token",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Index(None, "person"),
)
"""The hash of a token by which a program acts for a person, as far as its scopes, which stand
apart by spaces, allow."""

CHALLENGE: Final = Table(
    "challenge",
    METADATA,
    Column("id", String, primary_key=True),
    Column("challenger", ForeignKey("person.id", name="fk_challenge_challenger"), nullable=False),
    Column("challenged", ForeignKey("person.id", name="fk_challenge_challenged"), nullable=False),
    Column("terms", JSON, nullable=False),
    Column("side", Integer),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "challenger"),
    Index(None, "challenged"),
    Index(None, "expires_at"),
)
"""A game to which a person has invited another; ``side`` is the seat of the challenger, if that is
not left to chance."""

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("room", String, nullable=False),
    Column("person", ForeignKey("person.id", name="fk_chat_person"), nullable=False),
    Column("name", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("words", Text, nullable=False),
    Column("preset", String, nullable=False),
    Column("deleted_at", Double),
    Column("turn", Integer),
    Index(None, "person"),
)
"""A line of talk at a game, of its players or of those who look on, or a note on it when it is
over, which may be about a turn. A deleted line stays, for moderators; ``preset`` is the name of a
sentence that every reader has in the own language."""

BLOCK: Final = Table(
    "block",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_block_person"), primary_key=True),
    Column("blocked", ForeignKey("person.id", name="fk_block_blocked"), primary_key=True),
    Column("at", Double, nullable=False),
)
"""A person of whom another wants to hear nothing."""

REPORT: Final = Table(
    "report",
    METADATA,
    Column("id", String, primary_key=True),
    Column("reporter", ForeignKey("person.id", name="fk_report_reporter"), nullable=False),
    Column("person", ForeignKey("person.id", name="fk_report_person"), nullable=False),
    Column("game", String),
    Column("number", Integer),
    Column("why", String, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("done_at", Double),
    Index(None, "done_at", "at"),
    Index(None, "reporter", "at"),
)
"""A complaint about a person, or about a line of chat."""

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

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", String, primary_key=True),
    Column("at", Double, nullable=False),
    Column("actor", ForeignKey("person.id", name="fk_audit_actor")),
    Column("what", String, nullable=False),
    Column("person", ForeignKey("person.id", name="fk_audit_person")),
    Column("told", Text, nullable=False),
    Index(None, "at"),
)
"""A deed of an administrator; the actor is absent where the host has done it."""
HOME: Final = Table(
    "home",
    METADATA,
    Column("name", String, primary_key=True),
    Column("address", String, nullable=False),
    Column("alive_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("swept", Integer, nullable=False),
)
"""A process that plays games, or did: where it is reached, and until when its leases hold,
by the clock of the database. Once they have expired and its games were taken it is swept."""

DUTY: Final = Table(
    "duty",
    METADATA,
    Column("name", String, primary_key=True),
    Column("home", String, nullable=False),
)
"""Something that one process does for all, such as the lobby."""

JOB: Final = Table(
    "job",
    METADATA,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("bot", String, nullable=False),
    Column("elapsed", Double, nullable=False),
    Column("version", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("worker", String),
    Column("answer", JSON(none_as_null=True)),
    Index(None, "at"),
)
"""A turn of a bot that workers in other processes may think about; it goes once it was played."""

WORKER: Final = Table(
    "worker",
    METADATA,
    Column("name", String, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("expires_at", Double, nullable=False),
)
"""A process that takes jobs, and the number of its workers."""

TOURNAMENT: Final = Table(
    "tournament",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner", ForeignKey("person.id"), nullable=False),
    Column("plan", JSON, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("most", Integer, nullable=False),
    Column("stage", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("starts_at", Double),
    Column("began_at", Double),
    Column("ended_at", Double),
    Index(None, "stage", "created_at"),
    Index(None, "owner"),
)
"""A tournament: its plan, and the terms of its games."""

ENTRANT: Final = Table(
    "entrant",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer),
    Column("person", ForeignKey("person.id")),
    Column("bot", String, nullable=False),
    Column("rating", Double, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Index(None, "person", "tournament", unique=True),
)
"""A person or a bot in a tournament, in the order of coming; numbers are given when it begins."""

PAIRING: Final = Table(
    "pairing",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer),
    Column("game", ForeignKey("game.id")),
    Column("first_points", Double),
    Column("second_points", Double),
    Column("played", Boolean, nullable=False),
    Index(None, "game", unique=True),
)
"""A game of a tournament between two numbers, or a round without an opponent. They count from 1."""

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
"""What a browser was asked to sign with a passkey, by the hash of a secret of that browser and of
its session; good for once."""

SEEK: Final = Table(
    "seek",
    METADATA,
    Column("id", String, primary_key=True),
    Column("terms", JSON, nullable=False),
    Column("players", JSON, nullable=False),
    Column("side", Integer),
    Column("opened_at", Double, nullable=False),
)
"""An open seat of the lobby, with the ids of those who wait at it."""
