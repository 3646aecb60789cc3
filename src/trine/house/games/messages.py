"""The messages of the socket of a game, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, field

from trine.core.contract.choices import Choosable
from trine.core.scene.keys import Movement
from trine.core.scene.scene import Piece, View
from trine.core.text.sentence import NOTHING, Text
from trine.house.web.messages import Busy, Name, No, Ping, Pong, Received, Reply, Sent, decode_json

# --- in ------------------------------------------------------------------------------------------

Id = Annotated[str, Meta(min_length=1, max_length=16)]
"""An action, a spot or a button."""
Ids = Annotated[list[Id], Meta(max_length=64)]
Turns = Annotated[list[Ids], Meta(max_length=16)]
Seq = Annotated[int, Meta(ge=0, le=10_000_000)]
Line = Annotated[str, Meta(max_length=200)]


class Turn(Received, tag="turn"):
    """Play a whole turn."""

    id: Name
    at: Annotated[Seq, Meta(description="The number of the last event that the sender has seen.")]
    a: Annotated[Ids, Meta(description="Its actions.")] = field(default_factory=list)
    line: Annotated[Line, Meta(description="Or its words, as records write them.")] = ""


class Draft(Received, tag="draft"):
    """Judge a part of a turn, and show it to its player alone."""

    id: Name
    at: Seq
    a: Ids
    line: Annotated[
        Line, Meta(description="The line typed for these actions, such as `setup 99of9`.")
    ] = ""


class Condition(Received, tag="if"):
    """Keep a line of conditional turns, or forget its end; an empty one forgets them all."""

    id: Name
    at: Seq
    line: Turns
    """Turns after each other from the position as it stands; the last is an answer of one's own. A
    turn of others without actions stands for any."""
    drop: bool = False


class Ahead(Received, tag="ahead"):
    """Ask how the game would stand after turns that have not been played."""

    id: Name
    at: Seq
    path: Turns
    a: Ids = field(default_factory=list)
    """Actions of the turn behind them."""


class Offer(Received, tag="offer"):
    """Ask the others for something."""

    id: Name
    at: Seq
    what: Annotated[str, Meta(min_length=1, max_length=16, pattern="^[a-z]+$")]


class Answer(Received, tag="answer"):
    """Agree to what another asks for, or do not."""

    id: Name
    what: Annotated[str, Meta(min_length=1, max_length=16)]
    yes: bool


class Do(Received, tag="do"):
    """Something that needs no more words."""

    id: Name
    what: Literal["resign", "abort", "claim", "claim-draw", "rematch", "resume"]


class Why(Received, tag="why"):
    """Ask why something cannot be done behind a draft."""

    id: Name
    a: Ids
    picks: Ids
    path: Turns = field(default_factory=list)
    """Turns before it that have not been played."""


class Reach(Received, tag="reach"):
    """Ask what one gesture from a spot can make of the own open turn."""

    id: Name
    at: Seq
    a: Ids
    spot: Id


class Hint(Received, tag="hint"):
    """Ask what the computer would play."""

    id: Name


class Say(Received, tag="say"):
    """Say something in a room of the game."""

    id: Name
    room: Literal["players", "watchers"]
    words: Annotated[str, Meta(max_length=400)] = ""
    preset: Annotated[str, Meta(max_length=16)] = ""
    """The name of a sentence, in place of words."""


class Mind(Received, tag="mind"):
    """Do something about a line of chat, or about whoever has said it."""

    id: Name
    number: Seq
    what: Literal["report", "block"]
    why: Annotated[str, Meta(max_length=16)] = ""
    """The reason of a report."""


class Look(Received, tag="look"):
    """Choose how the game is seen."""

    seat: Annotated[int, Meta(ge=0, le=3)] | None = None
    """From whose side; none is the own one."""
    insight: bool = False


Command: TypeAlias = Turn | Offer | Answer | Do | Why
"""The messages that programs may send in a game, too."""
Incoming: TypeAlias = Command | Draft | Condition | Ahead | Reach | Hint | Say | Mind | Look | Pong
_DECODER = msgspec.json.Decoder(Incoming)


def read_message(words: str | bytes) -> Incoming:
    """Read what came in.

    Raises:
        msgspec.DecodeError: it is no message.

    >>> read_message('{"t":"turn","id":"1","at":3,"a":["e2"]}').a
    ['e2']
    """
    message: Incoming = decode_json(_DECODER, words)
    return message


# --- out -----------------------------------------------------------------------------------------


class Seat(msgspec.Struct, omit_defaults=True):
    """A player, as everybody sees the seat."""

    name: Text
    side: Text
    kind: str
    player: str = ""
    """The name of the account."""
    bot: bool = False
    guest: bool = False
    """Whether it is the chosen name of a guest."""
    rating: str = ""
    presence: str = ""
    claim: bool = False
    """Whether the absence of the player, or the end of their days, may be claimed."""
    plays: bool = True


class PlayedTurn(msgspec.Struct, omit_defaults=True):
    """A turn, and the time that it took."""

    tag: str
    words: str
    at: int | None = None
    """Units: seconds since 1970; in games by days."""
    used: float | None = None
    left: float | None = None


class Clock(msgspec.Struct, omit_defaults=True):
    """Each player's time at a moment; it runs down for the player to move.

    Units: seconds.
    """

    left: list[float | None]
    """None where it has no end."""
    running: int | None
    at: float
    spare: list[float] | None = None
    """The reserves of a game by days."""


class Offered(msgspec.Struct):
    """A request of a player to the others."""

    what: str
    seat: int
    waiting: Sequence[int]
    """The seats that have not answered; of what was declined, the one that has declined."""


class SetupWord(msgspec.Struct):
    """A word that sets pieces up."""

    word: str
    told: Text
    consent: bool
    """Whether the others must agree."""


class TurnShown(msgspec.Struct):
    """A position of a game that is walked through."""

    view: View
    done: int
    """The number of actions of the turn behind it that are done there."""
    seen: int
    """The number of its actions, as far as they can be seen one by one."""


class Arrangement(msgspec.Struct):
    """An arrangement of a side's pieces."""

    told: Text
    a: Sequence[str]
    """The actions that place them."""
    pieces: Sequence[Piece]


class Arrangements(msgspec.Struct):
    """The arrangements to choose from."""

    all: Sequence[Arrangement]


class Prepared(msgspec.Struct):
    """One turn of a line of conditional turns."""

    a: Sequence[str]
    tag: str
    words: str
    mine: bool


class Warming(msgspec.Struct):
    """The progress of the computer in making itself ready."""

    done: int
    of: int
    """Units: parts; 0 before it has begun."""
    left: float
    """Units: seconds; an estimate, 0 where there is none yet."""


class Game(Sent, tag="game", kw_only=True, omit_defaults=True, rename={"begin": "from"}):
    """A game as it stands."""

    seq: int
    """The number of the last event."""
    stage: str
    seats: list[Seat]
    casual: bool = False
    tournament: bool = False
    over: bool = False
    aborted: bool = False
    next: str = ""
    """The game that follows this one."""
    rematch: Sequence[int] = ()
    """The seats that want another game."""
    result: Text = NOTHING
    winner: int | None = None
    turn: str = ""
    mover: int | None = None
    """None before the game has begun."""
    one: bool = False
    """Whether a turn is one action."""
    clock: Clock | None = None
    paused: bool = False
    agreed_pause: bool = False
    waking: bool = False
    warming: Warming | None = None
    """None but while the computer is to move and makes itself ready."""
    offers: Sequence[Offered] = ()
    declined: Offered | None = None
    """What was asked for last, if it was declined and nothing has happened since."""
    hinted: Sequence[int] = ()
    """The seats that have asked for a hint in the open turn or the one before, against people."""
    takebacks: bool = False
    draws: bool = False
    setup: Sequence[SetupWord] = ()
    whole: bool = False
    """Whether setups are played whole."""
    own: list[int]
    """The seats of whoever looks."""
    side: int
    """From which the board is seen."""
    places: list[int]
    turns: Sequence[PlayedTurn] = ()
    begin: int = 0
    """The number of turns before those."""
    view: View
    story: Sequence[Sequence[Movement]] = ()
    """The movements of each action of the last turn, from cell to cell, where it had several."""
    coach: Text = NOTHING
    """The viewer's next step in words, where it is the viewer's turn."""
    choices: Sequence[Choosable] = ()
    handles: Sequence[str] = ()
    """The spots on which a gesture may begin."""
    draft: Sequence[str] = ()
    closed: bool = False
    conditions: Sequence[Sequence[Prepared]] = ()
    insight: Sequence[Text] = ()


Runs: TypeAlias = list[Any]
"""A list of things as what is left of another: runs of that one, by their bounds, and new ones."""


class Changes(Sent, tag="changes", omit_defaults=True, rename={"begin": "from"}):
    """A game as it stands, for a page that was told before how it stood: what is different."""

    game: dict[str, Any]
    """The fields of the game, and below those of the view, which have other values now."""
    view: dict[str, Any]
    runs: dict[str, Runs]
    """The lists of the view of which parts have stayed."""
    turns: Sequence[PlayedTurn] = ()
    begin: int = 0
    """The number of turns before those, which have stayed."""


class PlayedAhead(msgspec.Struct):
    """A turn that has not been played."""

    tag: str
    words: str
    player: int


class AheadView(Reply, tag="ahead", omit_defaults=False):
    """A game as it would stand."""

    line: list[PlayedAhead]
    mover: int
    over: bool
    draft: Sequence[str]
    closed: bool
    choices: Sequence[Choosable]
    view: View


class Ok(Reply, tag="ok"):
    """It is done."""

    seq: int | None = None
    told: Text = NOTHING


class WhyTold(Reply, tag="why"):
    """The reason that was asked for."""

    why: Text


class Reached(Reply, tag="reach"):
    """The gestures that were asked for."""

    choices: Sequence[Choosable]


class TurnAhead(msgspec.Struct):
    """A turn that is expected: whose it is, the board before it, the picks of each action."""

    told: Text
    view: View
    paths: Sequence[Sequence[str]]


class HintTold(Reply, tag="hint"):
    """The computer's choice: the picks of each action, the reasons, and what is expected."""

    paths: Sequence[Sequence[str]]
    told: Sequence[Text]
    line: Sequence[TurnAhead]


Outgoing: TypeAlias = (
    Game | Changes | Busy | AheadView | Ok | WhyTold | Reached | HintTold | No | Ping
)
