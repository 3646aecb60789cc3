"""The messages between pages and the house: the common parts of all sockets.

A message is a JSON object whose ``t`` says its class. Incoming messages are validated by their
class; outgoing ones are encoded from theirs, with sentences in the reader's language.
`scripts/page_types.py` generates the types of the pages' scripts from these classes and those of
the subjects.
"""

import gzip
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from trine.core.scene.scene import Say
from trine.core.text.sentence import Text

FRAME: Final = 4096  # bytes; the longest incoming message
MIN_COMPRESSED: Final = 1400  # bytes; smaller messages fit into one packet, and are not compressed
LEVEL: Final = 1  # of gzip; level 6 saves 5 % more bytes and takes 50 % longer

T = TypeVar("T")

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z.-]+$")]
"""A name that the sender of a message chooses. The reply repeats it, and a command with a name that
was seen already is not carried out again."""


class Received(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """An incoming message of a page."""


class Call(Received):
    """A message that gets a reply."""

    id: Name


class Pong(Received, tag="pong"):
    """The answer to a ping."""

    n: Annotated[int, Meta(ge=0, le=10_000_000)]


def decode_json(decoder: msgspec.json.Decoder[T], words: str | bytes) -> T:
    """Decode JSON from an untrusted client; raises `msgspec.DecodeError`.

    >>> decode_json(msgspec.json.Decoder(Pong), '{"t":"pong","n":3}').n
    3
    >>> decode_json(msgspec.json.Decoder(), "[" * 3000)
    Traceback (most recent call last):
    msgspec.DecodeError: it is nested too deeply
    """
    try:
        return decoder.decode(words)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from None


class Sent(msgspec.Struct, tag_field="t"):
    """An outgoing message of the house."""


class Ping(Sent, tag="ping", omit_defaults=True):
    """A ping, sent every few seconds; the page replies at once."""

    n: int
    now: float  # seconds since 1970; the house's time
    spread: float | None = None
    """Units: seconds. Pages that lose the connection reconnect within this time, each at a random
    moment, so that the house is not overrun."""


class Busy(Sent, tag="busy"):
    """A command of the page has arrived and waits, because the house is busy."""

    why: Text


class Go(Sent, tag="go"):
    """A game of this visitor has begun."""

    game: str


class Reply(Sent, omit_defaults=True, kw_only=True):
    """The reply to a message."""

    id: str = ""  # name of the message that this replies to


class No(Reply, tag="no"):
    """A refusal."""

    why: Text
    seq: int | None = None  # number of a game's last event


def write_message(message: Sent, say: Say) -> str | bytes:
    """Return an encoded message: JSON as text, or compressed.

    >>> write_message(Ping(3, 1.5), str)
    '{"t":"ping","n":3,"now":1.5}'
    """
    plain = msgspec.json.encode(message, enc_hook=say)
    return plain.decode() if len(plain) < MIN_COMPRESSED else gzip.compress(plain, LEVEL, mtime=0)
