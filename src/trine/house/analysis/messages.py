"""The messages of the socket of an analysis, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from trine.core.contract.choices import Choosable
from trine.core.contract.editor import BoxPart, Setting
from trine.core.scene.scene import View
from trine.core.text.sentence import NOTHING, Text
from trine.house.games.messages import Id, Ids, Line, Reach, Reached
from trine.house.web.messages import Name, No, Ping, Pong, Received, Reply, Sent, decode_json

# --- in ------------------------------------------------------------------------------------------

Node = Annotated[int, Meta(ge=0, le=1_000_000)]
"""The number of a node of the tree; 0 is the beginning."""
Note = Annotated[str, Meta(max_length=500)]
Named = Annotated[str, Meta(max_length=16)]


class Go(Received, tag="go"):
    """Look at a node."""

    node: Node
    slowly: Literal[-1, 0, 1] = 0
    """1 for one more action of its turn than is done so far, -1 for all actions but the last."""


class Act(Received, tag="act"):
    """Play actions behind a node; whole turns come into the tree."""

    id: Name
    node: Node
    a: Ids
    """All actions of the open turn, and of turns behind it."""
    line: Line = ""
    """The line typed behind them, such as ``setup 99of9``."""


class Why(Received, tag="why"):
    """Ask why something cannot be done behind the draft."""

    id: Name
    picks: Ids


class Look(Received, tag="look"):
    """Choose how the board is seen."""

    seat: Annotated[int, Meta(ge=0, le=3)] = 0
    insight: bool = False


class Remark(Received, tag="note"):
    """Remark something on a turn."""

    id: Name
    node: Node
    words: Note


class Change(Received, tag="change"):
    """Change the tree at a node."""

    id: Name
    node: Node
    what: Literal["promote", "remove"]


class Think(Received, tag="think"):
    """Have the computer think about what is looked at, or not."""

    on: bool
    lines: Annotated[int, Meta(ge=1, le=3)] = 1


class Explore(Received, tag="explore"):
    """Look up what was played from the positions that are looked at, or not."""

    on: bool


class Review(Received, tag="review"):
    """Have the whole game reviewed."""

    id: Name


class Edit(Received, tag="edit"):
    """Set a position up: begin with the one that is looked at, leave, use what is set up."""

    id: Name
    what: Literal["begin", "empty", "leave", "use"]


class Put(Received, tag="put"):
    """Put a part of the box on a spot, or what stands on a spot elsewhere or off the board."""

    id: Name
    to: Annotated[str, Meta(max_length=16)]
    """A spot; empty is off the board."""
    part: Named = ""
    origin: Named = ""
    """The spot from which it is taken; empty for a part of the box."""


class Set(Received, tag="set"):
    """Choose something of a position that is no piece."""

    id: Name
    name: Id
    value: Named


Incoming: TypeAlias = (
    Go
    | Act
    | Why
    | Reach
    | Look
    | Remark
    | Change
    | Think
    | Explore
    | Review
    | Edit
    | Put
    | Set
    | Pong
)
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Read what came in.

    Raises:
        msgspec.DecodeError: it is no message.

    >>> read_message('{"t":"go","node":3}').node
    3
    """
    message: Incoming = decode_json(_DECODER, words)
    return message


# --- out -----------------------------------------------------------------------------------------

Row: TypeAlias = tuple[int, int, str, str, str, int]
"""A turn of the tree: its number, that of the one before it, its tag, its words, the note on it,
and 1 where it was played."""


class Tree(Sent, tag="tree"):
    """The whole tree."""

    version: int
    own: bool
    """Whether it belongs to the reader."""
    nodes: list[Row]
    saved: bool
    fault: Text
    """Why it could not be saved."""


class At(Sent, tag="at", kw_only=True):
    """The node that is looked at."""

    node: int
    place: str
    """Its place in the tree, for the address of the page."""
    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    """The spots on which a gesture may begin."""
    draft: list[str]
    turn: str
    mover: int
    status: Sequence[Text]
    setup: list[str]
    """The words that set pieces up."""
    note: str
    result: Text
    told: Text
    """The player to move, and what to do next."""
    over: bool
    insight: Sequence[Text]


class TurnOfLine(msgspec.Struct):
    """A turn of a line that the computer thinks of."""

    tag: str
    words: str
    ids: Sequence[str]


class LineOfThought(msgspec.Struct):
    """A line that the computer thinks of."""

    score: Text
    turns: list[TurnOfLine]


class Chance(msgspec.Struct):
    """The chance of a player to win."""

    name: Text
    share: int
    """Units: per cent."""


class Findings(msgspec.Struct):
    """The computer's findings so far."""

    lines: list[LineOfThought]
    paths: Sequence[Sequence[str]]
    """The picks of each action of the first turn, for arrows."""
    depth: int
    told: Sequence[Text]
    """The reasons for the best line."""
    chances: Sequence[Chance]


State: TypeAlias = Literal["thinking", "waking", "done", "over", "away", "unfair", "failed"]


class Thinking(Sent, tag="thought", omit_defaults=True):
    """How far the computer has come with a node."""

    state: State
    node: int
    found: Findings | None = None


class ExploredGame(msgspec.Struct):
    """A game of the archive."""

    players: list[tuple[Text, int]]
    """Each with the rating, which is 0 where it is not known."""
    year: str
    link: str
    """Its page; empty for a game from elsewhere."""


class ExploredTurn(msgspec.Struct):
    """A turn that was played in games of the archive."""

    words: str
    ids: list[str]
    """Its actions; none where a player has left."""
    games: int
    score: int | None
    """Of its player. Units: per cent."""
    rating: int | None
    """The mean of its players."""
    meetings: list[ExploredGame]
    """Those of the highest rated of them, as far as they have names."""


class Explored(Sent, tag="explored", omit_defaults=True):
    """The turns played from a node, the most frequent first."""

    node: int
    told: Text
    turns: Sequence[ExploredTurn] = ()
    more: Text = NOTHING
    """The other turns."""
    pictured: bool = False
    """Whether a picture tells these turns better than words, as of a whole setup."""


class Reviewing(Sent, tag="reviewing", omit_defaults=True):
    """How far a review has come, or why there is none."""

    done: int = 0
    total: int = 0
    turn: str = ""
    why: Text = NOTHING


class Reviewed(Sent, tag="reviewed"):
    """A review."""

    html: str
    """The report."""
    nodes: list[int]
    """The main line that was reviewed."""


class Editing(Sent, tag="edit"):
    """A position that is being set up."""

    view: View
    parts: Sequence[BoxPart]
    settings: Sequence[Setting]
    standing: list[str]
    """The spots with something that can be taken away."""
    refusal: Text


class Ok(Reply, tag="ok"):
    """It is done."""

    why: Text = NOTHING
    """The reason that was asked for."""
    go: str = ""
    """The analysis to go on with."""


Outgoing: TypeAlias = (
    Tree | At | Thinking | Explored | Reviewing | Reviewed | Editing | Ok | Reached | No | Ping
)
