"""The messages of a house's HTTP API: requests of programs, and responses.

One schema validates requests, encodes responses, and generates the documentation. In a game,
programs send the same messages as pages: see `trine.house.games.view.messages`.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

Short = Annotated[str, Meta(max_length=64)]
Cursor = Annotated[str, Meta(description="The cursor for the next request; can be empty.")]
IsProgram = Annotated[
    bool, Meta(description="Whether a program plays under an account of this name.")
]
UnusualStart = Annotated[
    dict[str, str],
    Meta(
        description="Unusual options of the start, by the tags of records; random parts are "
        "drawn when a game begins."
    ),
]


class Message(msgspec.Struct, omit_defaults=False):
    """The base of all messages of the house."""


class Account(Message):
    """The account of a token."""

    name: str
    bot: Annotated[bool, Meta(description="Whether it is the account of a program.")]
    scopes: Annotated[list[str], Meta(description="What the token allows.")]


class Side(Message):
    """A player of a game, or of a challenge."""

    name: str
    kind: Annotated[
        Literal["person", "bot", "free"],
        Meta(
            description="`bot` is a computer player of the house; a program with an account is a "
            "person here."
        ),
    ] = "person"
    bot: IsProgram = False
    guest: Annotated[
        bool, Meta(description="Whether this is a guest, whose name anyone can use.")
    ] = False
    rating: Annotated[
        str, Meta(description="In the category of the game; a question mark means provisional.")
    ] = ""
    seat: Annotated[
        str, Meta(description="The side of the board, as records name it: Gold, White, South.")
    ] = ""


class Challenge(Message, tag_field="t", tag="challenge"):
    """An open challenge."""

    id: Annotated[str, Meta(description="Also the id of the game that it will start.")]
    own: Annotated[bool, Meta(description="Whether it is the account's own.")]
    by: Side
    to: Side
    game: str
    rules: str
    start: UnusualStart
    clock: Annotated[
        str, Meta(description="In the notation of clocks, such as `5+3`; empty without one.")
    ]
    rated: bool
    side: Annotated[int | None, Meta(description="The seat of the challenger; null: random.")]
    until: Annotated[float, Meta(description="Expiry, in seconds since 1970.")]


class FoundPerson(Message):
    """An account that was found by its name."""

    name: str
    bot: Annotated[bool, Meta(description="Whether a program plays under the account.")]
    since: Annotated[float, Meta(description="Units: seconds since 1970.")]


class People(Message):
    """Accounts, in the order of their names."""

    people: list[FoundPerson]
    after: Cursor


class Bot(Message):
    """The account of a program."""

    name: str
    since: Annotated[float, Meta(description="Units: seconds since 1970.")]
    here: Annotated[bool, Meta(description="Whether it listens now, so that challenges reach it.")]
    ratings: Annotated[
        dict[str, str],
        Meta(description="By game, rule set and speed, such as `corridor/quoridor blitz`."),
    ]


class Bots(Message):
    """Accounts of programs, in the order of their names."""

    bots: list[Bot]
    after: Cursor


class FoundGame(Message):
    """A game that was found."""

    id: str
    at: Annotated[float, Meta(description="The start, in seconds since 1970.")]
    game: str
    rules: str
    clock: str
    rated: bool
    players: Annotated[list[str], Meta(description="The names at its seats, in turn order.")]
    scores: Annotated[
        list[float | None], Meta(description="By seat: 1, 0.5 or 0; null during the game.")
    ]


class Games(Message):
    """Games, the newest first."""

    games: list[FoundGame]
    after: Cursor


class TournamentListed(Message):
    """A tournament in a list."""

    id: str
    name: str
    format: Literal["swiss", "round-robin", "knockout", "arena", "challenge"]
    stage: Literal["open", "running", "over", "cancelled"]
    game: str
    rules: str
    start: UnusualStart
    clock: str
    rated: bool
    entrants: Annotated[int, Meta(description="The number of participants.")]
    most: Annotated[int, Meta(description="The most participants.")]
    starts_at: Annotated[
        float | None,
        Meta(description="In seconds since 1970; null: its creator starts it by hand."),
    ]


class Place(Message):
    """A participant of a tournament, with the current place."""

    name: str
    kind: Annotated[
        Literal["person", "bot"],
        Meta(description="`bot` is a computer player of the house, as in a game."),
    ]
    bot: IsProgram
    guest: Annotated[bool, Meta(description="Whether it is the name of a guest.")]
    number: Annotated[
        int | None, Meta(description="The number in pairings; null before the beginning.")
    ]
    rank: Annotated[int | None, Meta(description="Null before the beginning.")]
    points: float
    withdrawn: bool


class Paired(Message):
    """A game of a tournament, or a round without an opponent."""

    round: int
    numbers: Annotated[
        list[int], Meta(description="The participants, in turn order; a single one has a bye.")
    ]
    points: Annotated[list[float] | None, Meta(description="By participant; null during the game.")]
    played: Annotated[bool, Meta(description="Whether the game was played, not decided otherwise.")]
    game: Annotated[str, Meta(description="The id of the game; empty without one.")]


class Tournament(TournamentListed):
    """The state of a tournament."""

    by: Annotated[str, Meta(description="The name of its creator.")]
    joined: Annotated[bool, Meta(description="Whether the account takes part.")]
    own: Annotated[str, Meta(description="The game that waits for the account; empty without one.")]
    ends_at: Annotated[
        float | None,
        Meta(description="The end of pairing in a running arena, in seconds since 1970."),
    ]
    places: Annotated[list[Place], Meta(description="Best first; before the start by entry.")]
    pairings: list[Paired]


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """Join a tournament, or leave it; leaving a running tournament is a withdrawal."""

    what: Literal["join", "leave"]


class Gone(Message, tag_field="t", tag="challenge-gone"):
    """A challenge is closed: accepted, declined, withdrawn or expired."""

    id: str


class PlayedTurn(Message):
    """A played turn."""

    tag: Annotated[str, Meta(description="Its number and side, such as `2g`.")]
    words: Annotated[str, Meta(description="Its actions in the notation of records.")]
    used: Annotated[
        float | None, Meta(description="Units: seconds; null if it was not measured.")
    ] = None


class Offered(Message):
    """An offer or request of a player."""

    what: str
    seat: int
    waiting: Annotated[list[int], Meta(description="The seats that have not answered.")]


class Game(Message, tag_field="t", tag="game"):
    """The whole state of a game, sent after every change."""

    id: str
    seq: Annotated[
        int,
        Meta(description="The number of the last event; a turn names the one that it replies to."),
    ]
    game: str
    rules: str
    start: Annotated[
        dict[str, str],
        Meta(
            description="The options of the start, by the tags of records; a random start is "
            "given as a position, `Start`."
        ),
    ]
    clock: str
    rated: bool
    stage: Literal["waiting", "playing", "over"]
    seats: list[Side]
    own: Annotated[list[int], Meta(description="The seats of the account.")]
    mover: Annotated[
        int | None, Meta(description="The seat to move; null if no turn can be played.")
    ]
    turns: list[PlayedTurn]
    elapsed: Annotated[
        float,
        Meta(description="Units: seconds; the time of the open turn when the message was sent."),
    ]
    left: Annotated[
        list[float | None],
        Meta(
            description="Units: seconds; the time left for each player when the message was sent. "
            "Empty without a clock; null: no limit."
        ),
    ]
    paused: bool
    offers: list[Offered]
    result: Annotated[str, Meta(description="The result in a sentence.")] = ""
    winner: int | None = None
    aborted: Annotated[bool, Meta(description="Whether it was aborted before its first turn.")] = (
        False
    )
    next: Annotated[str, Meta(description="The rematch of this game, by the same players.")] = ""


class Ping(Message, tag_field="t", tag="ping"):
    """A keep-alive without news."""

    now: float


class End(Message, tag_field="t", tag="end"):
    """The end of the stream."""

    why: str
    again: Annotated[bool, Meta(description="Whether to reconnect.")]


Event: TypeAlias = Challenge | Gone | Game | Ping | End
"""A line of the stream of events."""


class NewChallenge(msgspec.Struct, forbid_unknown_fields=True):
    """Challenge an account to a game of two."""

    to: Annotated[str, Meta(min_length=1, max_length=64)]
    game: Short
    rules: Short = ""
    options: Annotated[
        dict[Short, Short], Meta(description="Options of the start, by the tags of records.")
    ] = {}
    clock: Short = ""
    rated: bool = False
    side: Annotated[int, Meta(ge=0, le=1)] | None = None
    """The seat that the challenger wants."""


class Reply(msgspec.Struct, forbid_unknown_fields=True):
    """Answer a challenge, or withdraw one's own."""

    what: Literal["accept", "decline", "withdraw"]


class Begun(Message):
    """The game that a challenge has started; empty if there is none."""

    game: str


class Ok(Message, tag_field="t", tag="ok"):
    """A command was executed, and is stored on disk."""

    id: str
    seq: int


class No(Message, tag_field="t", tag="no"):
    """A command was refused."""

    id: str
    why: str
    seq: int


class Reason(Message, tag_field="t", tag="why"):
    """Why something cannot be done."""

    id: str
    why: str


class Refusal(Message):
    """A request was refused."""

    error: str


EVENTS = msgspec.json.Decoder(Event)
"""A decoder for lines of the stream."""
