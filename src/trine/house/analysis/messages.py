"""The messages of the socket of an analysis, both ways."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from trine.core.contract.choices import Choosable
from trine.core.contract.editor import BoxPart, Setting
from trine.core.scene.scene import View
from trine.core.text.sentence import NOTHING, Text
from trine.house.games.view.messages import Id, Ids, Line, Reach, Reached
from trine.house.web.messages import Call, No, Ping, Pong, Received, Reply, Sent, decode_json

# --- from pages ----------------------------------------------------------------------------------

Node = Annotated[int, Meta(ge=0, le=1_000_000)]  # number of a node of the tree; 0 is the beginning
Note = Annotated[str, Meta(max_length=500)]
Named = Annotated[str, Meta(max_length=16)]


class Go(Received, tag="go"):
    """Show a node."""

    node: Node
    slowly: Literal[-1, 0, 1] = 0
    """1 adds one action of the node's turn to the draft, -1 drops the last action; 0 shows all."""


class Act(Call, tag="act"):
    """Play actions after a node; complete turns are added to the tree."""

    node: Node
    a: Ids  # all actions of the open turn, and of the following turns
    line: Line = ""  # a line typed after the actions, such as ``setup 99of9``


class Why(Call, tag="why"):
    """Ask why picks after the draft are not legal."""

    picks: Ids


class Look(Received, tag="look"):
    """Choose the seat that the board is viewed from, and whether insights are shown."""

    seat: Annotated[int, Meta(ge=0, le=3)] = 0
    insight: bool = False


class Remark(Call, tag="note"):
    """Set the note on a turn."""

    node: Node
    words: Note


class Change(Call, tag="change"):
    """Promote the variation of a node, or remove the node."""

    node: Node
    what: Literal["promote", "remove"]


class Think(Received, tag="think"):
    """Switch the computer's thinking about the viewed position on or off."""

    on: bool
    lines: Annotated[int, Meta(ge=1, le=3)] = 1


class Explore(Received, tag="explore"):
    """Switch the archive lookup for viewed positions on or off."""

    on: bool


class Review(Call, tag="review"):
    """Request a review of the whole game."""


class Edit(Call, tag="edit"):
    """Set up a position: begin with the viewed one, empty the board, leave, or use the result."""

    what: Literal["begin", "empty", "leave", "use"]


class Put(Call, tag="put"):
    """Put a part from the box on a spot, or move a piece to another spot or off the board."""

    to: Annotated[str, Meta(max_length=16)]  # the target spot; empty for off the board
    part: Named = ""
    origin: Named = ""  # the origin of the piece, a spot; empty for a part from the box


class Set(Call, tag="set"):
    """Choose the value of a setting of the position."""

    name: Id
    value: Named


EditCommand: TypeAlias = Edit | Put | Set  # the commands that set up a position
Incoming: TypeAlias = (
    Go | Act | Why | Reach | Look | Remark | Change | Think | Explore | Review | EditCommand | Pong
)
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Decode an incoming message.

    Raises:
        msgspec.DecodeError: the text is no message.

    >>> read_message('{"t":"go","node":3}').node
    3
    """
    message: Incoming = decode_json(_DECODER, words)
    return message


# --- to pages ------------------------------------------------------------------------------------

Row: TypeAlias = tuple[int, int, str, str, str, int]
"""A turn of the tree: its number, the number of the turn before, its tag, its notation, its note,
and 1 if it was played in the game."""


class Tree(Sent, tag="tree"):
    """The whole tree."""

    version: int
    own: bool  # whether the viewer owns the study
    nodes: list[Row]
    saved: bool
    fault: Text  # the reason if the last change could not be saved


class At(Sent, tag="at", kw_only=True):
    """The viewed node."""

    node: int
    place: str  # the place of the node in the tree, for the page's URL
    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]  # the spots where a gesture may begin
    draft: list[str]
    turn: str
    mover: int
    status: Sequence[Text]
    setup: list[str]  # the words that can be typed to set up pieces
    note: str
    result: Text
    told: Text  # the player to move, and what to do next
    over: bool
    insight: Sequence[Text]


class TurnOfLine(msgspec.Struct):
    """A turn of a line found by the computer."""

    tag: str
    words: str
    ids: Sequence[str]


class LineOfThought(msgspec.Struct):
    """A line found by the computer, with its score."""

    score: Text
    turns: list[TurnOfLine]


class Chance(msgspec.Struct):
    """A player's chance to win."""

    name: Text
    share: int  # per cent


class Findings(msgspec.Struct):
    """The computer's findings so far."""

    lines: list[LineOfThought]
    paths: Sequence[Sequence[str]]  # the picks of each action of the first turn, for arrows
    depth: int
    told: Sequence[Text]  # the reasons for the best line
    chances: Sequence[Chance]


State: TypeAlias = Literal["thinking", "waking", "done", "over", "away", "unfair", "failed"]


class Thinking(Sent, tag="thought", omit_defaults=True):
    """The progress of the computer's thinking about a node."""

    state: State
    node: int
    found: Findings | None = None


class ExploredGame(msgspec.Struct):
    """A game of the archive."""

    players: list[tuple[Text, int]]  # names and ratings; a rating of 0 is unknown
    year: str
    link: str  # path of the game's page; empty for a game from elsewhere


class ExploredTurn(msgspec.Struct):
    """A turn that was played in games of the archive."""

    words: str
    ids: list[str]  # the actions of the turn; empty if the turn is a player's leaving
    games: int
    score: int | None  # the mean score of the players of the turn. Units: per cent
    rating: int | None  # the mean rating of the players of the turn
    meetings: list[ExploredGame]
    """The highest rated games with this turn, if their players have names."""


class Explored(Sent, tag="explored", omit_defaults=True):
    """The turns played from a node, the most frequent first."""

    node: int
    told: Text
    turns: Sequence[ExploredTurn] = ()
    more: Text = NOTHING  # a sentence on the number of other turns
    pictured: bool = False
    """Whether the page shows these turns as pictures instead of text, such as whole setups."""


class Reviewing(Sent, tag="reviewing", omit_defaults=True):
    """The progress of a review, or the reason why there is no review."""

    done: int = 0
    total: int = 0
    turn: str = ""
    why: Text = NOTHING


class Reviewed(Sent, tag="reviewed"):
    """A review."""

    html: str
    nodes: list[int]  # the nodes of the reviewed main line


class Editing(Sent, tag="edit"):
    """A position that is being set up."""

    view: View
    parts: Sequence[BoxPart]
    settings: Sequence[Setting]
    standing: list[str]  # the spots with a piece or wall that can be removed
    refusal: Text


class Ok(Reply, tag="ok"):
    """The command succeeded."""

    why: Text = NOTHING  # the answer to `Why`
    go: str = ""  # path of the new analysis to continue with, after `Edit`


Outgoing: TypeAlias = (
    Tree | At | Thinking | Explored | Reviewing | Reviewed | Editing | Ok | Reached | No | Ping
)
