"""The messages of the sockets: how they are sent, and the schema of what comes in for a game.

What comes in is a JSON object whose ``t`` says which of these it is. ``id`` is a name that the
sender chooses; the answer has it, and a command that comes again under it is not done again.
"""

from __future__ import annotations

import gzip
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z.-]+$")]
Id = Annotated[str, Meta(min_length=1, max_length=16)]
"""An action, a spot or a button."""
Ids = Annotated[list[Id], Meta(max_length=64)]
Turns = Annotated[list[Ids], Meta(max_length=16)]
FRAME = 4096
"""Units: bytes; no message that comes in is longer."""
SMALL: Final = 1000
"""Units: bytes; smaller messages are not compressed."""
LEVEL: Final = 4
"""Of compression; higher ones take twice the time for a hundredth less."""
Seq = Annotated[int, Meta(ge=0, le=10_000_000)]
Line = Annotated[str, Meta(max_length=200)]


class Structure(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """The fields that all incoming messages share."""


class Turn(Structure, tag="turn"):
    """Play a whole turn."""

    id: Name
    at: Annotated[Seq, Meta(description="The number of the last event that the sender has seen.")]
    a: Annotated[Ids, Meta(description="Its actions.")] = []
    line: Annotated[Line, Meta(description="Or its words, as records write them.")] = ""


class Draft(Structure, tag="draft"):
    """Judge a part of a turn, and show it to its player alone."""

    id: Name
    at: Seq
    a: Ids
    line: Annotated[
        Line, Meta(description="The line typed for these actions, such as `setup 99of9`.")
    ] = ""


class Condition(Structure, tag="if"):
    """Keep a line of conditional turns, or forget its end; an empty one forgets them all."""

    id: Name
    at: Seq
    line: Turns
    """Turns after each other from the position as it stands; the last is an answer of one's own."""
    drop: bool = False


class Ahead(Structure, tag="ahead"):
    """Ask how the game would stand after turns that have not been played."""

    id: Name
    at: Seq
    path: Turns
    a: Ids = []
    """Actions of the turn behind them."""


class Offer(Structure, tag="offer"):
    """Ask the others for something."""

    id: Name
    at: Seq
    what: Annotated[str, Meta(min_length=1, max_length=16, pattern="^[a-z]+$")]


class Answer(Structure, tag="answer"):
    """Agree to what another asks for, or do not."""

    id: Name
    what: Annotated[str, Meta(min_length=1, max_length=16)]
    yes: bool


class Do(Structure, tag="do"):
    """Something that needs no more words."""

    id: Name
    what: Literal["resign", "abort", "claim", "claim-draw", "rematch", "resume"]


class Why(Structure, tag="why"):
    """Ask why something cannot be done behind a draft."""

    id: Name
    a: Ids
    picks: Ids
    path: Turns = []
    """Turns before it that have not been played."""


class Hint(Structure, tag="hint"):
    """Ask what the computer would play."""

    id: Name


class Say(Structure, tag="say"):
    """Say something in a room of the game."""

    id: Name
    room: Literal["players", "watchers"]
    words: Annotated[str, Meta(max_length=400)] = ""
    preset: Annotated[str, Meta(max_length=16)] = ""
    """The name of a sentence, in place of words."""


class Mind(Structure, tag="mind"):
    """Do something about a line of chat, or about whoever has said it."""

    id: Name
    number: Seq
    what: Literal["report", "block"]
    why: Annotated[str, Meta(max_length=16)] = ""
    """The reason of a report."""


class Look(Structure, tag="look"):
    """Choose how the game is seen."""

    seat: Annotated[int, Meta(ge=0, le=3)] | None = None
    """From whose side; none is the own one."""
    insight: bool = False


class Pong(Structure, tag="pong"):
    """The answer to a ping."""

    n: Seq


Incoming: TypeAlias = (
    Turn | Draft | Condition | Ahead | Offer | Answer | Do | Why | Hint | Say | Mind | Look | Pong
)
Command: TypeAlias = Turn | Offer | Answer | Do | Why
"""The messages that programs may send in a game, too."""
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Read what came in.

    Raises:
        msgspec.DecodeError: it is no message.

    >>> read_message('{"t":"turn","id":"1","at":3,"a":["e2"]}').a
    ['e2']
    """
    message: Incoming = _DECODER.decode(words)
    return message


def write_message(message: Any) -> str | bytes:
    """Return a message as it is sent: JSON as text, or compressed.

    >>> write_message({"t": "ok", "seq": 3})
    '{"t":"ok","seq":3}'
    """
    plain = msgspec.json.encode(message)
    return plain.decode() if len(plain) < SMALL else gzip.compress(plain, LEVEL, mtime=0)


def message_schema() -> dict[str, object]:
    """The JSON Schema of what comes in."""
    return msgspec.json.schema(Incoming)
