"""The messages of the socket of an analysis: one schema, by which what comes in is checked."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from trine.web.messages import Id, Ids, Line, Name, Pong, Structure

Node = Annotated[int, Meta(ge=0, le=1_000_000)]
"""The number of a node of the tree; 0 is the beginning."""
Note = Annotated[str, Meta(max_length=500)]
Named = Annotated[str, Meta(max_length=16)]


class Go(Structure, tag="go"):
    """Look at a node."""

    node: Node


class Act(Structure, tag="act"):
    """Play actions behind a node; whole turns come into the tree."""

    id: Name
    node: Node
    a: Ids
    """All actions of the open turn, and of turns behind it."""
    line: Line = ""
    """The line typed behind them, such as ``setup 99of9``."""


class Why(Structure, tag="why"):
    """Ask why something cannot be done behind the draft."""

    id: Name
    picks: Ids


class Look(Structure, tag="look"):
    """Choose how the board is seen."""

    seat: Annotated[int, Meta(ge=0, le=3)] = 0
    insight: bool = False


class Remark(Structure, tag="note"):
    """Remark something on a turn."""

    id: Name
    node: Node
    words: Note


class Change(Structure, tag="change"):
    """Change the tree at a node."""

    id: Name
    node: Node
    what: Literal["promote", "remove"]


class Think(Structure, tag="think"):
    """Have the computer think about what is looked at, or not."""

    on: bool
    lines: Annotated[int, Meta(ge=1, le=3)] = 1


class Review(Structure, tag="review"):
    """Have the whole game reviewed."""

    id: Name


class Edit(Structure, tag="edit"):
    """Set a position up: begin with the one that is looked at, leave, use what is set up."""

    id: Name
    what: Literal["begin", "empty", "leave", "use"]


class Put(Structure, tag="put"):
    """Put a part of the box on a spot, or what stands on a spot elsewhere or off the board."""

    id: Name
    to: Annotated[str, Meta(max_length=16)]
    """A spot; empty is off the board."""
    part: Named = ""
    origin: Named = ""
    """The spot from which it is taken; empty for a part of the box."""


class Set(Structure, tag="set"):
    """Choose something of a position that is no piece."""

    id: Name
    name: Id
    value: Named


Incoming: TypeAlias = (
    Go | Act | Why | Look | Remark | Change | Think | Review | Edit | Put | Set | Pong
)
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Read what came in.

    Raises:
        msgspec.DecodeError: it is no message.

    >>> read_message('{"t":"go","node":3}').node
    3
    """
    message: Incoming = _DECODER.decode(words)
    return message


def message_schema() -> dict[str, object]:
    """The JSON Schema of what comes in."""
    return msgspec.json.schema(Incoming)
