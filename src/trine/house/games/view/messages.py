"""The messages on the socket of a game, in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, field

from trine.core.contract.choices import Choosable
from trine.core.scene.composing import Movement
from trine.core.scene.scene import Piece, View
from trine.core.text.sentence import NOTHING, Text
from trine.house.web.messages import Busy, Call, No, Ping, Pong, Received, Reply, Sent, decode_json

# --- from pages ----------------------------------------------------------------------------------

Id = Annotated[str, Meta(min_length=1, max_length=16)]  # id of an action, a spot or a button
Ids = Annotated[list[Id], Meta(max_length=64)]
Turns = Annotated[list[Ids], Meta(max_length=16)]
Seq = Annotated[int, Meta(ge=0, le=10_000_000)]
Line = Annotated[str, Meta(max_length=200)]


class Turn(Call, tag="turn"):
    """Play a whole turn."""

    at: Annotated[Seq, Meta(description="The number of the last event that the sender has seen.")]
    a: Annotated[Ids, Meta(description="Its actions.")] = field(default_factory=list)
    line: Annotated[Line, Meta(description="Or its words, as records write them.")] = ""


class Draft(Call, tag="draft"):
    """Check a partial turn, and show it to its player only."""

    at: Seq
    a: Ids
    line: Annotated[
        Line, Meta(description="The line typed for these actions, such as `setup 99of9`.")
    ] = ""


class Condition(Call, tag="if"):
    """Store a line of conditional turns, or delete its last turn; an empty line deletes all."""

    at: Seq
    line: Turns
    """Successive turns from the current position; the last is the viewer's own answer. An
    opponent's turn without actions matches any turn."""
    drop: bool = False


class Ahead(Call, tag="ahead"):
    """Ask for the position after future turns."""

    at: Seq
    path: Turns
    a: Ids = field(default_factory=list)  # actions of the turn after ``path``


class Offer(Call, tag="offer"):
    """Make an offer to the other players, such as a draw."""

    at: Seq
    what: Annotated[str, Meta(min_length=1, max_length=16, pattern="^[a-z]+$")]


class Answer(Call, tag="answer"):
    """Accept or decline an offer, or withdraw one's own."""

    what: Annotated[str, Meta(min_length=1, max_length=16)]
    yes: bool


class Do(Call, tag="do"):
    """A command without further data."""

    what: Literal["resign", "abort", "claim", "claim-draw", "rematch", "resume"]


class Why(Call, tag="why"):
    """Ask why something cannot be done next in a draft."""

    a: Ids
    picks: Ids
    path: Turns = field(default_factory=list)  # future turns before the draft


class Reach(Call, tag="reach"):
    """Ask what one gesture that begins at a spot can add to one's own open turn."""

    at: Seq
    a: Ids
    spot: Id


class Hint(Call, tag="hint"):
    """Ask which turn the computer would play."""


class Say(Call, tag="say"):
    """Send a line of chat to a room of the game."""

    room: Literal["players", "watchers"]
    words: Annotated[str, Meta(max_length=400)] = ""
    preset: Annotated[str, Meta(max_length=16)] = ""
    """The name of a preset sentence, in place of ``words``."""


class ModerateLine(Call, tag="mind"):
    """Report a line of chat, or block its author."""

    number: Seq
    what: Literal["report", "block"]
    why: Annotated[str, Meta(max_length=16)] = ""  # the reason for a report


class Look(Received, tag="look"):
    """Choose how the board is shown."""

    seat: Annotated[int, Meta(ge=0, le=3)] | None = None
    """The seat from whose side the board is seen; None for one's own."""
    insight: bool = False


Command: TypeAlias = Turn | Offer | Answer | Do | Why
"""The messages that API programs may send, too."""
Incoming: TypeAlias = (
    Command | Draft | Condition | Ahead | Reach | Hint | Say | ModerateLine | Look | Pong
)
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Read a received message.

    Raises:
        msgspec.DecodeError: the message is malformed.

    >>> read_message('{"t":"turn","id":"1","at":3,"a":["e2"]}').a
    ['e2']
    """
    message: Incoming = decode_json(_DECODER, words)
    return message


# --- to pages ------------------------------------------------------------------------------------


class Seat(msgspec.Struct, omit_defaults=True):
    """A seat and its player, as shown to everyone."""

    name: Text
    side: Text
    kind: str
    player: str = ""
    bot: bool = False
    guest: bool = False  # whether ``name`` was chosen by a guest
    rating: str = ""
    presence: str = ""
    claim: bool = False
    """Whether other players may claim the game, because the player is absent or out of days."""
    plays: bool = True


class PlayedTurn(msgspec.Struct, omit_defaults=True):
    """A turn that was played, and its time."""

    tag: str
    words: str
    at: int | None = None
    """The end of the turn, in a correspondence game. Units: seconds since 1970."""
    used: float | None = None
    left: float | None = None


class Clock(msgspec.Struct, omit_defaults=True):
    """Each player's seconds at the time ``at``; those of the ``running`` seat go down from then."""

    left: list[float | None]  # the time of each seat; None if it is unlimited
    running: int | None
    at: float
    spare: list[float] | None = None  # the reserve of each seat in a correspondence game


class Offered(msgspec.Struct):
    """An offer of a player to the others."""

    what: str
    seat: int
    waiting: Sequence[int]  # the seats yet to answer; after a refusal, the seat that declined


class SetupWord(msgspec.Struct):
    """A word that sets up pieces."""

    word: str
    told: Text
    consent: bool  # whether the other players must agree


class TurnShown(msgspec.Struct):
    """A position shown while stepping through a game."""

    view: View
    done: int  # number of actions of the next turn that are already played in the position
    seen: int  # number of actions of the next turn that can be shown one by one


class Arrangement(msgspec.Struct):
    """A setup of a side's pieces."""

    told: Text
    a: Sequence[str]  # the actions that place the pieces
    pieces: Sequence[Piece]


class Arrangements(msgspec.Struct):
    """The setups to choose from."""

    all: Sequence[Arrangement]


class Prepared(msgspec.Struct):
    """One turn of a line of conditional turns."""

    a: Sequence[str]
    tag: str
    words: str
    mine: bool


class Warming(msgspec.Struct):
    """The progress of compiling the computer's code."""

    done: int
    of: int  # modules; 0 before compilation has begun
    left: float  # seconds; the estimated time until the end, 0 without an estimate


class Game(Sent, tag="game", kw_only=True, omit_defaults=True, rename={"begin": "from"}):
    """The state of a game, as one viewer sees it."""

    seq: int
    stage: str
    seats: list[Seat]
    casual: bool = False
    tournament: bool = False
    over: bool = False
    aborted: bool = False
    next: str = ""  # id of the rematch
    rematch: Sequence[int] = ()  # the seats that want a rematch
    result: Text = NOTHING
    winner: int | None = None
    reviewable: Sequence[int] = ()  # the seats with turns that a review can judge
    turn: str = ""
    mover: int | None = None  # the seat to move; None before the game has begun
    one: bool = False  # whether a turn is a single action
    clock: Clock | None = None
    paused: bool = False
    agreed_pause: bool = False
    waking: bool = False
    warming: Warming | None = None
    """The compilation progress, while the computer is to move and its code is not compiled yet."""
    offers: Sequence[Offered] = ()
    declined: Offered | None = None
    """The last offer, if it was declined and nothing has happened since."""
    hinted: Sequence[int] = ()
    """In games against people, the seats that asked for a hint in the open or the previous turn."""
    takebacks: bool = False
    draws: bool = False
    setup: Sequence[SetupWord] = ()
    whole: bool = False  # whether a setup is played as a whole
    own: list[int]
    side: int  # the seat from whose side the board is seen
    places: list[int]
    turns: Sequence[PlayedTurn] = ()
    begin: int = 0  # number of earlier turns, which are left out of ``turns``
    view: View
    story: Sequence[Sequence[Movement]] = ()
    """The movements from cell to cell in each of the last turn's actions, if it had several."""
    coach: Text = NOTHING  # the viewer's next step in words, if it is the viewer's turn
    choices: Sequence[Choosable] = ()
    handles: Sequence[str] = ()  # the spots where a gesture may begin
    draft: Sequence[str] = ()
    closed: bool = False
    conditions: Sequence[Sequence[Prepared]] = ()
    insight: Sequence[Text] = ()


Runs: TypeAlias = list[Any]
"""A list as a difference to an older one: bounds of the older's unchanged runs, and new items."""


class Changes(Sent, tag="changes", omit_defaults=True, rename={"begin": "from"}):
    """The changes of a game since the last state that was sent to a page."""

    game: dict[str, Any]  # the changed fields of `Game`, except for its view and turns
    view: dict[str, Any]
    runs: dict[str, Runs]
    """The partly changed lists of the view, by field; the other fields are in ``view``."""
    turns: Sequence[PlayedTurn] = ()
    begin: int = 0  # number of earlier turns, which have not changed


class PlayedAhead(msgspec.Struct):
    """A future turn."""

    tag: str
    words: str
    player: int


class AheadView(Reply, tag="ahead", omit_defaults=False):
    """The state of a game after future turns."""

    line: list[PlayedAhead]
    mover: int
    over: bool
    draft: Sequence[str]
    closed: bool
    choices: Sequence[Choosable]
    view: View


class Ok(Reply, tag="ok"):
    """The command was carried out."""

    seq: int | None = None
    told: Text = NOTHING


class WhyTold(Reply, tag="why"):
    """The answer to `Why`."""

    why: Text


class Reached(Reply, tag="reach"):
    """The answer to `Reach`: the possible gestures."""

    choices: Sequence[Choosable]


class TurnAhead(msgspec.Struct):
    """An expected turn: its player, the board before it, and the picks of each action."""

    told: Text
    view: View
    paths: Sequence[Sequence[str]]


class HintTold(Reply, tag="hint"):
    """The computer's choice: the picks of each action, the reasons, and the expected turns."""

    paths: Sequence[Sequence[str]]
    told: Sequence[Text]
    line: Sequence[TurnAhead]


Outgoing: TypeAlias = (
    Game | Changes | Busy | AheadView | Ok | WhyTold | Reached | HintTold | No | Ping
)
